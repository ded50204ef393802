//! Token bucket: the instant is when the bucket is full again.
//!
//! Tokens = capacity − ahead / unit, refilling continuously. A reservation may take tokens below
//! zero; its wait is the time until they are back at zero.

use super::bucket::{ahead, micros, state_at, ticks};
use super::{Change, Charged, NEVER, Op, SingleState, State, Verdict};
use crate::policy::Bucket;

/// A [`Bucket`] read as tokens.
#[derive(Debug, Clone, Copy)]
pub(crate) struct TokenBucket<'a>(pub &'a Bucket);

impl SingleState for TokenBucket<'_> {
    #[inline]
    fn admit(&self, state: Option<State>, now: u64, cost: u64) -> Option<State> {
        self.0.admit(state, now, cost)
    }

    #[inline]
    fn apply(&self, op: Op, state: Option<State>, now: u64, cost: u64) -> (Change, Verdict) {
        let bucket = self.0;
        let before = ahead(state, now);
        if op == Op::Refund {
            let (change, after) = bucket.refund(before, now, cost);
            return (change, self.verdict(true, after, 0, 0));
        }
        let max_wait = match op {
            Op::Reserve { max_wait } => ticks(max_wait),
            _ => 0,
        };
        let charge = bucket.charge(cost);
        match charge.map(|c| before + c) {
            _ if cost == 0 => (Change::Keep, self.verdict(true, before, 0, 0)),
            Some(after) if after <= bucket.full + max_wait => {
                if op == Op::Peek {
                    return (Change::Keep, self.verdict(true, before, 0, 0));
                }
                let wait = micros(after.saturating_sub(bucket.full));
                let change = Change::Put(state_at(now, after));
                (change, self.verdict(true, after, 0, wait))
            }
            _ => {
                let retry = bucket.retry_after(before, charge, bucket.full + max_wait);
                (Change::Keep, self.verdict(false, before, retry, 0))
            }
        }
    }

    fn admitted(&self, _before: State, after: State, now: u64) -> Verdict {
        self.verdict(true, ahead(Some(after), now), 0, 0)
    }

    fn take_back(&self, state: State, now: u64, cost: u64, charged: Charged) -> Change {
        self.0.take_back(state, now, cost, charged.state)
    }
}

impl TokenBucket<'_> {
    fn verdict(&self, allowed: bool, ahead: u128, retry_after: u64, wait: u64) -> Verdict {
        debug_assert!(!allowed || retry_after != NEVER);
        Verdict {
            allowed,
            remaining: self.0.remaining(ahead),
            retry_after,
            reset_after: micros(ahead),
            wait,
        }
    }
}
