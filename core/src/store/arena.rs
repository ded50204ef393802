//! How a store's memory is laid out: a header, the counters, the cells.

use super::mapping::{Mapping, Shared};
use super::table::{Memory, SHARDS, Set, Shard, Tally, WAYS, Wide};
use std::sync::Arc;
use std::sync::atomic::AtomicU64;

/// Where the counters begin; before them is the header, for [`Segment`](super::Segment) to fill.
pub(super) const SHARDS_AT: usize = 4096;
/// Where the cells begin.
pub(super) const CELLS_AT: usize = SHARDS_AT + SHARDS * size_of::<Shard>();
/// Bytes of a set of cells.
pub(super) const SET_BYTES: usize = size_of::<Set<Wide, WAYS>>();
/// Where the header keeps each table's time of the last sweep, on lines of their own.
const SWEPT_AT: [usize; 2] = [2048, 2048 + 64];

// SAFETY: counters are atomics, of any value.
unsafe impl Shared for Shard {}
// SAFETY: a cell is words in an `UnsafeCell`, and any bits are a cell.
unsafe impl Shared for Set<Wide, WAYS> {}
// SAFETY: an atomic.
unsafe impl Shared for AtomicU64 {}

/// The part of a mapping that one table uses.
pub(crate) struct Arena {
    mapping: Arc<Mapping>,
    first_set: usize,
    sets: usize,
    swept_at: usize,
    tally: Tally<Shards>,
}

/// The counters in a mapping.
pub(crate) struct Shards(Arc<Mapping>);

impl AsRef<[Shard]> for Shards {
    #[inline]
    fn as_ref(&self) -> &[Shard] {
        self.0.slice(SHARDS_AT, SHARDS)
    }
}

impl Arena {
    /// The sets from `first_set` to `first_set + sets`, for the first or second table.
    pub(crate) fn new(mapping: &Arc<Mapping>, table: usize, first_set: usize, sets: usize) -> Arena {
        Arena {
            mapping: Arc::clone(mapping),
            first_set,
            sets,
            swept_at: SWEPT_AT[table],
            tally: Tally::new(Shards(Arc::clone(mapping))),
        }
    }
}

impl Memory<WAYS> for Arena {
    type Atom = Wide;
    type Shards = Shards;

    #[inline]
    fn sets(&self) -> &[Set<Wide, WAYS>] {
        self.mapping.slice(CELLS_AT + self.first_set * SET_BYTES, self.sets)
    }

    #[inline]
    fn swept(&self) -> &AtomicU64 {
        &self.mapping.slice(self.swept_at, 1)[0]
    }

    fn tally(&self) -> &Tally<Shards> {
        &self.tally
    }
}
