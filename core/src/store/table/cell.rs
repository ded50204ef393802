//! One cell: whose, until when, how much. Sixteen bytes, read and replaced whole.
//!
//! ```text
//! low word:  tag 45 | marked 1 | closed 1 | pending 1 | until, high 16
//! high word: until, low 32 | amount 32
//! ```
//!
//! `until` is microseconds modulo 2⁴⁸, so that a table has no end of time; see [`Ring`].

use crate::algorithm::State;

/// Bits of the low word below the tag.
const TAG_SHIFT: u32 = 19;
const MARKED: u64 = 1 << 18;
const CLOSED: u64 = 1 << 17;
const PENDING: u64 = 1 << 16;
const UNTIL_HIGH: u64 = 0xFFFF;

/// The tag of a key: 45 bits of its hash, in place, never zero.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Tag(u64);

impl Tag {
    /// One that no key has.
    pub(crate) const NONE: Tag = Tag(0);

    pub(crate) fn from_hash(hash: u64) -> Tag {
        let tag = hash >> TAG_SHIFT << TAG_SHIFT;
        Tag(if tag == 0 { 1 << TAG_SHIFT } else { tag })
    }

    pub(crate) fn number(self) -> u64 {
        self.0 >> TAG_SHIFT
    }

    /// The upper 32 bits, as they stand in a cell.
    #[cfg(all(target_arch = "x86_64", not(loom)))]
    #[inline]
    pub(crate) fn high(self) -> u32 {
        (self.0 >> 32) as u32
    }
}

/// Microseconds modulo 2⁴⁸.
///
/// Debts reach at most five years ahead, and a table sheds ended cells before they are
/// [`STALE`] old, so of the ring's 8.9 years the last [`STALE`] are past and the rest future.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Ring(u64);

/// 407 days in microseconds.
pub(crate) const STALE: u64 = 1 << 45;
const MASK: u64 = (1 << 48) - 1;

impl Ring {
    pub(crate) fn new(micros: u64) -> Ring {
        Ring(micros & MASK)
    }

    /// How far this moment lies ahead of `now`; 0 if it does not.
    #[inline]
    pub(crate) fn left(self, now: u64) -> u64 {
        let distance = self.0.wrapping_sub(now) & MASK;
        if distance <= MASK - STALE {
            distance
        } else {
            0
        }
    }

    /// How long ago this moment was, if it has passed.
    pub(crate) fn passed(self, now: u64) -> u64 {
        now.wrapping_sub(self.0) & MASK
    }

    /// The distance from `earlier` to this moment.
    pub(crate) fn since(self, earlier: u64) -> u64 {
        self.0.wrapping_sub(earlier) & MASK
    }
}

/// What a cell holds. All zero is a cell that nobody uses.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Cell {
    pub low: u64,
    pub high: u64,
}

impl Cell {
    pub(crate) const EMPTY: Cell = Cell { low: 0, high: 0 };

    /// A claim that carries no charge yet; the nonce makes each claim different from all others.
    pub(crate) fn claim(tag: Tag, until: u64, nonce: u32) -> Cell {
        let mut cell = Cell::charged(tag, until, nonce);
        cell.low |= PENDING;
        cell
    }

    pub(crate) fn charged(tag: Tag, until: u64, amount: u32) -> Cell {
        let until = Ring::new(until).0;
        Cell {
            low: tag.0 | until >> 32,
            high: until << 32 | u64::from(amount),
        }
    }

    /// The tag as a number, for tests.
    #[cfg(feature = "test-hooks")]
    pub(crate) fn tag(self) -> u64 {
        Tag::from_hash(self.low).number()
    }

    #[inline]
    pub(crate) fn has(self, tag: Tag) -> bool {
        self.low >> TAG_SHIFT == tag.0 >> TAG_SHIFT
    }

    /// Whether both have the same tag and end.
    #[inline]
    pub(crate) fn matches(self, other: Cell) -> bool {
        (self.low ^ other.low) & !(MARKED | CLOSED | PENDING) == 0
            && self.high >> 32 == other.high >> 32
    }

    /// Whether it is the key's and carries its charges.
    #[inline(always)]
    pub(crate) fn is_confirmed(self, tag: Tag) -> bool {
        (self.low ^ tag.0) & !(MARKED | CLOSED | UNTIL_HIGH) == 0
    }

    #[inline]
    pub(crate) fn is_pending(self) -> bool {
        self.low & PENDING != 0
    }

    /// Whether a newer segment of the same key has been started; see the sliding window.
    pub(crate) fn is_closed(self) -> bool {
        self.low & CLOSED != 0
    }

    pub(crate) fn closed(self) -> Cell {
        Cell {
            low: self.low | CLOSED,
            high: self.high,
        }
    }

    /// Whether a charge is about to be taken back from it; any charge undoes the mark.
    pub(crate) fn is_marked(self) -> bool {
        self.low & MARKED != 0
    }

    pub(crate) fn marked(self) -> Cell {
        Cell {
            low: self.low | MARKED,
            high: self.high,
        }
    }

    /// Confirmed, and neither closed nor marked.
    #[inline]
    pub(crate) fn is_plain(self) -> bool {
        self.low & (MARKED | CLOSED | PENDING) == 0
    }

    /// Neither closed nor marked any more, with another amount.
    pub(crate) fn reopened(self, amount: u32) -> Cell {
        Cell {
            low: self.low & !(MARKED | CLOSED),
            ..self.with_amount(amount)
        }
    }

    pub(crate) fn with_amount(self, amount: u32) -> Cell {
        Cell {
            low: self.low,
            high: self.high & !u64::from(u32::MAX) | u64::from(amount),
        }
    }

    #[inline]
    pub(crate) fn until(self) -> Ring {
        Ring((self.low & UNTIL_HIGH) << 32 | self.high >> 32)
    }

    #[inline]
    pub(crate) fn amount(self) -> u32 {
        self.high as u32
    }

    /// Its state, which has ended if its `until` is `now`.
    #[inline(always)]
    pub(crate) fn state(self, now: u64) -> State {
        State {
            until: now + self.until().left(now),
            amount: self.amount(),
        }
    }

    /// Free to take: nobody's, or its time is over.
    #[inline]
    pub(crate) fn is_free(self, now: u64) -> bool {
        self == Cell::EMPTY || self.until().left(now) == 0
    }
}
