//! Getting units by waiting for them.

use super::{Limiter, check, wait};
use crate::algorithm::{NEVER, Op, Verdict};
use crate::clock::{Reading, Source};
use crate::decision::Decision;
use crate::error::Error;
use crate::policy::Rule;
use std::time::Duration;

/// An [`acquire`](Limiter::acquire) in steps, for callers who sleep by themselves.
pub struct Acquisition<'l, 'k> {
    limiter: &'l Limiter,
    key: &'k [u8],
    cost: u64,
    /// When to give up; `None` before the first step.
    deadline: Option<u64>,
    timeout: u64,
    reserved: bool,
}

/// What to do next.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Step<'l> {
    /// Nothing: this is the answer.
    Done(Decision<'l>),
    /// Sleep that long, then ask again.
    Sleep(Duration),
}

impl Limiter {
    /// Gets `cost` by waiting at most `timeout` (at most 366 days, rounded down to a microsecond).
    ///
    /// It answers at once when it can know that the units won't come in time. A token bucket
    /// and a leaky bucket with room are charged first, and the caller's turn is slept for;
    /// a window or a full leaky bucket is asked again when it has room. On a refusal,
    /// `retry_after` is what [`consume`](Limiter::consume) would say.
    ///
    /// On a clock that cannot sleep, a call that would have to wait is refused.
    ///
    /// # Errors
    /// [`Error::Argument`] if the key is too long, the cost too large or `timeout` too long.
    pub fn acquire(
        &self,
        key: impl AsRef<[u8]>,
        cost: u64,
        timeout: Duration,
    ) -> Result<Decision<'_>, Error> {
        let source = self.place.as_ref().map(|(store, _)| &store.local.source);
        let mut acquisition = self.acquisition(key.as_ref(), cost, timeout)?;
        if !source.is_none_or(Source::can_sleep) {
            acquisition.timeout = 0;
        }
        loop {
            match (acquisition.step(), source) {
                (Step::Done(decision), _) => return Ok(decision),
                (Step::Sleep(duration), Some(source)) => source.sleep(duration),
                (Step::Sleep(_), None) => {}
            }
        }
    }

    /// The steps of an [`acquire`](Limiter::acquire), for callers who sleep by themselves.
    ///
    /// # Errors
    /// As [`acquire`](Limiter::acquire).
    pub fn acquisition<'l, 'k>(
        &'l self,
        key: &'k [u8],
        cost: u64,
        timeout: Duration,
    ) -> Result<Acquisition<'l, 'k>, Error> {
        check(key, cost)?;
        Ok(Acquisition {
            limiter: self,
            key,
            cost,
            deadline: None,
            timeout: wait("timeout", timeout)?,
            reserved: false,
        })
    }
}

impl<'l> Acquisition<'l, '_> {
    /// Tries, and says what to do next.
    pub fn step(&mut self) -> Step<'l> {
        let limiter = self.limiter;
        if self.reserved {
            let now = limiter.apply(Op::Peek, self.key, 0);
            return Step::Done(limiter.decision(now));
        }
        let now = match &limiter.place {
            Some((store, _)) => Reading::exact(&store.local.source).now(),
            None => 0,
        };
        let deadline = *self
            .deadline
            .get_or_insert(now.saturating_add(self.timeout));
        let left = deadline.saturating_sub(now);
        let op = match limiter.policy.0 {
            Rule::TokenBucket(_) | Rule::LeakyBucket(_) => Op::Reserve { max_wait: left },
            _ => Op::Consume,
        };
        let verdict = limiter.apply(op, self.key, self.cost);
        if verdict.allowed {
            return self.granted(verdict);
        }
        match self.pause(verdict, left) {
            Some(pause) => Step::Sleep(Duration::from_micros(pause)),
            None => {
                limiter.count(false);
                Step::Done(limiter.decision(self.refusal(verdict)))
            }
        }
    }

    fn granted(&mut self, verdict: Verdict) -> Step<'l> {
        self.limiter.count(true);
        if verdict.wait > 0 {
            self.reserved = true;
            return Step::Sleep(Duration::from_micros(verdict.wait));
        }
        Step::Done(self.limiter.decision(verdict))
    }

    /// How long to sleep before it is worth while to ask again; `None` if that is too late.
    fn pause(&self, refused: Verdict, left: u64) -> Option<u64> {
        let pause = refused.retry_after;
        match self.limiter.policy.0 {
            _ if pause == NEVER => None,
            // A reservation was refused, so no wait within `left` is long enough.
            Rule::TokenBucket(_) => None,
            // Its turn comes when the water that is there now has run out, whenever it asks.
            Rule::LeakyBucket(_) if refused.reset_after > left => None,
            _ => (pause <= left).then_some(pause),
        }
    }

    /// A refusal to wait, as `consume` would put it.
    fn refusal(&self, refused: Verdict) -> Verdict {
        let asked = self.limiter.apply(Op::Peek, self.key, self.cost);
        match asked.allowed {
            // There is room, but its turn would come too late.
            true => refused,
            false => asked,
        }
    }
}
