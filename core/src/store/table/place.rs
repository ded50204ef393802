//! Where a key's cells may be: in one of a few sets of cells, chosen by its hash.

use super::cell::Tag;

/// The hash of a key under a limiter.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct KeyHash {
    pub tag: u64,
    pub place: u64,
}

/// Sets of cells, and the line to begin at in each.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Place {
    pub tag: Tag,
    /// The set to prefer.
    pub first: usize,
    /// The line to begin at, modulo the number of lines in a set.
    pub start: usize,
    /// How many sets there are.
    pub choices: usize,
    /// From one of them to the next.
    step: usize,
    /// Sets of the table.
    sets: usize,
}

impl Place {
    /// The set after `set` in the order of preference.
    #[inline]
    pub(crate) fn next(&self, set: usize) -> usize {
        let next = set + self.step;
        if next >= self.sets {
            next - self.sets
        } else {
            next
        }
    }
}

/// A number below `n`, from 32 bits.
#[inline]
fn scale(part: u64, n: usize) -> usize {
    ((part * n as u64) >> 32) as usize
}

impl KeyHash {
    /// The key's place: `choices` of `sets` sets, or all if there are no more; both at least two.
    #[inline(always)]
    pub(crate) fn place(self, sets: usize, choices: usize) -> Place {
        // As many steps as there are choices stay short of the whole circle: no set comes twice.
        // Divisions by constants: others would take longer than all the rest.
        let (choices, steps) = match choices {
            2 => (2, sets - 1),
            3 if sets > 2 => (3, (sets - 1) / 2),
            4 if sets > 3 => (4, (sets - 1) / 3),
            5 if sets > 4 => (5, (sets - 1) / 4),
            _ => (choices.min(sets), 1),
        };
        Place {
            tag: Tag::from_hash(self.tag),
            first: scale(self.place >> 32, sets),
            start: self.tag as usize,
            choices,
            step: 1 + scale(self.place & 0xFFFF_FFFF, steps),
            sets,
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
fn mix(mut h: u64) -> u64 {
    h = (h ^ h >> 33).wrapping_mul(0xFF51_AFD7_ED55_8CCD);
    h = (h ^ h >> 33).wrapping_mul(0xC4CE_B9FE_1A85_EC53);
    h ^ h >> 33
}
