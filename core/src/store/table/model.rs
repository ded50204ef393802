//! Every interleaving of a few calls, by the model checker loom:
//! `RUSTFLAGS="--cfg loom" cargo test --release -p ratelimit-core --lib model`.

use super::atom::NEWEST;
use super::cell::{Cell, Tag};
use super::{KeyHash, Memory, Set, Shard, Step, Table, Tally, Wide};
use crate::algorithm::{Change, SingleState, State};
use crate::clock::{Clock, Reading, Source};
use crate::policy::{Policy, Rule, SlidingWindow};
use loom::sync::atomic::{AtomicU64 as Modelled, Ordering::AcqRel};
use loom::thread;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

/// Two sets of two cells.
const N: usize = 2;

struct Small {
    sets: [Set<Wide, N>; 2],
    swept: AtomicU64,
    tally: Tally<Vec<Shard>>,
}

impl Memory<N> for Small {
    type Atom = Wide;
    type Shards = Vec<Shard>;

    fn sets(&self) -> &[Set<Wide, N>] {
        &self.sets
    }

    fn swept(&self) -> &AtomicU64 {
        &self.swept
    }

    fn tally(&self) -> &Tally<Vec<Shard>> {
        &self.tally
    }
}

type Small2 = Table<Small, N>;

fn table(cells: [Cell; 4]) -> Arc<Small2> {
    let [a, b, c, d] = cells.map(Wide::new);
    let shards = (0..8).map(|_| Shard::default()).collect();
    let memory = Small {
        sets: [Set([a, b]), Set([c, d])],
        swept: AtomicU64::new(1),
        tally: Tally::new(shards),
    };
    Arc::new(Table { memory })
}

fn key(n: u64) -> KeyHash {
    KeyHash {
        tag: n << 18,
        place: n << 32,
    }
}

fn tag(n: u64) -> Tag {
    Tag::from_hash(n << 18)
}

/// A clock that all threads see move at once, as the system's does.
struct Time(Modelled);

impl Clock for Time {
    fn now(&self) -> u64 {
        self.0.fetch_add(0, AcqRel)
    }
}

fn clock(now: u64) -> (Arc<Time>, Source) {
    let time = Arc::new(Time(Modelled::new(now)));
    (time.clone(), Source::Given(time))
}

fn fixed(limit: u64, window: u64) -> impl SingleState {
    match Policy::fixed_window(limit, Duration::from_micros(window))
        .unwrap()
        .0
    {
        Rule::FixedWindow(w) => w,
        _ => unreachable!(),
    }
}

fn allow(table: &Small2, key: KeyHash, source: &Source, limit: u64) -> bool {
    let algorithm = fixed(limit, 100_000);
    let mut reading = Reading::exact(source);
    table.update(
        &table.place(key),
        &mut reading,
        |state, reading| match algorithm.admit(state, reading.now(), 1) {
            Some(state) => Step::Done(Change::Put(state), true),
            None if !reading.is_good() => Step::Renew,
            None => Step::Done(Change::Keep, false),
        },
    )
}

fn confirmed(table: &Small2, n: u64) -> usize {
    let cells = table.memory.sets.iter().flat_map(|s| &s.0);
    cells
        .filter(|atom| {
            let cell = super::Atom::load(*atom);
            cell.has(tag(n)) && !cell.is_pending()
        })
        .count()
}

/// Checks all interleavings of up to `preemptions`, and what weak memory adds to them.
fn explore_with(preemptions: usize, body: impl Fn() + Sync + Send + Copy + 'static) {
    static ONE_AT_A_TIME: Mutex<()> = Mutex::new(());
    let _one = ONE_AT_A_TIME.lock().unwrap_or_else(PoisonError::into_inner);
    for newest in [true, false] {
        NEWEST.store(newest, Relaxed);
        let mut builder = loom::model::Builder::new();
        builder.preemption_bound = Some(preemptions);
        builder.check(body);
    }
}

fn explore(body: impl Fn() + Sync + Send + Copy + 'static) {
    explore_with(3, body);
}

/// Two threads make one call each; returns how many were allowed.
fn both(first: impl FnOnce() -> bool + 'static, second: impl FnOnce() -> bool + 'static) -> usize {
    let other = thread::spawn(second);
    usize::from(first()) + usize::from(other.join().unwrap())
}

fn race(cells: [Cell; 4], limit: u64) -> (Arc<Small2>, usize) {
    let table = table(cells);
    let (_, source) = clock(1_000);
    let (t, s) = (table.clone(), source.clone());
    let allowed = both(
        {
            let (t, s) = (table.clone(), source);
            move || allow(&t, key(1), &s, limit)
        },
        move || allow(&t, key(1), &s, limit),
    );
    (table, allowed)
}

#[test]
fn a_key_inserted_twice_at_once_has_one_cell() {
    explore(|| {
        let (table, allowed) = race([Cell::EMPTY; 4], 1);
        assert_eq!((allowed, confirmed(&table, 1)), (1, 1));
    });
}

#[test]
fn both_charges_of_a_key_inserted_twice_at_once_count() {
    explore(|| {
        let (table, allowed) = race([Cell::EMPTY; 4], 2);
        assert_eq!((allowed, confirmed(&table, 1)), (2, 1));
        let (_, source) = clock(1_000);
        assert!(!allow(&table, key(1), &source, 2));
    });
}

#[test]
fn a_claim_whose_owner_died_is_resolved() {
    explore(|| {
        let dead = Cell::claim(tag(1), 2_000, 7 << 24);
        let (table, allowed) = race([Cell::EMPTY, dead, Cell::EMPTY, Cell::EMPTY], 1);
        assert_eq!((allowed, confirmed(&table, 1)), (1, 1));
    });
}

#[test]
fn a_live_cell_is_charged_by_both() {
    explore(|| {
        let live = Cell::charged(tag(1), 5_000, 1);
        let (table, allowed) = race([Cell::EMPTY, Cell::EMPTY, live, Cell::EMPTY], 2);
        assert_eq!((allowed, confirmed(&table, 1)), (1, 1));
    });
}

/// One caller's clock says that a neighbour's cell has ended, the other's that it has not.
#[test]
fn callers_who_disagree_about_a_free_cell_end_with_one() {
    explore(|| {
        let ending = Cell::charged(tag(2), 1_001, 1);
        let live = Cell::charged(tag(3), 9_000, 1);
        let table = table([ending, live, Cell::EMPTY, live]);
        let ((_, early), (_, late)) = (clock(1_000), clock(1_001));
        let t = table.clone();
        let allowed = both(
            {
                let t = table.clone();
                move || allow(&t, key(1), &early, 1)
            },
            move || allow(&t, key(1), &late, 1),
        );
        assert_eq!((allowed, confirmed(&table, 1)), (1, 1));
    });
}

/// A key's ended cell is taken by another key while the key is charged again.
#[test]
fn a_key_whose_ended_cell_is_taken_is_admitted_once() {
    explore(|| {
        let ended = Cell::charged(tag(1), 900, 1);
        let live = Cell::charged(tag(3), 9_000, 1);
        let table = table([ended, live, live, live]);
        let (_, source) = clock(1_000);
        let (t, s) = (table.clone(), source.clone());
        let allowed = both(
            {
                let (t, s) = (table.clone(), source.clone());
                move || allow(&t, key(1), &s, 1)
            },
            move || allow(&t, key(2), &s, 1),
        );
        assert_eq!(allowed, 2);
        assert!(confirmed(&table, 1) <= 1 && confirmed(&table, 2) <= 1);
    });
}

/// A key is seen gone by a caller whose clock says that it had not ended: that reading is too old
/// to open a new window with.
#[test]
fn a_key_seen_gone_is_decided_on_a_later_reading() {
    explore(|| {
        let ending = Cell::charged(tag(1), 1_000, 1);
        let live = Cell::charged(tag(3), 9_000, 1);
        let table = table([ending, live, live, Cell::EMPTY]);
        let (time, source) = clock(999);
        let (t, s) = (table.clone(), source.clone());
        let allowed = both(
            {
                let t = table.clone();
                move || allow(&t, key(1), &source, 1)
            },
            move || {
                time.0.fetch_add(1, AcqRel);
                allow(&t, key(2), &s, 1);
                false
            },
        );
        let cells = table
            .memory
            .sets
            .iter()
            .flat_map(|s| &s.0)
            .map(super::Atom::load);
        let own = cells.into_iter().find(|c| c.has(tag(1)) && !c.is_pending());
        let left = own.map_or(0, |c| c.until().left(999));
        assert!(allowed == 0 || left > 100_000, "a window of {left} µs");
    });
}

/// A helper with old knowledge, while two others claim.
#[test]
fn three_callers_of_a_new_key_end_with_one_cell() {
    explore_with(2, || {
        let table = table([Cell::EMPTY; 4]);
        let (_, source) = clock(1_000);
        let call = || {
            let (t, s) = (table.clone(), source.clone());
            move || allow(&t, key(1), &s, 1)
        };
        let (a, b) = (thread::spawn(call()), thread::spawn(call()));
        let allowed = [call()(), a.join().unwrap(), b.join().unwrap()];
        assert_eq!(allowed.iter().filter(|a| **a).count(), 1);
        assert_eq!(confirmed(&table, 1), 1);
    });
}

#[test]
fn a_full_table_gives_up_a_cell_for_each_newcomer() {
    explore(|| {
        let live = |n: u64, until: u64| Cell::charged(tag(n), until, 1);
        let table = table([
            live(5, 9_000),
            live(6, 3_000),
            live(7, 4_000),
            live(8, 9_000),
        ]);
        let (_, source) = clock(1_000);
        let (t, s) = (table.clone(), source.clone());
        let allowed = both(
            {
                let (t, s) = (table.clone(), source.clone());
                move || allow(&t, key(1), &s, 1)
            },
            move || allow(&t, key(2), &s, 1),
        );
        assert_eq!(allowed, 2);
        let survivors: usize = (5..9).map(|n| confirmed(&table, n)).sum();
        assert_eq!(survivors as u64, 4 - table.totals().given_up);
        assert_eq!((confirmed(&table, 5), confirmed(&table, 8)), (1, 1));
        assert_eq!((confirmed(&table, 1), confirmed(&table, 2)), (1, 1));
    });
}

#[test]
fn a_reset_and_a_charge_leave_one_cell_or_none() {
    explore(|| {
        let live = Cell::charged(tag(1), 5_000, 1);
        let table = table([live, Cell::EMPTY, Cell::EMPTY, Cell::EMPTY]);
        let (_, source) = clock(1_000);
        let (t, s) = (table.clone(), source.clone());
        let allowed = both(
            {
                let t = table.clone();
                move || {
                    t.remove(key(1));
                    false
                }
            },
            move || allow(&t, key(1), &s, 1),
        );
        assert_eq!(allowed, confirmed(&table, 1));
    });
}

/// Of segments of 1,000 µs.
fn window(limit: u64, segments: u32) -> SlidingWindow {
    let length = Duration::from_micros(1_000 * u64::from(segments));
    match Policy::sliding_window(limit, length, segments).unwrap().0 {
        Rule::SlidingWindow(w) => w,
        _ => unreachable!(),
    }
}

fn slide(table: &Small2, source: &Source, w: &SlidingWindow) -> bool {
    let mut reading = Reading::exact(source);
    table
        .slide(key(1), w, 1, &mut reading, &mut super::Unlisted)
        .allowed
}

/// One caller may read the clock at 3,999 and charge later; the other moves it `by` first.
fn across_the_boundary(cells: [Cell; 4], w: SlidingWindow, by: u64) -> usize {
    let table = table(cells);
    let (time, source) = clock(3_999);
    let (t, s) = (table.clone(), source.clone());
    both(
        {
            let t = table.clone();
            move || slide(&t, &source, &w)
        },
        move || {
            time.0.fetch_add(by, AcqRel);
            slide(&t, &s, &w)
        },
    )
}

#[test]
fn two_charges_at_a_segment_boundary_count_together() {
    explore(|| assert_eq!(across_the_boundary([Cell::EMPTY; 4], window(1, 1), 1), 1));
}

#[test]
fn a_charge_late_by_two_segments_counts_with_what_came_since() {
    explore(|| {
        assert_eq!(
            across_the_boundary([Cell::EMPTY; 4], window(1, 3), 1_001),
            1
        )
    });
}

#[test]
fn a_charge_before_the_boundary_weighs_on_one_after_it() {
    explore(|| {
        // Room for one of two; the open segment is the one before the boundary.
        let w = window(2, 1);
        let until = w.number(3_999) * w.segment_us;
        let place = key(1).group(w.number(3_999) / 16).place(2, 2);
        let mut cells = [Cell::EMPTY; 4];
        cells[place.first * N] = Cell::charged(place.tag, until, 1);
        assert_eq!(across_the_boundary(cells, w, 1), 1);
    });
}

#[test]
fn two_charges_in_one_new_segment_count_together() {
    explore(|| assert_eq!(across_the_boundary([Cell::EMPTY; 4], window(1, 1), 0), 1));
}

#[test]
fn callers_who_disagree_about_a_free_cell_start_one_segment() {
    explore(|| {
        let w = window(1, 1);
        let place = key(1).group(w.number(4_000) / 16).place(2, 2);
        let mut cells = [Cell::charged(tag(3), 90_000, 1); 4];
        cells[place.first * N] = Cell::charged(tag(2), 4_001, 1);
        cells[place.next(place.first) * N] = Cell::EMPTY;
        let table = table(cells);
        let ((_, early), (_, late)) = (clock(4_000), clock(4_001));
        let t = table.clone();
        let allowed = both(
            {
                let t = table.clone();
                move || slide(&t, &early, &w)
            },
            move || slide(&t, &late, &w),
        );
        assert_eq!(allowed, 1);
    });
}

/// One charges the segment before the boundary, one starts the next, one charges that.
#[test]
fn three_callers_at_a_boundary_count_together() {
    explore_with(2, || {
        let table = table([Cell::EMPTY; 4]);
        let (time, source) = clock(3_999);
        let w = window(2, 1);
        let call = |by: u64| {
            let (t, s, time) = (table.clone(), source.clone(), time.clone());
            move || {
                time.0.fetch_add(by, AcqRel);
                slide(&t, &s, &w)
            }
        };
        let (a, b) = (thread::spawn(call(0)), thread::spawn(call(1)));
        let allowed = [call(0)(), a.join().unwrap(), b.join().unwrap()];
        assert_eq!(allowed.iter().filter(|a| **a).count(), 2);
    });
}

/// What a cell says survives packing for the model.
#[test]
fn states_fit_the_model() {
    let cell = Cell::charged(tag(3), 5_000, 77);
    let state = State {
        until: 5_000,
        amount: cell.amount(),
    };
    assert_eq!((cell.until().left(1_000), state.amount), (4_000, 77));
}
