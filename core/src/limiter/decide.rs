//! `decide`: a decision at the price of `allow`, and in words when somebody asks.

use super::apply::UNLIMITED;
use super::charge::Known;
use super::outcome::{Kind, Open, Outcome};
use super::{Limiter, check};
use crate::algorithm::{Change, LeakyBucket, Op, SingleState, State, TokenBucket, Verdict};
use crate::clock::{LAG, Reading};
use crate::decision::Decision;
use crate::error::Error;
use crate::policy::Rule;
use crate::store::Step;
use std::time::Duration;

impl Limiter {
    /// Like [`consume`](Limiter::consume), for callers who mostly need to know whether they may:
    /// an admission by a bucket or a fixed window is as cheap as by [`allow`](Limiter::allow).
    /// [`explain`](Limiter::explain) gives the rest.
    ///
    /// ```
    /// use ratelimit_core::{Limiter, Policy, Store};
    /// use std::time::Duration;
    ///
    /// let policy = Policy::token_bucket(60, 1, Duration::from_secs(1))?;
    /// let limiter = Limiter::new("api", policy, &Store::memory(1_000)?)?;
    /// let outcome = limiter.decide("203.0.113.7", 1)?;
    /// assert!(outcome.is_allowed());
    /// let (decision, _age) = limiter.explain(&outcome);
    /// assert_eq!(decision.remaining, 59);
    /// # Ok::<(), ratelimit_core::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Argument`] if the key is too long or the cost too large.
    #[inline]
    pub fn decide(&self, key: impl AsRef<[u8]>, cost: u64) -> Result<Outcome, Error> {
        let key = key.as_ref();
        check(key, cost)?;
        Ok(Outcome(self.decide_kind(key, cost)))
    }

    /// The decision behind an outcome of this limiter, and how long ago the moment is that its
    /// times are exact for, in whole microseconds: a moment from the call on, at most 20 ms later.
    ///
    /// Of an outcome that is not [open](Outcome::is_open) the times are those of the call, and
    /// the second value is zero, however long ago that was.
    ///
    /// Of an outcome of another limiter it tells nothing useful.
    pub fn explain(&self, outcome: &Outcome) -> (Decision<'_>, Duration) {
        let (verdict, age) = match outcome.0 {
            Kind::Open(open) => self.explain_open(open),
            Kind::Allowed {
                remaining,
                reset_after,
                wait,
            } => {
                let verdict = Verdict {
                    allowed: true,
                    remaining,
                    retry_after: 0,
                    reset_after,
                    wait,
                };
                (verdict, 0)
            }
            Kind::Refused {
                remaining,
                retry_after,
                reset_after,
            } => {
                let verdict = Verdict {
                    allowed: false,
                    remaining,
                    retry_after,
                    reset_after,
                    wait: 0,
                };
                (verdict, 0)
            }
        };
        (self.decision(verdict), Duration::from_micros(age))
    }

    /// The verdict as of the latest moment that the call's reading may stand for, and its age.
    fn explain_open(&self, open: Open) -> (Verdict, u64) {
        let Some((store, _)) = &self.place else {
            return (UNLIMITED, 0);
        };
        let exact = Reading::exact(&store.local.source).now();
        let lag = if self.lenient { LAG } else { 0 };
        let now = exact.min(open.seen.saturating_add(lag));
        let (before, after) = open.states();
        (self.admitted(before, after, now), exact - now)
    }

    /// Whether its clock goes on by itself, so that nobody can tell when a reading was taken.
    #[inline(always)]
    fn is_steady(&self) -> bool {
        let place = self.place.as_ref();
        place.is_some_and(|(store, _)| store.local.source.is_steady())
    }

    #[inline(always)]
    fn decide_kind(&self, key: &[u8], cost: u64) -> Kind {
        if !self.is_steady() {
            return self.decide_with_care(key, cost, Known::Nothing);
        }
        match self.charge_at_once(key, cost) {
            Ok(made) => Kind::Open(Open::new(made.now, made.before, made.after)),
            Err(known) => self.decide_with_care(key, cost, known),
        }
    }

    #[inline(never)]
    fn decide_with_care(&self, key: &[u8], cost: u64, known: Known) -> Kind {
        let open = match &self.policy.0 {
            _ if !self.is_steady() || cost == 0 => None,
            Rule::TokenBucket(b) => self.decide_single(TokenBucket(b), key, cost, known),
            Rule::LeakyBucket(b) => self.decide_single(LeakyBucket(b), key, cost, known),
            Rule::FixedWindow(w) => self.decide_single(*w, key, cost, known),
            Rule::SlidingWindow(_) | Rule::Unlimited => None,
        };
        open.unwrap_or_else(|| {
            let verdict = self.apply_inline(Op::Consume, key, cost);
            self.count(verdict.allowed);
            verdict.into()
        })
    }

    #[inline(always)]
    fn decide_single(
        &self,
        algorithm: impl SingleState,
        key: &[u8],
        cost: u64,
        known: Known,
    ) -> Option<Kind> {
        self.charge_with_care(key, known, |before, reading| {
            let seen = reading.now();
            match algorithm.admit(before, seen, cost) {
                Some(after) => {
                    let open = Open::new(seen, before.unwrap_or(State::ENDED), after);
                    Step::Done(Change::Put(after), Kind::Open(open))
                }
                None if !reading.is_good() => Step::Renew,
                None => {
                    let (change, verdict) = algorithm.apply(Op::Consume, before, seen, cost);
                    Step::Done(change, verdict.into())
                }
            }
        })
    }

    fn admitted(&self, before: State, after: State, now: u64) -> Verdict {
        match &self.policy.0 {
            Rule::TokenBucket(b) => TokenBucket(b).admitted(before, after, now),
            Rule::LeakyBucket(b) => LeakyBucket(b).admitted(before, after, now),
            Rule::FixedWindow(w) => w.admitted(before, after, now),
            Rule::SlidingWindow(_) | Rule::Unlimited => UNLIMITED,
        }
    }
}
