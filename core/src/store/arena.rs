//! How a store's memory is laid out: a header, the counters, the cells.

use super::mapping::{Mapping, Part, Shared};
use super::table::{LOWERED, Memory, Raised, SHARDS, Shard, Tally, WAYS, Wide};
use std::sync::Arc;
use std::sync::atomic::AtomicU64;

/// Where the counters begin; before them is the header, for [`Segment`](super::Segment) to fill.
pub(super) const SHARDS_AT: usize = 4096;
/// Where the cells begin.
pub(super) const CELLS_AT: usize = SHARDS_AT + SHARDS * size_of::<Shard>();
/// Bytes of a set of cells.
pub(super) const SET_BYTES: usize = size_of::<[Wide; WAYS]>();
// A set begins with a cache line.
const _: () = assert!(CELLS_AT.is_multiple_of(SET_BYTES));
/// Where the header keeps each table's time of the last sweep, on lines of their own.
const SWEPT_AT: [usize; 2] = [2048, 2048 + 64];
/// Where it keeps each table's counters of what lowers charges.
const LOWERED_AT: [usize; 2] = [2304, 2304 + LOWERED * size_of::<Raised>()];

// SAFETY: counters are atomics, of any value.
unsafe impl Shared for Shard {}
// SAFETY: a cell is words in an `UnsafeCell`, and any bits are a cell.
unsafe impl Shared for [Wide; WAYS] {}
// SAFETY: an atomic.
unsafe impl Shared for AtomicU64 {}
// SAFETY: an atomic.
unsafe impl Shared for Raised {}

/// The part of a mapping that one table uses.
pub(crate) struct Arena {
    sets: Part<[Wide; WAYS]>,
    swept: Part<AtomicU64>,
    lowered: Part<Raised>,
    tally: Tally<Part<Shard>>,
}

impl Arena {
    /// The sets from `first_set` to `first_set + sets`, for the first or second table.
    pub(crate) fn new(
        mapping: &Arc<Mapping>,
        table: usize,
        first_set: usize,
        sets: usize,
    ) -> Arena {
        Arena {
            sets: Part::new(mapping, CELLS_AT + first_set * SET_BYTES, sets),
            swept: Part::new(mapping, SWEPT_AT[table], 1),
            lowered: Part::new(mapping, LOWERED_AT[table], LOWERED),
            tally: Tally::new(Part::new(mapping, SHARDS_AT, SHARDS)),
        }
    }
}

impl Memory<WAYS> for Arena {
    type Atom = Wide;
    type Shards = Part<Shard>;

    #[inline]
    fn sets(&self) -> &[[Wide; WAYS]] {
        self.sets.as_ref()
    }

    #[inline]
    fn swept(&self) -> &AtomicU64 {
        &self.swept.as_ref()[0]
    }

    fn lowered(&self) -> &[Raised] {
        self.lowered.as_ref()
    }

    fn tally(&self) -> &Tally<Part<Shard>> {
        &self.tally
    }
}
