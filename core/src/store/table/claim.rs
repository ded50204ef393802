//! Claiming a cell for a newcomer: a free one, or the one that is closest to fresh.

use super::cell::Cell;
use super::{At, Memory, Place, Table};

/// Sets that a place has at most.
const MOST_CHOICES: usize = 5;

/// A key's first set is preferred while it has more free cells than this.
const SPARE: usize = 2;

impl<M: Memory<N>, const N: usize> Table<M, N> {
    /// Claims a cell for the key: a free one, else the one that is closest to fresh.
    ///
    /// `balance` takes the set that has most cells free; without it the first is preferred, where
    /// the cell is found sooner. `None`: somebody else took the cell first.
    pub(super) fn claim(
        &self,
        place: &Place,
        until: u64,
        now: u64,
        balance: bool,
    ) -> Option<(At, Cell)> {
        let claim = Cell::claim(place.tag, until, self.memory.tally().nonce());
        let mut free = [0; MOST_CHOICES];
        let mut found = [None; MOST_CHOICES];
        let mut victim: Option<(At, Cell, (bool, u64))> = None;
        self.each(place, |choice, in_first_line, at, cell| {
            // A pending cell goes only if there is nothing else: its owner is about to use it.
            let cost = (cell.is_pending(), cell.until().left(now));
            if cell.is_free(now) {
                free[choice] += 1;
                let rest = rest(cell, in_first_line, now);
                if found[choice].is_none_or(|(_, _, most)| rest > most) {
                    found[choice] = Some((at, cell, rest));
                }
            } else if victim.is_none_or(|(_, _, least)| cost < least) {
                victim = Some((at, cell, cost));
            }
        });
        let most = (1..place.choices).fold(0, |a, b| if free[b] > free[a] { b } else { a });
        let choice = if !balance && free[0] > SPARE { 0 } else { most };
        let found = found[choice].map(|(at, cell, _)| (at, cell));
        let (at, old) = found.or(victim.map(|(at, cell, _)| (at, cell)))?;
        let lost = !old.is_free(now) && !old.is_pending();
        if lost {
            self.take_soon(old);
        }
        if !self.swap(at, old, claim) {
            return None;
        }
        if lost {
            self.given_up(old, now);
        }
        Some((at, claim))
    }

    /// Frees a pending cell that is not needed any more, whoever's it is. Always `None`, for callers
    /// that end with it.
    pub(super) fn withdraw<T>(&self, claim: Option<(At, Cell)>) -> Option<T> {
        if let Some((at, cell)) = claim {
            self.swap(at, cell, Cell::EMPTY);
        }
        None
    }

    #[cold]
    fn given_up(&self, cell: Cell, now: u64) {
        self.memory.tally().given_up();
        #[cfg(feature = "test-hooks")]
        crate::hooks::given_up(crate::hooks::GivenUp {
            tag: cell.tag(),
            left: cell.until().left(now),
            amount: cell.amount(),
        });
        let _ = (cell, now);
    }
}

/// How long a free cell has been free, as seen by a newcomer: the key of a cell that ended lately
/// may be about to come back for it. In the line where the newcomer begins a cell is as good as
/// one elsewhere that has rested eight times longer.
fn rest(cell: Cell, in_first_line: bool, now: u64) -> u64 {
    match cell {
        Cell::EMPTY => u64::MAX,
        _ => cell.until().passed(now) << if in_first_line { 3 } else { 0 },
    }
}
