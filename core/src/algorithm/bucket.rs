//! What token and leaky bucket share: one instant per key, in ticks of 2⁻³² µs.
//!
//! The token bucket reads the instant as *full at*, the leaky bucket as *empty at*. All either
//! needs is how far ahead of now it lies: `ahead`, zero for a fresh key.

use super::{Change, NEVER, State};
use crate::policy::{Bucket, Split};

/// Microseconds in ticks.
pub(super) fn ticks(us: u64) -> u128 {
    u128::from(us) << 32
}

/// Ticks in microseconds, rounded up.
pub(super) fn micros(ticks: u128) -> u64 {
    u64::try_from(ticks.div_ceil(1 << 32)).unwrap_or(u64::MAX)
}

/// How far ahead of `now` the key's instant lies.
pub(super) fn ahead(state: Option<State>, now: u64) -> u128 {
    match state {
        Some(s) if s.until > now => ticks(s.until - now) - u128::from(s.amount),
        _ => 0,
    }
}

/// The state whose instant lies `ahead` of `now`.
pub(super) fn state_at(now: u64, ahead: u128) -> State {
    let Split { us, less } = Split::new(ahead);
    State {
        until: now.saturating_add(us),
        amount: less,
    }
}

impl Bucket {
    /// The charge for `cost` units, or `None` if no bucket is large enough.
    pub(super) fn charge(&self, cost: u64) -> Option<u128> {
        (cost <= self.capacity).then(|| self.unit * u128::from(cost))
    }

    /// The largest cost that fits on top of `ahead`.
    pub(super) fn remaining(&self, ahead: u128) -> u64 {
        let room = self.full.saturating_sub(ahead);
        match (u64::try_from(room), u64::try_from(self.unit)) {
            (Ok(room), Ok(unit)) => room / unit,
            _ => (room / self.unit) as u64,
        }
    }

    /// The shortest wait until `ahead + charge` is at most `most`, in microseconds.
    pub(super) fn retry_after(&self, ahead: u128, charge: Option<u128>, most: u128) -> u64 {
        charge.map_or(NEVER, |c| micros((ahead + c).saturating_sub(most)))
    }

    /// A refund of `cost` units, never beyond a fresh key.
    pub(super) fn refund(&self, ahead: u128, now: u64, cost: u64) -> (Change, u128) {
        let back = self.unit.saturating_mul(u128::from(cost));
        let left = ahead.saturating_sub(back);
        let change = match left {
            _ if left == ahead => Change::Keep,
            0 => Change::Clear,
            _ => Change::Put(state_at(now, left)),
        };
        (change, left)
    }

    /// Takes back what is left of a charge of `cost` units after which the instant stood at
    /// `charged`: all of it until that comes near, nothing once it has passed.
    pub(super) fn take_back(&self, state: State, now: u64, cost: u64, charged: State) -> Change {
        let ahead_now = ahead(Some(state), now);
        let back = (self.unit * u128::from(cost)).min(ahead(Some(charged), now));
        match ahead_now.saturating_sub(back) {
            left if left == ahead_now => Change::Keep,
            0 => Change::Clear,
            left => Change::Put(state_at(now, left)),
        }
    }

    /// The state after a charge of `cost` units, if it fits.
    ///
    /// In microseconds and ticks apart, which takes half as many instructions as sums of 128 bits.
    #[inline(always)]
    pub(crate) fn admit(&self, state: Option<State>, now: u64, cost: u64) -> Option<State> {
        let charge = match cost {
            1 => self.unit_split,
            _ => Split::new(self.charge(cost)?),
        };
        let full = self.full_split;
        let fresh = State {
            until: now,
            amount: 0,
        };
        let before = state.filter(|s| s.until > now).unwrap_or(fresh);
        let (amount, borrow) = before.amount.overflowing_add(charge.less);
        let until = before.until.wrapping_add(charge.us) - u64::from(borrow);
        let ahead = until - now;
        let fits = ahead < full.us || ahead == full.us && amount >= full.less;
        fits.then_some(State { until, amount })
    }
}
