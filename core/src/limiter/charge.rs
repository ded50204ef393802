//! Charging a key's only cell: at once where that is sure to be right, else with all care.

use super::Limiter;
use crate::algorithm::{SingleState, State, TokenBucket};
use crate::clock::{DOUBT, Reading};
use crate::policy::Rule;
use crate::store::{Local, Step};

/// What is known of a key before it is charged with care.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Known {
    Nothing,
    /// It is the one that this thread came for last.
    Last,
    /// It is, and its charge does not seem to fit.
    Full,
}

/// A charge that was made: on which reading of the clock, and the state before and after it.
pub(super) struct Made {
    pub now: u64,
    pub before: State,
    pub after: State,
}

/// What comes of a call.
pub(super) trait Answer {
    fn is_allowed(&self) -> bool;
}

impl Answer for bool {
    #[inline(always)]
    fn is_allowed(&self) -> bool {
        *self
    }
}

impl Limiter {
    /// Charges the key that this thread came for last, if it fits on the first reading of the clock
    /// and nobody else changes it meanwhile; counts the decision.
    #[inline(always)]
    pub(super) fn charge_at_once(&self, key: &[u8], cost: u64) -> Result<Made, Known> {
        let Some((store, hasher)) = &self.place else {
            return Err(Known::Nothing);
        };
        let table = &store.local.table;
        if cost == 0 || !table.is_last(hasher.tweak, key) {
            return Err(Known::Nothing);
        }
        let now = store.local.source.read(self.lenient);
        table.turn(now);
        let seen = table.see(table.last()).ok_or(Known::Last)?;
        let before = seen.state(now);
        let after = self.admitted_to(before, now, cost).ok_or(Known::Full)?;
        match table.replace(&seen, after) {
            true => Ok(Made { now, before, after }),
            false => Err(Known::Last),
        }
    }

    /// Refuses the key that this thread came for last, if its charge does not fit on a reading from
    /// after its state, nor on the latest that a coarse one may stand for; counts the decision. An
    /// exact reading could say nothing else, and costs five times as much.
    #[inline(always)]
    pub(super) fn refuse_at_once(&self, cost: u64) -> bool {
        let Some((store, _)) = &self.place else {
            return false;
        };
        let table = &store.local.table;
        let near = table.last();
        let Some(seen) = table.see(near) else {
            return false;
        };
        let now = store.local.source.read(self.lenient);
        let latest = if self.lenient { now + DOUBT } else { now };
        let fits = |now| self.admitted_to(seen.state(now), now, cost).is_some();
        let refused = !fits(now) && !fits(latest);
        if refused {
            table.decided_in(near.shard, false);
        }
        refused
    }

    /// The state after a charge, if it fits into a key's only cell.
    #[inline(always)]
    fn admitted_to(&self, state: State, now: u64, cost: u64) -> Option<State> {
        match &self.policy.0 {
            Rule::TokenBucket(b) | Rule::LeakyBucket(b) => {
                TokenBucket(b).admit(Some(state), now, cost)
            }
            Rule::FixedWindow(w) => w.admit(Some(state), now, cost),
            Rule::SlidingWindow(_) | Rule::Unlimited => None,
        }
    }

    /// Updates a key's only cell; counts the decision. `None` if there is no limit.
    #[inline(always)]
    pub(super) fn charge_with_care<R: Answer>(
        &self,
        key: &[u8],
        known: Known,
        mut step: impl FnMut(Option<State>, &Reading<'_>) -> Step<R>,
    ) -> Option<R> {
        let (store, hasher) = self.place.as_ref()?;
        let local = &*store.local;
        let table = &local.table;
        if known != Known::Nothing {
            let mut reading = self.reading(local);
            let near = table.last();
            if let Some(answer) = table.update_at(near.at, near.tag, &mut reading, &mut step) {
                table.decided_in(near.shard, answer.is_allowed());
                return Some(answer);
            }
        }
        // The cell's line is asked for before the clock is read, since an exact reading waits for
        // every load under way.
        let hash = hasher.hash(&local.seed, key);
        let place = table.place(hash);
        table.prefetch(&place);
        let mut reading = self.reading(local);
        let (answer, at) = table.update_found(&place, &mut reading, step);
        if let Some(at) = at {
            table.remember(hasher.tweak, key, hash, at);
        }
        table.decided(answer.is_allowed());
        Some(answer)
    }

    /// A reading to admit on.
    #[inline]
    pub(super) fn reading<'a>(&self, local: &'a Local) -> Reading<'a> {
        let reading = match self.lenient {
            true => Reading::lenient(&local.source),
            false => Reading::exact(&local.source),
        };
        local.table.turn(reading.now());
        reading
    }
}
