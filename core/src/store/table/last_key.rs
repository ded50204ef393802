//! The key that a thread came for last: when it comes for it again, neither its hash nor its place
//! has to be worked out, and its counters are known, too.

use super::cell;
use super::single::{charged, stand_back};
use super::{At, Atom, KeyHash, Memory, Table, Tag};
use crate::algorithm::State;
use std::cell::Cell;

/// A tweak that no limiter has.
const NO_LIMITER: u64 = u64::MAX;

thread_local! {
    static LAST: Last = const { Last::nothing() };
}

/// Where a thread found the key that it came for last.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct LastCell {
    pub at: At,
    pub tag: Tag,
    /// The thread's own shard of the counters.
    pub shard: usize,
}

/// That cell, as it was read.
pub(crate) struct Seen<'a, A> {
    atom: &'a A,
    cell: cell::Cell,
    of: LastCell,
}

impl<A> Seen<'_, A> {
    /// Its state, which has ended if its `until` is `now`.
    #[inline(always)]
    pub(crate) fn state(&self, now: u64) -> State {
        self.cell.state(now)
    }
}

/// A key of a limiter, and what was found for it.
struct Last {
    /// The limiter's tweak. It tells the table as well, being drawn from that one's secret. Only a
    /// segment's two tables have the same: there, too, a cell with the key's tag is the key's, and
    /// the counters are the same.
    tweak: Cell<u64>,
    length: Cell<usize>,
    words: [Cell<u64>; 4],
    at: Cell<At>,
    tag: Cell<Tag>,
    shard: Cell<usize>,
}

impl Last {
    const fn nothing() -> Last {
        Last {
            tweak: Cell::new(NO_LIMITER),
            length: Cell::new(0),
            words: [const { Cell::new(0) }; 4],
            at: Cell::new(At(0)),
            tag: Cell::new(Tag::NONE),
            shard: Cell::new(0),
        }
    }

    /// Word by word: as a whole they would go through memory, and wait for that.
    #[inline(always)]
    fn is(&self, tweak: u64, length: usize, [a, b, c, d]: [u64; 4]) -> bool {
        let [la, lb, lc, ld] = &self.words;
        let same_words = la.get() == a && lb.get() == b && lc.get() == c && ld.get() == d;
        self.tweak.get() == tweak && self.length.get() == length && same_words
    }
}

/// All of a key of 4 to 32 bytes, as words that tell it from others of its length.
#[inline(always)]
fn words(key: &[u8]) -> Option<[u64; 4]> {
    let eight = |bytes: &[u8; 8]| u64::from_le_bytes(*bytes);
    let four = |bytes: &[u8; 4]| u64::from(u32::from_le_bytes(*bytes));
    let ends = |part: &[u8]| Some((eight(part.first_chunk()?), eight(part.last_chunk()?)));
    match key.len() {
        8..=16 => ends(key).map(|(a, b)| [a, b, 0, 0]),
        17..=32 => {
            let (a, b) = ends(&key[..16])?;
            let (c, d) = ends(&key[key.len() - 16..])?;
            Some([a, b, c, d])
        }
        4..=7 => Some([four(key.first_chunk()?), four(key.last_chunk()?), 0, 0]),
        _ => None,
    }
}

impl<M: Memory<N>, const N: usize> Table<M, N> {
    /// Whether the key is the one that this thread came for last.
    #[inline(always)]
    pub(crate) fn is_last(&self, tweak: u64, key: &[u8]) -> bool {
        words(key).is_some_and(|words| LAST.with(|last| last.is(tweak, key.len(), words)))
    }

    /// Where the key's cell was, if this thread came for it last. It may be another's by now.
    #[inline(never)]
    pub(crate) fn last_cell(&self, tweak: u64, key: &[u8]) -> Option<LastCell> {
        self.is_last(tweak, key).then(|| self.last())
    }

    /// Where the cell was that this thread came for last, whosever it was.
    #[inline(always)]
    pub(crate) fn last(&self) -> LastCell {
        LAST.with(|last| LastCell {
            at: last.at.get(),
            tag: last.tag.get(),
            shard: last.shard.get(),
        })
    }

    /// Reads the cell, if it is still the key's.
    #[inline(always)]
    pub(crate) fn see(&self, of: LastCell) -> Option<Seen<'_, M::Atom>> {
        let atom = self.atom_if_here(of.at)?;
        let cell = atom.load();
        cell.is_confirmed(of.tag).then_some(Seen { atom, cell, of })
    }

    /// Replaces what was seen, unless somebody has changed it, and counts a decision that allowed.
    #[inline(always)]
    pub(crate) fn replace(&self, seen: &Seen<'_, M::Atom>, state: State) -> bool {
        let done = seen.atom.swap(seen.cell, charged(seen.of.tag, state));
        match done {
            true => self.decided_in(seen.of.shard, true),
            false => stand_back(),
        }
        done
    }

    /// Counts a decision that refused.
    pub(crate) fn refuse(&self, seen: &Seen<'_, M::Atom>) {
        self.decided_in(seen.of.shard, false);
    }

    /// A cell that may be one of a segment's other table, and then is not there.
    #[inline(always)]
    pub(super) fn atom_if_here(&self, at: At) -> Option<&M::Atom> {
        self.memory.sets().as_flattened().get(at.0)
    }

    /// Makes the key the one that this thread came for last.
    #[inline]
    pub(crate) fn remember(&self, tweak: u64, key: &[u8], hash: KeyHash, at: At) {
        let Some((words, shard)) = words(key).zip(self.memory.tally().own_shard()) else {
            return;
        };
        LAST.with(|last| {
            last.tweak.set(tweak);
            last.length.set(key.len());
            last.words
                .iter()
                .zip(words)
                .for_each(|(l, word)| l.set(word));
            last.at.set(at);
            last.tag.set(Tag::from_hash(hash.tag));
            last.shard.set(shard);
        });
    }
}

/// Forgets what this thread came for: after a fork its counters are another's.
pub(super) fn forget() {
    LAST.with(|last| last.tweak.set(NO_LIMITER));
}

#[cfg(test)]
mod tests {
    use super::words;

    #[test]
    fn every_byte_of_a_key_is_in_its_words() {
        for length in 0..100 {
            let key = vec![0_u8; length];
            let plain = words(&key);
            assert_eq!(plain.is_some(), (4..=32).contains(&length), "{length}");
            for i in 0..length {
                let mut other = key.clone();
                other[i] = 1;
                assert!(plain.is_none() || words(&other) != plain, "{i} of {length}");
            }
        }
    }
}
