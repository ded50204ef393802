//! The same key again, in the same segment, from the same thread: one cell is all there is to
//! read.
//!
//! What the older segments weighed at an earlier charge is at least what they weigh now: none of
//! them is ever charged again, none is started any more, and none gains weight as time passes. So
//! a charge that fits on top of that fits. One that does not is decided the long way. Not for
//! clocks that may step back, nor for segments so short that they may be started late.

use crate::algorithm::{Segment, Weight};
use crate::policy::SlidingWindow;
use crate::store::table::cell::Cell;
use crate::store::table::{At, Atom, KeyHash, Memory, Table, Tag};

/// What a charge leaves for the next one.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Again {
    /// Its table: another one has another secret, and so other hashes.
    table: usize,
    hash: KeyHash,
    /// Its cell.
    at: Option<At>,
    /// When its segment stops weighing.
    until: u64,
    /// When the older segments weighed so much.
    now: u64,
    older: Weight,
}

impl Again {
    /// Nothing to go by.
    pub(crate) const NONE: Again = Again {
        table: 0,
        hash: KeyHash { tag: 0, place: 0 },
        at: None,
        until: 0,
        now: 0,
        older: Weight::NONE,
    };
}

impl<M: Memory<N>, const N: usize> Table<M, N> {
    /// Charges `cost` on the strength of an earlier charge. `false`: that has to be decided by
    /// `slide`.
    #[inline(always)]
    pub(crate) fn slide_again(
        &self,
        again: &Again,
        hash: KeyHash,
        w: &SlidingWindow,
        cost: u64,
        now: u64,
    ) -> bool {
        let known = again.table == self.address() && again.hash == hash;
        let Some(at) = again.at.filter(|_| known) else {
            return false;
        };
        let end = again.until.wrapping_sub(w.life_us() - w.segment_us);
        if now < again.now || now >= end {
            return false;
        }
        let cell = self.atom(at).load();
        let wanted = Cell::charged(Tag::from_hash(hash.tag), again.until, 0);
        if !cell.matches(wanted) || !cell.is_plain() {
            return false;
        }
        let count = cell.amount();
        let mut weight = again.older;
        let segment = Segment {
            until: again.until,
            count,
        };
        weight.add(w, segment, now);
        w.fits(weight, cost) && self.swap(at, cell, cell.with_amount(count + cost as u32))
    }

    /// What the next charge of this segment may go by.
    pub(super) fn again(
        &self,
        hash: KeyHash,
        at: At,
        until: u64,
        now: u64,
        older: Weight,
    ) -> Again {
        Again {
            table: self.address(),
            hash,
            at: Some(at),
            until,
            now,
            older,
        }
    }

    fn address(&self) -> usize {
        self.memory.sets().as_ptr().addr()
    }
}
