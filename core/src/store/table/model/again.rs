//! Sliding windows, charged on the strength of a thread's earlier charge.

use super::sliding::{charged, place, window};
use super::{Cell, N, Scene, explore, explore_with, key, tag};
use crate::policy::SlidingWindow;
use crate::store::table::{Again, Unlisted};

impl Scene {
    /// One charge by a thread that remembers its last, as a limiter makes it.
    fn slide_on(&self, last: &mut Again, w: &SlidingWindow) -> bool {
        let mut reading = self.reading();
        if self.table.slide_again(last, key(1), w, 1, reading.now()) {
            return true;
        }
        let slide = self.table.slide(key(1), w, 1, &mut reading, &mut Unlisted);
        *last = slide.again.unwrap_or(*last);
        slide.allowed
    }

    /// Two charges by one thread; how many were allowed.
    fn slide_twice(&self, mut last: Again, w: &SlidingWindow) -> usize {
        (0..2).filter(|_| self.slide_on(&mut last, w)).count()
    }

    fn reset(&self, w: &SlidingWindow) {
        let now = self.reading().now();
        self.table.remove_segments(key(1), w, now);
    }

    fn refund(&self, w: &SlidingWindow) {
        let now = self.reading().now();
        self.table.refund_segments(key(1), w, 2, now);
    }

    /// Whether all that is charged fits.
    fn fits(&self, w: &SlidingWindow) -> bool {
        let segments = self.table.segments(key(1), w, &mut self.reading());
        w.fits(w.weigh(&segments, self.reading().now()), 0)
    }
}

/// A segment that has been charged once.
fn begun(w: &SlidingWindow) -> [Cell; 4] {
    let mut cells = [Cell::EMPTY; 4];
    cells[place(w, 3_999).first * N] = charged(w, 3_999, 1);
    cells
}

/// At 3,999, after a charge that a thread remembers.
fn remembered(w: &SlidingWindow, cells: [Cell; 4]) -> (Scene, Again) {
    let scene = Scene::new(cells, 3_999);
    let mut last = Again::NONE;
    assert!(scene.slide_on(&mut last, w));
    (scene, last)
}

#[test]
fn two_threads_with_a_memory_count_together_across_a_boundary() {
    explore_with(2, || {
        let w = window(3, 1);
        let scene = Scene::new(begun(&w), 3_999);
        let calls = move |s: &Scene| s.slide_twice(Again::NONE, &w);
        let (a, b) = (scene.spawn(calls), scene.spawn(calls));
        scene.pass(1);
        assert_eq!(a.join().unwrap() + b.join().unwrap(), 2);
        assert!(scene.fits(&w));
    });
}

#[test]
fn a_remembered_charge_counts_with_the_start_of_the_next_segment() {
    explore(|| {
        let w = window(3, 1);
        let (scene, mut last) = remembered(&w, begun(&w));
        let allowed = scene.both(
            |s| s.slide_on(&mut last, &w),
            move |s| {
                s.pass(1);
                s.slide(&w)
            },
        );
        assert_eq!(allowed, 1);
    });
}

/// Two charges by a thread that remembers one, while another gives back and charges.
fn remembered_while(give_back: impl FnOnce(&Scene, &SlidingWindow) + 'static) {
    let w = window(2, 1);
    let (scene, last) = remembered(&w, begun(&w));
    scene.both(
        |s| s.slide_twice(last, &w) > 0,
        move |s| {
            give_back(s, &w);
            s.pass(1);
            s.slide_twice(Again::NONE, &w) > 0
        },
    );
    assert!(scene.fits(&w));
}

#[test]
fn a_remembered_charge_counts_with_what_follows_a_reset() {
    explore(|| remembered_while(Scene::reset));
}

#[test]
fn a_remembered_charge_counts_with_what_follows_a_refund() {
    explore(|| remembered_while(Scene::refund));
}

/// A caller with a reading from before the boundary finds nothing, for what came after it is gone
/// again. It must not start a segment that somebody who remembers knows nothing of.
#[test]
fn no_segment_is_started_behind_a_remembered_one() {
    explore(|| {
        let w = window(2, 1);
        let scene = Scene::new([Cell::EMPTY; 4], 3_999);
        scene.both(
            |s| {
                s.pass(1);
                let mut last = Again::NONE;
                (s.slide(&w), s.slide_on(&mut last, &w));
                s.reset(&w);
                s.slide_twice(last, &w) > 0
            },
            move |s| s.slide(&w),
        );
        assert!(scene.fits(&w));
    });
}

#[test]
fn a_remembered_cell_that_another_key_takes_is_left_alone() {
    explore(|| {
        let w = window(3, 1);
        let mut cells = [Cell::charged(tag(3), 90_000, 1); 4];
        cells[place(&w, 3_999).first * N] = charged(&w, 3_999, 1);
        let (scene, mut last) = remembered(&w, cells);
        scene.both(
            |s| s.slide_on(&mut last, &w),
            move |s| {
                s.allow(2, 1);
                s.slide(&w)
            },
        );
        assert!(scene.confirmed(2).iter().all(|cell| cell.amount() == 1));
        assert!(scene.confirmed(1).len() <= 1);
        assert!(scene.fits(&w));
    });
}

#[test]
fn a_remembered_segment_is_not_charged_when_it_is_over() {
    explore(|| {
        let w = window(3, 1);
        let (scene, last) = remembered(&w, begun(&w));
        scene.pass(1);
        let now = scene.reading().now();
        assert!(!scene.table.slide_again(&last, key(1), &w, 1, now));
    });
}

/// A coarse reading lies behind an exact one: then, the older segments weighed more.
#[test]
fn an_earlier_reading_does_not_go_by_what_weighed_later() {
    explore(|| {
        let w = window(4, 1);
        let mut cells = [Cell::EMPTY; 4];
        cells[place(&w, 3_999).first * N] = charged(&w, 3_999, 2).closed();
        cells[place(&w, 4_500).first * N + 1] = charged(&w, 4_500, 1);
        let scene = Scene::new(cells, 4_500);
        let mut last = Again::NONE;
        assert!(scene.slide_on(&mut last, &w));
        assert!(!scene.at(4_000).slide_on(&mut last, &w));
    });
}
