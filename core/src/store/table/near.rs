//! Where a thread found a key's cell: when it comes for the same key again, it looks there first.

use super::{At, KeyHash, Memory, Table};

/// The key that a thread came for last, and its cell.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Near {
    /// Where the table is; another one there has another secret, and so other hashes.
    table: usize,
    hash: KeyHash,
    at: Option<At>,
}

impl Near {
    /// Nothing is known.
    pub(crate) const NONE: Near = Near {
        table: 0,
        hash: KeyHash { tag: 0, place: 0 },
        at: None,
    };
}

impl<M: Memory<N>, const N: usize> Table<M, N> {
    /// Where the key's cell was, if that is known.
    #[inline(always)]
    pub(crate) fn recall(&self, near: &Near, hash: KeyHash) -> Option<At> {
        near.at
            .filter(|_| near.table == self.address() && near.hash == hash)
    }

    /// What [`recall`](Table::recall) finds it by.
    #[inline]
    pub(crate) fn remember(&self, hash: KeyHash, at: Option<At>) -> Near {
        Near {
            table: self.address(),
            hash,
            at,
        }
    }

    fn address(&self) -> usize {
        self.memory.sets().as_ptr().addr()
    }
}
