//! Charging a key's only cell: at once where that is sure to be right, else with all care.

use super::Limiter;
use crate::algorithm::{SingleState, State};
use crate::clock::{MAX_LAG, Reading, Source, coarse};
use crate::policy::Rule;
use crate::store::{Local, Step};

/// What is known of a key before it is charged with care.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Known {
    Nothing,
    /// This thread came for it last.
    Last,
    /// The same, and its charge does not seem to fit.
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
        let source = &store.local.source;
        if cost == 0 || !table.is_last(hasher.tweak, key) {
            return Err(Known::Nothing);
        }
        let now = self.now(source);
        table.turn(now);
        // A clock for tests may have come for another key meanwhile.
        if !self.lenient && !source.is_steady() && table.last_cell(hasher.tweak, key).is_none() {
            return Err(Known::Nothing);
        }
        let seen = table.see(table.last()).ok_or(Known::Last)?;
        let before = seen.state(now);
        let after = self.admitted_to(before, now, cost).ok_or(Known::Full)?;
        match table.replace(&seen, after) {
            true => Ok(Made { now, before, after }),
            false => Err(Known::Last),
        }
    }

    /// Refuses a charge that does not fit on the latest moment that a reading from after the state
    /// may stand for; counts the decision. An exact reading could say nothing else, and costs five
    /// times as much.
    #[inline(always)]
    pub(super) fn refuse_at_once(&self, key: &[u8], cost: u64) -> bool {
        let Some((store, hasher)) = &self.place else {
            return false;
        };
        let table = &store.local.table;
        let Some(seen) = table
            .last_cell(hasher.tweak, key)
            .and_then(|c| table.see(c))
        else {
            return false;
        };
        let now = self.now(&store.local.source);
        let latest = if self.lenient { now + MAX_LAG } else { now };
        let state = seen.state(latest);
        let refused = self.admitted_to(state, latest, cost).is_none();
        if refused {
            table.refuse(&seen);
        }
        refused
    }

    /// The state after a charge, if it fits into a key's only cell.
    #[inline(always)]
    fn admitted_to(&self, state: State, now: u64, cost: u64) -> Option<State> {
        match &self.policy.0 {
            Rule::TokenBucket(b) | Rule::LeakyBucket(b) => b.admit(Some(state), now, cost),
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
        let last = match known {
            Known::Nothing => None,
            Known::Last | Known::Full => table.last_cell(hasher.tweak, key),
        };
        if let Some(last) = last {
            let mut reading = self.reading(local);
            if let Some(answer) = table.update_at(last.at, last.tag, &mut reading, &mut step) {
                table.decided_in(last.shard, answer.is_allowed());
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

    /// The time as exactly as it takes to admit.
    #[inline(always)]
    fn now(&self, source: &Source) -> u64 {
        match self.lenient {
            true => coarse(),
            false => source.read(false),
        }
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
