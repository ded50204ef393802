//! A decision whose times are worked out when somebody asks for them.

use super::Limiter;
use super::decide::UNLIMITED;
use crate::algorithm::{Change, LeakyBucket, Op, SingleState, State, TokenBucket, Verdict};
use crate::clock::{LAG, Reading};
use crate::decision::Decision;
use crate::error::Error;
use crate::policy::Rule;
use crate::store::{KeyHash, Local, Step};
use std::time::Duration;

/// What [`Limiter::decide`] decided.
#[derive(Debug, Clone, Copy)]
#[must_use]
pub struct Outcome(Kind);

/// All fields are words, so that an outcome travels in registers.
#[derive(Debug, Clone, Copy)]
enum Kind {
    Refused {
        remaining: u64,
        retry_after: u64,
        reset_after: u64,
    },
    Allowed {
        remaining: u64,
        reset_after: u64,
        wait: u64,
    },
    /// Admitted on a reading of the clock, `seen`, that may be up to `LAG` old.
    Open {
        seen: u64,
        before: u64,
        after: u64,
        /// The states' amounts: before the charge, and after it in the upper half.
        amounts: u64,
    },
}

impl Kind {
    #[inline]
    fn open(seen: u64, before: Option<State>, after: State) -> Kind {
        let before = before.unwrap_or(State {
            until: 0,
            amount: 0,
        });
        Kind::Open {
            seen,
            before: before.until,
            after: after.until,
            amounts: u64::from(before.amount) | u64::from(after.amount) << 32,
        }
    }
}

impl From<Verdict> for Kind {
    #[inline]
    fn from(verdict: Verdict) -> Kind {
        let Verdict {
            remaining,
            retry_after,
            reset_after,
            wait,
            ..
        } = verdict;
        match verdict.allowed {
            true => Kind::Allowed {
                remaining,
                reset_after,
                wait,
            },
            false => Kind::Refused {
                remaining,
                retry_after,
                reset_after,
            },
        }
    }
}

impl Outcome {
    /// Whether the call was admitted.
    #[inline]
    pub fn is_allowed(&self) -> bool {
        !matches!(self.0, Kind::Refused { .. })
    }

    /// Whether [`Limiter::explain`] still has to read the clock.
    #[inline]
    pub fn is_open(&self) -> bool {
        matches!(self.0, Kind::Open { .. })
    }
}

impl Limiter {
    /// Like [`consume`](Limiter::consume), for callers who mostly need to know whether they may:
    /// as cheap as [`allow`](Limiter::allow) where that admits without an exact reading of the
    /// clock. [`explain`](Limiter::explain) gives the rest.
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
        super::check(key, cost)?;
        let kind = self.decide_kind(key, cost);
        let outcome = Outcome(kind);
        self.count(outcome.is_allowed());
        Ok(outcome)
    }

    /// The decision that this limiter made, and how long ago the moment is that it tells of: its
    /// times are exact for some moment from the call on, at most 20 ms later.
    ///
    /// Of an outcome of another limiter it tells nothing useful.
    pub fn explain(&self, outcome: &Outcome) -> (Decision<'_>, Duration) {
        let (verdict, age) = match (outcome.0, &self.place) {
            (_, None) => (UNLIMITED, 0),
            (
                Kind::Refused {
                    remaining,
                    retry_after,
                    reset_after,
                },
                _,
            ) => {
                let verdict = Verdict {
                    allowed: false,
                    remaining,
                    retry_after,
                    reset_after,
                    wait: 0,
                };
                (verdict, 0)
            }
            (
                Kind::Allowed {
                    remaining,
                    reset_after,
                    wait,
                },
                _,
            ) => {
                let verdict = Verdict {
                    allowed: true,
                    remaining,
                    retry_after: 0,
                    reset_after,
                    wait,
                };
                (verdict, 0)
            }
            (
                Kind::Open {
                    seen,
                    before,
                    after,
                    amounts,
                },
                Some((store, _)),
            ) => {
                let exact = Reading::exact(&store.local.source).now();
                let now = exact.min(seen.saturating_add(LAG));
                let before = State {
                    until: before,
                    amount: amounts as u32,
                };
                let after = State {
                    until: after,
                    amount: (amounts >> 32) as u32,
                };
                (self.admitted(before, after, now), exact - now)
            }
        };
        (self.decision(verdict), Duration::from_micros(age))
    }

    #[inline(always)]
    fn decide_kind(&self, key: &[u8], cost: u64) -> Kind {
        let place = self.place.as_ref().filter(|_| self.lenient && cost > 0);
        let Some((store, hasher)) = place.filter(|(store, _)| store.local.source.is_steady())
        else {
            return self.apply_inline(Op::Consume, key, cost).into();
        };
        let local = &*store.local;
        let hash = hasher.hash(&local.seed, key);
        match &self.policy.0 {
            Rule::TokenBucket(b) => self.decide_single(TokenBucket(b), local, hash, cost),
            Rule::LeakyBucket(b) => self.decide_single(LeakyBucket(b), local, hash, cost),
            Rule::FixedWindow(w) => self.decide_single(*w, local, hash, cost),
            Rule::SlidingWindow(_) | Rule::Unlimited => {
                self.apply_inline(Op::Consume, key, cost).into()
            }
        }
    }

    #[inline(always)]
    fn decide_single(
        &self,
        algorithm: impl SingleState,
        local: &Local,
        hash: KeyHash,
        cost: u64,
    ) -> Kind {
        self.charge_single(local, hash, |before, reading| {
            let seen = reading.now();
            match algorithm.admit(before, seen, cost) {
                Some(after) => Step::Done(Change::Put(after), Kind::open(seen, before, after)),
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
