//! Whether a key's charges may have been lowered by somebody else: a reset, a refund, a newcomer
//! that took the key's cell. Whoever takes back a charge of its own must know, or it would take
//! what others have charged since.
//!
//! Who lowers raises a counter, which some keys share, between the reading of the cell and its
//! swap. That swap finds only charges that were there before the raise. So the counter is read
//! before a charge; and to take it back, the cell is marked, then the counter is read again: if it
//! has not moved, the charge is still in the marked cell. Every charge takes the mark away, so a
//! cell that was lowered and charged to the same amount after that is another one. If another
//! key's reset has moved the counter, a charge stays that could have been taken back.
//!
//! What this does not see takes three at once: between the last reading of the counter and the
//! swap, a reset, charges to the same amount again, and another caller that marks it. Or a reset
//! that, between reading and swap, misses a charge and the taking back of an equal one by another,
//! from a cell that was marked before.

use super::atom::Atom;
use super::cell::Cell;
use super::{At, Memory, Table, Tag};

#[cfg(loom)]
pub(crate) use loom::sync::atomic::AtomicU32 as Raised;
#[cfg(not(loom))]
pub(crate) use std::sync::atomic::AtomicU32 as Raised;
use std::sync::atomic::Ordering::{AcqRel, Acquire};

/// Counters of a table.
pub(crate) const LOWERED: usize = 64;

impl<M: Memory<N>, const N: usize> Table<M, N> {
    /// To be read before a charge that may be taken back, and again when its cell is marked.
    pub(crate) fn lowered(&self, tag: Tag) -> u32 {
        self.counter(tag).load(Acquire)
    }

    /// To be called when a cell has been read, before it is lowered.
    pub(crate) fn lower_soon(&self, tag: Tag) {
        self.counter(tag).fetch_add(1, AcqRel);
    }

    /// The same for a cell that a newcomer takes.
    pub(super) fn take_soon(&self, cell: Cell) {
        self.lower_soon(Tag::from_hash(cell.low));
    }

    /// Marks a cell. `None`: it has changed.
    pub(super) fn mark(&self, at: At, cell: Cell) -> Option<Cell> {
        let marked = cell.marked();
        (cell.is_marked() || self.atom(at).swap(cell, marked)).then_some(marked)
    }

    fn counter(&self, tag: Tag) -> &Raised {
        let counters = self.memory.lowered();
        &counters[tag.number() as usize % counters.len()]
    }
}
