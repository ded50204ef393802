//! Algorithms that keep a key's state in one cell.

use super::cell::Cell;
use super::{At, Atom, KeyHash, Memory, Place, Table, Tag};
use crate::algorithm::{Change, SingleState, State};
use crate::clock::Reading;

/// How long a claim stands if its owner is gone, in microseconds.
const GRACE: u64 = 1_000_000;

/// Pauses of the processor after a swap that failed: under a microsecond in all.
const STAND_BACK: u32 = 16;

/// What the caller makes of a key's state.
pub(crate) enum Step<R> {
    Done(Change, R),
    /// The same again, with a good reading of the clock.
    Renew,
}

impl Step<bool> {
    /// A charge of `cost` if it fits; refused only on a good reading.
    #[inline(always)]
    pub(crate) fn admit(
        algorithm: impl SingleState,
        state: Option<State>,
        reading: &Reading<'_>,
        cost: u64,
    ) -> Step<bool> {
        match algorithm.admit(state, reading.now(), cost) {
            Some(after) => Step::Done(Change::Put(after), true),
            None if reading.is_good() => Step::Done(Change::Keep, false),
            None => Step::Renew,
        }
    }
}

impl<M: Memory<N>, const N: usize> Table<M, N> {
    /// Reads the key's state, lets `step` decide and stores what it says, all as one instant.
    ///
    /// `step` may be called several times, and must not keep what it saw.
    #[inline]
    pub(crate) fn update<R>(
        &self,
        place: &Place,
        reading: &mut Reading<'_>,
        step: impl FnMut(Option<State>, &Reading<'_>) -> Step<R>,
    ) -> R {
        self.update_found(place, reading, step).0
    }

    /// Like `update`; says where the key's cell is, if it had one.
    #[inline(always)]
    pub(crate) fn update_found<R>(
        &self,
        place: &Place,
        reading: &mut Reading<'_>,
        mut step: impl FnMut(Option<State>, &Reading<'_>) -> Step<R>,
    ) -> (R, Option<At>) {
        loop {
            let Some((at, _)) = self.confirmed(place) else {
                match self.insert(place, reading, &mut step) {
                    Some(answer) => return (answer, None),
                    None => continue,
                }
            };
            if let Some(answer) = self.update_at(at, place.tag, reading, &mut step) {
                return (answer, Some(at));
            }
        }
    }

    /// Like `update`, if the key's cell is there; `None` if it is not.
    #[inline(always)]
    pub(crate) fn update_at<R>(
        &self,
        at: At,
        tag: Tag,
        reading: &mut Reading<'_>,
        mut step: impl FnMut(Option<State>, &Reading<'_>) -> Step<R>,
    ) -> Option<R> {
        let atom = self.atom_if_here(at)?;
        let mut cell = atom.load();
        // Until it is another key's; each time with what others have made of it.
        while cell.is_confirmed(tag) {
            reading.outdate();
            let (change, answer) = loop {
                match step(state(cell, reading.now()), reading) {
                    Step::Renew => reading.renew(),
                    Step::Done(change, answer) => break (change, answer),
                }
            };
            let to = match change {
                Change::Keep => return Some(answer),
                Change::Put(s) => charged(tag, s),
                Change::Clear => Cell::EMPTY,
            };
            if atom.swap(cell, to) {
                return Some(answer);
            }
            stand_back();
            cell = atom.load();
        }
        None
    }

    /// Changes the key's state as `step` says, which is not called if the charge that is to be
    /// taken back may have been lowered since `lowered` was read.
    pub(crate) fn take_back(
        &self,
        hash: KeyHash,
        lowered: u32,
        reading: &mut Reading<'_>,
        step: impl Fn(State, u64) -> Change,
    ) {
        let place = self.place(hash);
        while let Some((at, cell)) = self.confirmed(&place) {
            let Some(cell) = self.mark(at, cell) else {
                continue;
            };
            if self.lowered(place.tag) != lowered {
                return;
            }
            reading.renew();
            let now = reading.now();
            let to = match state(cell, now).map(|state| step(state, now)) {
                None | Some(Change::Keep) => return,
                Some(Change::Put(state)) => charged(place.tag, state).marked(),
                Some(Change::Clear) => Cell::EMPTY,
            };
            if self.swap(at, cell, to) {
                return;
            }
        }
    }

    /// Forgets the key.
    pub(crate) fn remove(&self, hash: KeyHash) {
        let place = self.place(hash);
        while let Some((at, cell)) = self.confirmed(&place) {
            self.lower_soon(place.tag);
            if self.swap(at, cell, Cell::EMPTY) {
                return;
            }
        }
    }

    /// The key's own cell, live or ended. There is at most one, mostly in the line where the key
    /// begins.
    #[inline(always)]
    fn confirmed(&self, place: &Place) -> Option<(At, Cell)> {
        self.find_first(place, confirmed)
            .or_else(|| self.confirmed_elsewhere(place))
    }

    #[inline(never)]
    fn confirmed_elsewhere(&self, place: &Place) -> Option<(At, Cell)> {
        self.find(place, confirmed)
    }

    /// Decides on a key that has no cell. `None`: look again, it may have one now.
    #[cold]
    #[inline(never)]
    fn insert<R>(
        &self,
        place: &Place,
        reading: &mut Reading<'_>,
        step: &mut impl FnMut(Option<State>, &Reading<'_>) -> Step<R>,
    ) -> Option<R> {
        let mut known = None;
        loop {
            let pending = self.resolve(place, known)?;
            let (state, answer) = match step(None, reading) {
                Step::Renew => {
                    reading.renew();
                    continue;
                }
                Step::Done(Change::Put(state), answer) => (state, answer),
                Step::Done(_, answer) => return self.withdraw(known).or(Some(answer)),
            };
            match pending {
                Some((at, claim)) if known == pending => {
                    return self
                        .swap(at, claim, charged(place.tag, state))
                        .then_some(answer);
                }
                Some(_) => known = pending,
                None => known = self.claim(place, reading.now() + GRACE, reading.now(), false),
            }
            M::Atom::fence();
            // Somebody with a later clock may have taken the key's ended cell. Only a reading
            // from after the claim is sure to lie after that end.
            reading.renew();
        }
    }

    /// Looks over the place: the key's lowest pending cell, after all others have been freed.
    /// `None`: the key has a confirmed cell.
    fn resolve(&self, place: &Place, known: Option<(At, Cell)>) -> Option<Option<(At, Cell)>> {
        loop {
            let mut lowest = None;
            let mut freed = false;
            let confirmed = self.find(place, |at, cell| {
                if !cell.is_pending() {
                    return Some(());
                }
                if lowest.is_none() {
                    lowest = Some((at, cell));
                } else {
                    self.swap(at, cell, Cell::EMPTY);
                    freed = true;
                }
                None
            });
            if confirmed.is_some() {
                return self.withdraw(known);
            }
            if !freed {
                return Some(lowest);
            }
        }
    }
}

/// Lets others have the cell for a moment, whose cache line they would have to fetch again for
/// every call: on a hot key two threads get half as much again done for it.
#[cold]
#[inline(never)]
pub(super) fn stand_back() {
    for _ in 0..STAND_BACK {
        std::hint::spin_loop();
    }
}

#[inline(always)]
fn confirmed(at: At, cell: Cell) -> Option<(At, Cell)> {
    (!cell.is_pending()).then_some((at, cell))
}

pub(super) fn charged(tag: Tag, state: State) -> Cell {
    Cell::charged(tag, state.until, state.amount)
}

/// What a cell says at `now`; `None` if its time is over.
#[inline]
fn state(cell: Cell, now: u64) -> Option<State> {
    Some(cell.state(now)).filter(|state| state.until > now)
}
