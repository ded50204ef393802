//! Keys of one cell.

use super::{Cell, Scene, explore, explore_with, key, tag};
use crate::algorithm::{SingleState, State};
use crate::clock::Reading;
use crate::policy::{Policy, Rule};
use crate::store::table::{At, Step, last_key::LastCell};
use std::time::Duration;

pub(super) fn fixed(limit: u64, window: u64) -> impl SingleState {
    match Policy::fixed_window(limit, Duration::from_micros(window))
        .unwrap()
        .0
    {
        Rule::FixedWindow(w) => w,
        _ => unreachable!(),
    }
}

impl Scene {
    pub(super) fn allow(&self, n: u64, limit: u64) -> bool {
        let mut step = admit(limit);
        let place = self.table.place(key(n));
        self.table.update(&place, &mut self.reading(), &mut step)
    }

    /// A charge by a thread that was `at` the key's cell the last time, as a limiter makes it.
    fn allow_last(&self, n: u64, limit: u64, at: At) -> bool {
        let (table, mut reading) = (&self.table, self.reading());
        let (tag, shard) = (tag(n), 1);
        let now = reading.now();
        let at_once = table.see(LastCell { at, tag, shard }).is_some_and(|seen| {
            let after = fixed(limit, 100_000).admit(Some(seen.state(now)), now, 1);
            after.is_some_and(|after| table.replace(&seen, after))
        });
        let mut again = || table.update_at(at, tag, &mut reading, admit(limit));
        at_once || again().unwrap_or_else(|| self.allow(n, limit))
    }
}

fn admit(limit: u64) -> impl FnMut(Option<State>, &Reading<'_>) -> Step<bool> {
    let algorithm = fixed(limit, 100_000);
    move |state, reading| Step::admit(algorithm, state, reading, 1)
}

/// Two threads charge one key; how many were allowed, and the key's cells.
fn race(cells: [Cell; 4], limit: u64) -> (Scene, usize, usize) {
    let scene = Scene::new(cells, 1_000);
    let allowed = scene.both(|s| s.allow(1, limit), move |s| s.allow(1, limit));
    let cells = scene.confirmed(1).len();
    (scene, allowed, cells)
}

#[test]
fn a_key_inserted_twice_at_once_has_one_cell() {
    explore(|| {
        let (_, allowed, cells) = race([Cell::EMPTY; 4], 1);
        assert_eq!((allowed, cells), (1, 1));
    });
}

#[test]
fn both_charges_of_a_key_inserted_twice_at_once_count() {
    explore(|| {
        let (scene, allowed, cells) = race([Cell::EMPTY; 4], 2);
        assert_eq!((allowed, cells), (2, 1));
        assert!(!scene.allow(1, 2));
    });
}

#[test]
fn a_claim_whose_owner_died_is_resolved() {
    explore(|| {
        let dead = Cell::claim(tag(1), 2_000, 7 << 24);
        let (_, allowed, cells) = race([Cell::EMPTY, dead, Cell::EMPTY, Cell::EMPTY], 1);
        assert_eq!((allowed, cells), (1, 1));
    });
}

#[test]
fn a_live_cell_is_charged_by_both() {
    explore(|| {
        let live = Cell::charged(tag(1), 5_000, 1);
        let (_, allowed, cells) = race([Cell::EMPTY, Cell::EMPTY, live, Cell::EMPTY], 2);
        assert_eq!((allowed, cells), (1, 1));
    });
}

/// One caller's clock says that a neighbour's cell has ended, the other's that it has not.
#[test]
fn callers_who_disagree_about_a_free_cell_end_with_one() {
    explore(|| {
        let ending = Cell::charged(tag(2), 1_001, 1);
        let live = Cell::charged(tag(3), 9_000, 1);
        let scene = Scene::new([ending, live, Cell::EMPTY, live], 1_000);
        let late = scene.at(1_001);
        let allowed = scene.both(|s| s.allow(1, 1), move |_| late.allow(1, 1));
        assert_eq!((allowed, scene.confirmed(1).len()), (1, 1));
    });
}

/// A key's ended cell is taken by another key while the key is charged again.
#[test]
fn a_key_whose_ended_cell_is_taken_is_admitted_once() {
    explore(|| {
        let ended = Cell::charged(tag(1), 900, 1);
        let live = Cell::charged(tag(3), 9_000, 1);
        let scene = Scene::new([ended, live, live, live], 1_000);
        let allowed = scene.both(|s| s.allow(1, 1), |s| s.allow(2, 1));
        assert_eq!(allowed, 2);
        assert!(scene.confirmed(1).len() <= 1 && scene.confirmed(2).len() <= 1);
    });
}

/// A key is seen gone by a caller whose clock says that it had not ended: that reading is too old
/// to open a new window with.
#[test]
fn a_key_seen_gone_is_decided_on_a_later_reading() {
    explore(|| {
        let ending = Cell::charged(tag(1), 1_000, 1);
        let live = Cell::charged(tag(3), 9_000, 1);
        let scene = Scene::new([ending, live, live, Cell::EMPTY], 999);
        let allowed = scene.both(
            |s| s.allow(1, 1),
            |s| {
                s.pass(1);
                s.allow(2, 1);
                false
            },
        );
        let own = scene.confirmed(1);
        let left = own.first().map_or(0, |c| c.until().left(999));
        assert!(allowed == 0 || left > 100_000, "a window of {left} µs");
    });
}

/// A helper with old knowledge, while two others claim.
#[test]
fn three_callers_of_a_new_key_end_with_one_cell() {
    explore_with(2, || {
        let scene = Scene::new([Cell::EMPTY; 4], 1_000);
        let third = scene.spawn(|s| s.allow(1, 1));
        let allowed = scene.both(|s| s.allow(1, 1), |s| s.allow(1, 1));
        assert_eq!(allowed + usize::from(third.join().unwrap()), 1);
        assert_eq!(scene.confirmed(1).len(), 1);
    });
}

/// What was known of one says nothing of the next, though it be in the same cell.
#[test]
fn no_claim_looks_like_an_earlier_one() {
    explore(|| {
        let scene = Scene::new([Cell::EMPTY; 4], 1_000);
        let place = scene.table.place(key(1));
        let claim = || scene.table.claim(&place, 2_000, 1_000, false);
        let first = claim();
        scene.table.withdraw::<()>(first);
        let second = claim();
        assert!(first.is_some() && second.is_some() && first != second);
    });
}

#[test]
fn a_full_table_gives_up_a_cell_for_each_newcomer() {
    explore(|| {
        let cells = [(5, 9_000), (6, 3_000), (7, 4_000), (8, 9_000)];
        let cells = cells.map(|(n, until)| Cell::charged(tag(n), until, 1));
        let scene = Scene::new(cells, 1_000);
        let allowed = scene.both(|s| s.allow(1, 1), |s| s.allow(2, 1));
        assert_eq!(allowed, 2);
        let left = [1, 2, 5, 6, 7, 8].map(|n| scene.confirmed(n).len());
        let survivors: usize = left[2..].iter().sum();
        assert_eq!(survivors as u64, 4 - scene.table.totals().given_up);
        assert_eq!((left[0], left[1], left[2], left[5]), (1, 1, 1, 1));
    });
}

#[test]
fn a_reset_and_a_charge_leave_one_cell_or_none() {
    explore(|| {
        let live = Cell::charged(tag(1), 5_000, 1);
        let scene = Scene::new([live, Cell::EMPTY, Cell::EMPTY, Cell::EMPTY], 1_000);
        let allowed = scene.both(
            |s| {
                s.table.remove(key(1));
                false
            },
            |s| s.allow(1, 1),
        );
        assert_eq!(allowed, scene.confirmed(1).len());
    });
}

/// A thread knows where the key's cell was, and another key or the same one, anew, comes.
fn remembered_while(cell: Cell, other: impl FnOnce(&Scene) -> bool + 'static) -> (Scene, usize) {
    let taken = Cell::charged(tag(3), 90_000, 1);
    let scene = Scene::new([cell, Cell::EMPTY, taken, taken], 1_000);
    let allowed = scene.both(|s| s.allow_last(1, 2, At(0)), other);
    (scene, allowed)
}

#[test]
fn a_remembered_cell_that_another_key_takes_is_left_alone() {
    explore(|| {
        let ended = Cell::charged(tag(1), 900, 1);
        let (scene, allowed) = remembered_while(ended, |s| s.allow(2, 1));
        assert_eq!(allowed, 2);
        for n in [1, 2] {
            let cells = scene.confirmed(n);
            assert_eq!(cells.iter().map(|c| c.amount()).collect::<Vec<_>>(), [1]);
        }
    });
}

#[test]
fn a_remembered_cell_that_was_reset_is_no_second_one() {
    explore(|| {
        let live = Cell::charged(tag(1), 90_000, 1);
        let (scene, allowed) = remembered_while(live, |s| {
            s.table.remove(key(1));
            s.allow(1, 2)
        });
        assert_eq!(allowed, 2);
        let cells = scene.confirmed(1);
        assert!(cells.len() == 1 && cells[0].amount() <= 2);
    });
}

#[test]
fn a_remembered_cell_that_is_only_claimed_is_not_the_keys() {
    explore(|| {
        let claim = Cell::claim(tag(1), 90_000, 1);
        let scene = Scene::new([claim, Cell::EMPTY, Cell::EMPTY, Cell::EMPTY], 1_000);
        let last = LastCell {
            at: At(0),
            tag: tag(1),
            shard: 1,
        };
        assert!(scene.table.see(last).is_none());
    });
}
