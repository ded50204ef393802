//! Leaky bucket: the instant is when the bucket has run empty.
//!
//! Water = ahead / unit. A decision's wait is the time until the water that was there before the
//! charge has run out, so that callers who wait act at a constant rate.

use super::bucket::{ahead, micros, state_at, ticks};
use super::{Change, Charged, NEVER, Op, SingleState, State, Verdict};
use crate::policy::Bucket;

/// A [`Bucket`] read as water.
#[derive(Debug, Clone, Copy)]
pub(crate) struct LeakyBucket<'a>(pub &'a Bucket);

impl SingleState for LeakyBucket<'_> {
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
        // Beyond this, somebody who reserves would wait longer than allowed.
        let most_before = match op {
            Op::Reserve { max_wait } => ticks(max_wait),
            _ => u128::MAX,
        };
        let charge = bucket.charge(cost);
        match charge.map(|c| before + c) {
            _ if cost == 0 => (Change::Keep, self.verdict(true, before, 0, 0)),
            Some(after) if after <= bucket.full && before <= most_before => {
                let wait = micros(before);
                if op == Op::Peek {
                    return (Change::Keep, self.verdict(true, before, 0, wait));
                }
                let change = Change::Put(state_at(now, after));
                (change, self.verdict(true, after, 0, wait))
            }
            _ => {
                let room = bucket.retry_after(before, charge, bucket.full);
                let retry = room.max(micros(before.saturating_sub(most_before)));
                (Change::Keep, self.verdict(false, before, retry, 0))
            }
        }
    }

    fn admitted(&self, before: State, after: State, now: u64) -> Verdict {
        let wait = micros(ahead(Some(before), now));
        self.verdict(true, ahead(Some(after), now), 0, wait)
    }

    fn take_back(&self, state: State, now: u64, cost: u64, charged: Charged) -> Change {
        self.0.take_back(state, now, cost, charged.state)
    }
}

impl LeakyBucket<'_> {
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
