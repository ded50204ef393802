//! Where state is kept: in this process, or in a segment that many processes share.

mod arena;
mod mapping;
mod segment;
mod table;

pub use segment::{Segment, SegmentOptions};
pub(crate) use table::{Again, KeyHash, Segments, Step, Tag, Unlisted};

use crate::clock::{Clock, Reading, Source};
use crate::error::{ArgumentError, Error};
use crate::hash::Seed;
use arena::{Arena, CELLS_AT, SET_BYTES};
use mapping::Mapping;
use std::sync::Arc;
use table::{Table, WAYS, Wide};

/// The table of a local store.
pub(crate) type LocalTable = Table<Arena>;

/// Cells beyond which a 64-bit hash would confuse two keys with a chance above 2⁻⁴⁰ per call.
const WIDE_FROM: usize = 1 << 23;
/// Keys that a store in this process has room for at most.
const MAX_KEYS: usize = 1 << 31;

/// A place for state; a cheap handle, to be cloned freely.
#[derive(Clone)]
pub struct Store {
    pub(crate) local: Arc<Local>,
    namespace: Arc<[u8]>,
}

/// A table with its clock and its secret.
pub(crate) struct Local {
    pub table: LocalTable,
    pub source: Source,
    pub seed: Seed,
    bytes: u64,
}

/// What a store holds and has done.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct Stats {
    /// Memory, in bytes.
    pub bytes: u64,
    /// Cells. A key takes one; under a sliding window, one for each segment that has counts.
    pub capacity: u64,
    /// Cells in use.
    pub live: u64,
    /// Cells that were given up while in use, because the store was full.
    pub given_up: u64,
    /// Decisions that allowed.
    pub allowed: u64,
    /// Decisions that refused.
    pub refused: u64,
}

impl Store {
    /// A store in the memory of this process, with room for `max_keys` keys (1 to 2³¹) of one
    /// cell each: 24 bytes a key. A sliding window takes a cell for each segment that has counts.
    ///
    /// When the store is full, a new key replaces the one that is closest to fresh.
    ///
    /// # Errors
    /// [`Error::Argument`] if `max_keys` is out of range, [`Error::Segment`] if there is not
    /// enough memory.
    pub fn memory(max_keys: usize) -> Result<Store, Error> {
        Self::in_process(max_keys, Source::System)
    }

    /// Like [`Store::memory`], on a clock for tests.
    ///
    /// # Errors
    /// As [`Store::memory`].
    pub fn memory_with_clock(max_keys: usize, clock: Arc<dyn Clock>) -> Result<Store, Error> {
        Self::in_process(max_keys, Source::Given(clock))
    }

    /// A store in memory that many processes share.
    pub fn shared(segment: &Segment) -> Store {
        segment.store(Source::System)
    }

    /// Like [`Store::shared`], on a clock for tests. Its state lies apart from that of the
    /// system's clock, in a part of the segment that is set aside for this.
    pub fn shared_with_clock(segment: &Segment, clock: Arc<dyn Clock>) -> Store {
        segment.store(Source::Given(clock))
    }

    /// The same store under another name: limiters of different namespaces never share state.
    #[must_use]
    pub fn in_namespace(&self, namespace: &[u8]) -> Store {
        Store {
            local: Arc::clone(&self.local),
            namespace: namespace.into(),
        }
    }

    /// What the store holds. Reads all of its memory: milliseconds, not for the hot path.
    pub fn stats(&self) -> Stats {
        let local = &self.local;
        let (capacity, live) = local.table.count(Reading::exact(&local.source).now());
        let totals = local.table.totals();
        Stats {
            bytes: local.bytes,
            capacity,
            live,
            given_up: totals.given_up,
            allowed: totals.allowed,
            refused: totals.refused,
        }
    }

    pub(crate) fn namespace(&self) -> &[u8] {
        &self.namespace
    }

    /// Whether both are handles to the same state.
    pub(crate) fn is(&self, other: &Store) -> bool {
        self.local.table.is(&other.local.table)
    }

    fn in_process(max_keys: usize, source: Source) -> Result<Store, Error> {
        if !(1..=MAX_KEYS).contains(&max_keys) {
            return Err(ArgumentError::new("max_keys", max_keys, "1 to 2,147,483,648").into());
        }
        let fail = |e: &dyn std::fmt::Display| Error::segment(None, e);
        if !Wide::is_supported() {
            return Err(fail(&NO_ATOMICS));
        }
        let sets = (max_keys + max_keys / 2).div_ceil(WAYS).max(2);
        let mapping = Mapping::private(CELLS_AT + sets * SET_BYTES).map_err(|e| fail(&e))?;
        let keys = random_keys().map_err(|e| fail(&e))?;
        Ok(Self::over(&Arc::new(mapping), 0, 0..sets, keys, source))
    }

    /// A store over the given sets of a mapping.
    fn over(
        mapping: &Arc<Mapping>,
        table: usize,
        sets: std::ops::Range<usize>,
        keys: [u64; 2],
        source: Source,
    ) -> Store {
        let bytes = mapping.len() as u64;
        let wide = sets.len() * WAYS > WIDE_FROM;
        let memory = Arena::new(mapping, table, sets.start, sets.len());
        let table = Table { memory };
        table.start(Reading::exact(&source).now());
        Store {
            local: Arc::new(Local {
                table,
                source,
                seed: Seed::new(keys, wide),
                bytes,
            }),
            namespace: Arc::from([]),
        }
    }
}

impl std::fmt::Debug for Store {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Store")
            .field("bytes", &self.local.bytes)
            .finish_non_exhaustive()
    }
}

pub(crate) const NO_ATOMICS: &str = "this CPU cannot replace 16 bytes at once (no cmpxchg16b)";

fn random_keys() -> Result<[u64; 2], getrandom::Error> {
    Ok([getrandom::u64()?, getrandom::u64()?])
}
