//! A limiter: policy, name, store and what to do when the store fails. Every call enters here.

mod acquire;
mod admit;
mod all;
mod apply;
mod charge;
mod decide;
mod outcome;

pub use acquire::{Acquisition, Step};
pub use all::Charge;
pub use outcome::Outcome;

use crate::algorithm::{NEVER, Op, Verdict};
use crate::decision::Decision;
use crate::error::{ArgumentError, Error};
use crate::hash::KeyHasher;
use crate::policy::{MAX_PERIOD_US, Policy, Rule};
use crate::store::Store;
use std::time::Duration;

/// The largest cost, and the limit of a limiter without one: 2⁶³ − 1.
pub(crate) const MAX_COST: u64 = i64::MAX as u64;
/// The longest key, in bytes: 64 KiB.
const MAX_KEY: usize = 64 << 10;
/// The longest name, in bytes.
const MAX_NAME: usize = 64;

/// What a limiter does when its store fails. A local store does not fail, but PHP's cannot be had
/// where the segment that php.ini asks for cannot.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum OnError {
    /// Decide on a local store of this host instead.
    #[default]
    Fallback,
    /// Allow every call whose cost is within the limit.
    Allow,
    /// Refuse every call whose cost is above 0.
    Deny,
    /// Return an error.
    Fail,
}

/// One algorithm with its parameters, a name and a store. `Send` and `Sync`; cheap to make.
///
/// Limiters of the same name, algorithm and store share their state, whatever their parameters,
/// so that a changed limit takes effect at once on the state that is there. (The length and
/// number of a sliding window's segments count as part of its algorithm.) Limiters of different
/// names never share state.
///
/// Keys are any bytes, up to 65,536 of them. Costs are whole units up to 2⁶³ − 1; a cost of 0 is
/// always allowed and charges nothing. A longer key or a larger cost is an [`Error::Argument`].
#[derive(Debug)]
pub struct Limiter {
    name: Box<str>,
    policy: Policy,
    on_error: OnError,
    /// Where the state is and how its keys are hashed; `None` if there is no limit.
    place: Option<(Store, KeyHasher)>,
    /// Whether it may admit on a slightly old reading of the clock, and that is cheaper.
    lenient: bool,
}

impl Limiter {
    /// A limiter that keeps its state in `store`.
    ///
    /// `name` is 1 to 64 of the characters `A-Z a-z 0-9 _ . -`.
    ///
    /// # Errors
    /// [`Error::Argument`] if `name` is something else.
    pub fn new(name: &str, policy: Policy, store: &Store) -> Result<Limiter, Error> {
        Self::build(name, policy, Some(store))
    }

    /// A limiter without a limit: every call is allowed and touches no store.
    ///
    /// # Errors
    /// [`Error::Argument`] if `name` is not 1 to 64 of the characters `A-Z a-z 0-9 _ . -`.
    pub fn unlimited(name: &str) -> Result<Limiter, Error> {
        Self::build(name, Policy::unlimited(), None)
    }

    /// The same limiter with another policy for failures of its store.
    #[must_use]
    pub fn on_error(self, on_error: OnError) -> Limiter {
        Limiter { on_error, ..self }
    }

    /// The name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The algorithm and its parameters.
    pub fn policy(&self) -> &Policy {
        &self.policy
    }

    /// What it does when its store fails.
    pub fn failure_policy(&self) -> OnError {
        self.on_error
    }

    /// Charges `cost` if it fits, and says whether it did. The fastest call.
    ///
    /// # Errors
    /// [`Error::Argument`] if the key is too long or the cost too large.
    #[inline]
    pub fn allow(&self, key: impl AsRef<[u8]>, cost: u64) -> Result<bool, Error> {
        let key = key.as_ref();
        check(key, cost)?;
        Ok(self.admit(key, cost))
    }

    /// Charges `cost` if it fits, else changes nothing.
    ///
    /// # Errors
    /// [`Error::Argument`] if the key is too long or the cost too large.
    #[inline]
    pub fn consume(&self, key: impl AsRef<[u8]>, cost: u64) -> Result<Decision<'_>, Error> {
        let key = key.as_ref();
        check(key, cost)?;
        let verdict = self.apply_inline(Op::Consume, key, cost);
        self.count(verdict.allowed);
        Ok(self.decision(verdict))
    }

    /// What [`consume`](Limiter::consume) would answer, without a charge. `remaining` and
    /// `reset_after` tell of the state as it stands.
    ///
    /// # Errors
    /// [`Error::Argument`] if the key is too long or the cost too large.
    pub fn peek(&self, key: impl AsRef<[u8]>, cost: u64) -> Result<Decision<'_>, Error> {
        let key = key.as_ref();
        check(key, cost)?;
        Ok(self.decision(self.apply(Op::Peek, key, cost)))
    }

    /// Charges `cost` now, if the caller would have to wait at most `max_wait` before acting.
    /// The decision's `wait` says how long that is.
    ///
    /// A token bucket lends from the future; a leaky bucket must have room. `max_wait` is at most
    /// 366 days, and rounded down to a microsecond.
    ///
    /// # Errors
    /// [`Error::Unsupported`] on windows; [`Error::Argument`] if the key is too long, the cost
    /// too large or `max_wait` too long.
    pub fn reserve(
        &self,
        key: impl AsRef<[u8]>,
        cost: u64,
        max_wait: Duration,
    ) -> Result<Decision<'_>, Error> {
        let key = key.as_ref();
        check(key, cost)?;
        if let Rule::FixedWindow(_) | Rule::SlidingWindow(_) = self.policy.0 {
            return Err(Error::Unsupported {
                call: "reserve",
                limiter: self.name.to_string(),
                reason: "a window has no place in a queue to reserve; use acquire, or a bucket",
            });
        }
        let max_wait = wait("max_wait", max_wait)?;
        let verdict = self.apply(Op::Reserve { max_wait }, key, cost);
        self.count(verdict.allowed);
        Ok(self.decision(verdict))
    }

    /// Gives back `cost`, never beyond a fresh key.
    ///
    /// A fixed window that is refunded to zero stays open to its end; a sliding window gives back
    /// from its newest segments first.
    ///
    /// # Errors
    /// [`Error::Argument`] if the key is too long or the cost too large.
    pub fn refund(&self, key: impl AsRef<[u8]>, cost: u64) -> Result<Decision<'_>, Error> {
        let key = key.as_ref();
        check(key, cost)?;
        Ok(self.decision(self.apply(Op::Refund, key, cost)))
    }

    /// Forgets the key.
    ///
    /// # Errors
    /// [`Error::Argument`] if the key is too long.
    pub fn reset(&self, key: impl AsRef<[u8]>) -> Result<(), Error> {
        let key = key.as_ref();
        check(key, 0)?;
        self.forget(key);
        Ok(())
    }

    fn build(name: &str, policy: Policy, store: Option<&Store>) -> Result<Limiter, Error> {
        let accepted = |c: u8| c.is_ascii_alphanumeric() || b"_.-".contains(&c);
        if !(1..=MAX_NAME).contains(&name.len()) || !name.bytes().all(accepted) {
            let value = format_args!("{name:?}");
            return Err(
                ArgumentError::new("name", value, "1 to 64 of A-Z, a-z, 0-9, _ . -").into(),
            );
        }
        let limited = store.filter(|_| policy.0 != Rule::Unlimited);
        let is_steady = |store: &Store| store.local.source.is_steady();
        Ok(Limiter {
            name: name.into(),
            lenient: policy.is_lenient() && limited.is_some_and(is_steady),
            on_error: OnError::default(),
            place: limited.map(|store| (store.clone(), hasher(name, &policy, store))),
            policy,
        })
    }

    #[inline]
    fn decision(&self, verdict: Verdict) -> Decision<'_> {
        Decision {
            allowed: verdict.allowed,
            limit: self.policy.limit(),
            remaining: verdict.remaining,
            retry_after: (verdict.retry_after != NEVER)
                .then(|| Duration::from_micros(verdict.retry_after)),
            reset_after: Duration::from_micros(verdict.reset_after),
            wait: Duration::from_micros(verdict.wait),
            degraded: false,
            limiter: &self.name,
        }
    }
}

fn hasher(name: &str, policy: &Policy, store: &Store) -> KeyHasher {
    let (segment, segments) = match &policy.0 {
        Rule::SlidingWindow(w) => (w.segment_us, u64::from(w.segments)),
        _ => (0, 0),
    };
    let identity = [
        store.namespace(),
        name.as_bytes(),
        policy.algorithm().as_bytes(),
        &segment.to_le_bytes(),
        &segments.to_le_bytes(),
    ];
    KeyHasher::new(&store.local.seed, &identity)
}

#[inline]
fn check(key: &[u8], cost: u64) -> Result<(), Error> {
    if key.len() <= MAX_KEY && cost <= MAX_COST {
        Ok(())
    } else {
        Err(out_of_range(key, cost))
    }
}

#[cold]
fn out_of_range(key: &[u8], cost: u64) -> Error {
    let error = if cost > MAX_COST {
        ArgumentError::new("cost", cost, "0 to 9,223,372,036,854,775,807")
    } else {
        let value = format_args!("{} bytes", key.len());
        ArgumentError::new("key", value, "at most 65,536 bytes long")
    };
    error.into()
}

/// A wait or timeout in microseconds, rounded down.
fn wait(parameter: &'static str, value: Duration) -> Result<u64, Error> {
    match u64::try_from(value.as_micros()) {
        Ok(us) if us <= MAX_PERIOD_US => Ok(us),
        _ => {
            let value = format_args!("{value:?}");
            Err(ArgumentError::new(parameter, value, "0 to 366 days").into())
        }
    }
}
