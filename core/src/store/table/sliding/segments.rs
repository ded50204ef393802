//! Where a window's segments are, and how they are read.

use crate::algorithm::{Segment, Weight};
use crate::policy::SlidingWindow;
use crate::store::table::cell::Cell;
use crate::store::table::{At, KeyHash, Memory, Place, Table};
use arrayvec::ArrayVec;
use std::ops::RangeInclusive;

/// Segments that may weigh at once: 60, the one before them, and one ahead of a clock that
/// stepped back.
const MOST: usize = 62;

/// How a key's segments are spread over the table.
///
/// Neighbours share a place, so that a look finds them together. But they crowd it, so there have
/// to be more sets to choose from: with these numbers a table that is in steady use, two thirds
/// full, gives up no cell in ten thousand, and at 80 % one in a thousand (`make bench` measures
/// it); and a look compares so few cells that a foreign one passes for the key's with a chance of
/// about 2⁻³⁹.
#[derive(Clone, Copy)]
pub(super) struct Spread {
    /// Segments that share a place, as a power of two.
    group: u32,
    /// Sets that a place has.
    choices: usize,
}

impl Spread {
    #[inline(always)]
    fn of(w: &SlidingWindow) -> Spread {
        let (group, choices) = match w.segments {
            ..=15 => (4, 3),
            16..=30 => (3, 4),
            _ => (3, 5),
        };
        Spread { group, choices }
    }
}

pub(crate) type Segments = ArrayVec<Segment, MOST>;

/// What becomes of the segments that a decision was made on.
pub(crate) trait Collect: Default + From<Segments> {
    fn add(&mut self, segment: Segment);
}

/// They are reported.
impl Collect for Segments {
    fn add(&mut self, segment: Segment) {
        if !self.is_full() {
            self.push(segment);
        }
    }
}

/// Nobody asks for them.
#[derive(Default)]
pub(crate) struct Unlisted;

impl From<Segments> for Unlisted {
    fn from(_: Segments) -> Self {
        Unlisted
    }
}

impl Collect for Unlisted {
    #[inline(always)]
    fn add(&mut self, _: Segment) {}
}

/// One of the key's cells.
#[derive(Clone, Copy)]
pub(super) struct Own {
    pub at: At,
    pub cell: Cell,
    pub until: u64,
}

/// What a look over the segments but the current one found.
pub(super) struct Look {
    pub weight: Weight,
    /// When the newest of them stops weighing; 0 if there is none.
    pub newest: u64,
}

impl<M: Memory<N>, const N: usize> Table<M, N> {
    /// The place of the segment's group. The window is part of the hash, so that any numbering of
    /// its segments will do; they are numbered by when they stop weighing.
    #[inline(always)]
    pub(super) fn group_place(&self, hash: KeyHash, w: &SlidingWindow, number: u64) -> Place {
        let spread = Spread::of(w);
        let sets = self.memory.sets().len();
        hash.group(number >> spread.group)
            .place(sets, spread.choices)
    }

    /// The confirmed cell of one segment.
    #[inline(always)]
    pub(super) fn segment(&self, hash: KeyHash, w: &SlidingWindow, number: u64) -> Option<Own> {
        let place = self.group_place(hash, w, number);
        let until = number * w.segment_us;
        let wanted = Cell::charged(place.tag, until, 0);
        self.find_all(&place, |at, cell| {
            (cell.matches(wanted) && !cell.is_pending()).then_some(Own { at, cell, until })
        })
    }

    /// Shows the cells of the key's segments of these numbers that weigh after `after`, pending
    /// ones included, to `visit`, until that returns something.
    #[inline(always)]
    pub(super) fn look_at_all<R>(
        &self,
        hash: KeyHash,
        w: &SlidingWindow,
        after: u64,
        numbers: RangeInclusive<u64>,
        mut visit: impl FnMut(Own) -> Option<R>,
    ) -> Option<R> {
        let Spread { group, .. } = Spread::of(w);
        let last = numbers.end() * w.segment_us;
        for begin in (numbers.start() >> group..=numbers.end() >> group).map(|g| g << group) {
            let place = self.group_place(hash, w, begin);
            let begin = begin * w.segment_us;
            let found = self.find_all(&place, |at, cell| {
                let until = after + cell.until().left(after);
                let in_group = until >= begin && until - begin < w.segment_us << group;
                if in_group && until > after && until <= last {
                    visit(Own { at, cell, until })
                } else {
                    None
                }
            });
            if found.is_some() {
                return found;
            }
        }
        None
    }

    /// The confirmed cells of the key's segments, in no order.
    pub(super) fn owned(&self, hash: KeyHash, w: &SlidingWindow, now: u64) -> ArrayVec<Own, MOST> {
        let mut owned = ArrayVec::new();
        self.look_at_all(
            hash,
            w,
            now,
            weighing(w, w.number(now)),
            |own| -> Option<()> {
                if !own.cell.is_pending() && !owned.is_full() {
                    owned.push(own);
                }
                None
            },
        );
        owned
    }

    /// Looks over the segments but the current one, which weighs until `until`. `number` is that
    /// of the segment that the clock stands in.
    #[inline(always)]
    pub(super) fn look<L: Collect>(
        &self,
        hash: KeyHash,
        w: &SlidingWindow,
        at: u64,
        number: u64,
        until: u64,
        list: &mut L,
    ) -> Look {
        let mut look = Look {
            weight: Weight::NONE,
            newest: 0,
        };
        self.look_at_all(hash, w, at, weighing(w, number), |own| -> Option<()> {
            if own.until == until || own.cell.is_pending() {
                return None;
            }
            look.newest = look.newest.max(own.until);
            look.weight.add(w, segment(own), at);
            list.add(segment(own));
            None
        });
        look
    }
}

/// The segments that weigh while `number` is the current one, and the one ahead.
#[inline(always)]
pub(super) fn weighing(w: &SlidingWindow, number: u64) -> RangeInclusive<u64> {
    number - u64::from(w.segments)..=number + 1
}

pub(super) fn segment(own: Own) -> Segment {
    Segment {
        until: own.until,
        count: own.cell.amount(),
    }
}
