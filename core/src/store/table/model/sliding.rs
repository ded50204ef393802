//! Sliding windows.

use super::{Cell, N, Scene, explore, explore_with, key, tag};
use crate::policy::{Policy, Rule, SlidingWindow};
use crate::store::table::{Place, Unlisted};
use std::time::Duration;

/// Of segments of 1,000 µs.
pub(super) fn window(limit: u64, segments: u32) -> SlidingWindow {
    let length = Duration::from_micros(1_000 * u64::from(segments));
    match Policy::sliding_window(limit, length, segments).unwrap().0 {
        Rule::SlidingWindow(w) => w,
        _ => unreachable!(),
    }
}

/// Where the cells of key 1 are that a call at `now` reads.
pub(super) fn place(w: &SlidingWindow, now: u64) -> Place {
    key(1).group(w.number(now) / 16).place(2, 2)
}

/// A cell of key 1 that was charged `amount` at `now`.
pub(super) fn charged(w: &SlidingWindow, now: u64, amount: u32) -> Cell {
    Cell::charged(tag(1), w.number(now) * w.segment_us, amount)
}

impl Scene {
    pub(super) fn slide(&self, w: &SlidingWindow) -> bool {
        self.table
            .slide(key(1), w, 1, &mut self.reading(), &mut Unlisted)
            .allowed
    }
}

/// One caller may read the clock at 3,999 and charge later; the other moves it `by` first.
fn across_the_boundary(cells: [Cell; 4], w: SlidingWindow, by: u64) -> usize {
    Scene::new(cells, 3_999).both(
        |s| s.slide(&w),
        move |s| {
            s.pass(by);
            s.slide(&w)
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
        let mut cells = [Cell::EMPTY; 4];
        cells[place(&w, 3_999).first * N] = charged(&w, 3_999, 1);
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
        let place = place(&w, 4_000);
        let mut cells = [Cell::charged(tag(3), 90_000, 1); 4];
        cells[place.first * N] = Cell::charged(tag(2), 4_001, 1);
        cells[place.next(place.first) * N] = Cell::EMPTY;
        let scene = Scene::new(cells, 4_000);
        let late = scene.at(4_001);
        let allowed = scene.both(|s| s.slide(&w), move |_| late.slide(&w));
        assert_eq!(allowed, 1);
    });
}

/// One charges the segment before the boundary, one starts the next, one charges that.
#[test]
fn three_callers_at_a_boundary_count_together() {
    explore_with(2, || {
        let w = window(2, 1);
        let scene = Scene::new([Cell::EMPTY; 4], 3_999);
        let third = scene.spawn(move |s| s.slide(&w));
        let allowed = scene.both(
            |s| s.slide(&w),
            move |s| {
                s.pass(1);
                s.slide(&w)
            },
        );
        assert_eq!(allowed + usize::from(third.join().unwrap()), 2);
    });
}

/// It looks as if it were too much to whoever adds what was charged later to what weighed earlier.
#[test]
fn a_charge_that_fits_at_any_time_is_not_refused() {
    explore(|| {
        let w = window(3, 1);
        let mut cells = [Cell::EMPTY; 4];
        cells[place(&w, 3_999).first * N] = charged(&w, 3_999, 2);
        let allowed = Scene::new(cells, 4_000).both(
            |s| s.slide(&w),
            move |s| {
                s.pass(500);
                s.slide(&w)
            },
        );
        assert_eq!(allowed, 2);
    });
}
