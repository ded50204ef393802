//! A charge that is taken back while the key is reset and charged anew.

use super::sliding::window;
use super::{Scene, explore, key, single::fixed, tag};
use crate::algorithm::{Change, Charged, SingleState};
use crate::store::table::{Cell, Step, Unlisted};

/// Charges two units of a fixed window and takes them back.
fn charge_and_take_back(s: &Scene) {
    let algorithm = fixed(5, 100_000);
    let place = s.table.place(key(1));
    let lowered = s.table.lowered(tag(1));
    let charged = s.table.update(&place, &mut s.reading(), |state, reading| {
        match algorithm.admit(state, reading.now(), 2) {
            Some(after) => {
                let opened = state.is_none();
                let charged = Charged {
                    state: after,
                    opened,
                };
                Step::Done(Change::Put(after), Some(charged))
            }
            None => Step::Done(Change::Keep, None),
        }
    });
    let Some(charged) = charged else { return };
    s.table
        .take_back(key(1), lowered, &mut s.reading(), |state, now| {
            algorithm.take_back(state, now, 2, charged)
        });
}

fn amounts(s: &Scene) -> u32 {
    s.confirmed(1).iter().map(|cell| cell.amount()).sum()
}

#[test]
fn a_charge_after_a_reset_is_not_taken_back_by_another() {
    explore(|| {
        // Charged before, so that no clock tells the window after the reset from this one.
        let live = Cell::charged(tag(1), 101_000, 1);
        let scene = Scene::new([live, Cell::EMPTY, Cell::EMPTY, Cell::EMPTY], 1_000);
        let other = scene.spawn(|s| {
            s.table.remove(key(1));
            (0..2).filter(|_| s.allow(1, 5)).count()
        });
        charge_and_take_back(&scene);
        let after = other.join().unwrap();
        assert!(amounts(&scene) as usize >= after);
    });
}

#[test]
fn a_charge_after_a_reset_of_a_sliding_window_is_not_taken_back_by_another() {
    explore(|| {
        let w = window(5, 3);
        let scene = Scene::new([Cell::EMPTY; 4], 4_000);
        let other = scene.spawn(move |s| {
            s.table.remove_segments(key(1), &w, 4_000);
            usize::from(s.slide(&w)) + usize::from(s.slide(&w))
        });
        let lowered = scene.table.lowered(tag(1));
        let slide = scene
            .table
            .slide(key(1), &w, 2, &mut scene.reading(), &mut Unlisted);
        if slide.allowed {
            scene
                .table
                .take_back_segment(key(1), &w, slide.charged, 2, lowered);
        }
        let after = other.join().unwrap();
        assert!(amounts(&scene) as usize >= after);
    });
}

#[test]
fn with_nobody_else_all_is_taken_back() {
    explore(|| {
        let scene = Scene::new([Cell::EMPTY; 4], 4_000);
        charge_and_take_back(&scene);
        assert_eq!(amounts(&scene), 0);
        assert!(scene.confirmed(1).is_empty());
    });
}
