//! Where a key's cells may be: one of two sets of cells, chosen by its hash.

use super::cell::Tag;

/// The hash of a key under a limiter.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct KeyHash {
    pub tag: u64,
    pub place: u64,
}

/// Two sets and where to begin in them.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Place {
    pub tag: Tag,
    pub first: usize,
    pub second: usize,
    pub start: usize,
}

impl KeyHash {
    /// The key's place among `sets` (at least two) sets.
    #[inline]
    pub(crate) fn place(self, sets: usize) -> Place {
        let scale = |part: u64, n: usize| (part * n as u64 >> 32) as usize;
        let first = scale(self.place >> 32, sets);
        let second = first + 1 + scale(self.place & 0xFFFF_FFFF, sets - 1);
        Place {
            tag: Tag::from_hash(self.tag),
            first,
            second: if second >= sets {
                second - sets
            } else {
                second
            },
            start: self.tag as usize,
        }
    }

    /// The tag that the key's cells have, for tests.
    #[cfg(feature = "test-hooks")]
    pub(crate) fn cell_tag(self) -> u64 {
        super::cell::Cell::charged(Tag::from_hash(self.tag), 0, 0).tag()
    }

    /// The hash that places one group of a sliding window's segments.
    #[inline]
    pub(crate) fn group(self, group: u64) -> KeyHash {
        let salted = self.place ^ group.wrapping_mul(0x9E37_79B9_7F4A_7C15);
        KeyHash {
            tag: self.tag,
            place: mix(salted),
        }
    }
}

/// MurmurHash3's 64-bit finaliser: a bijection in which every bit depends on every other.
#[inline]
pub(crate) fn mix(mut h: u64) -> u64 {
    h = (h ^ h >> 33).wrapping_mul(0xFF51_AFD7_ED55_8CCD);
    h = (h ^ h >> 33).wrapping_mul(0xC4CE_B9FE_1A85_EC53);
    h ^ h >> 33
}
