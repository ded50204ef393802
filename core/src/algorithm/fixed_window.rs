//! Fixed window: a window opens at a key's first charge and ends `window` later.

use super::{Change, Charged, NEVER, Op, SingleState, State, Verdict};
use crate::policy::FixedWindow;

/// The window that is open now, if one is.
fn open(state: Option<State>, now: u64) -> Option<State> {
    state.filter(|s| s.until > now)
}

impl SingleState for FixedWindow {
    #[inline]
    fn admit(&self, state: Option<State>, now: u64, cost: u64) -> Option<State> {
        let window = open(state, now).unwrap_or(State {
            until: now.saturating_add(self.window_us),
            amount: 0,
        });
        let count = u64::from(window.amount).checked_add(cost)?;
        (count <= self.limit).then_some(State {
            until: window.until,
            amount: count as u32,
        })
    }

    #[inline]
    fn apply(&self, op: Op, state: Option<State>, now: u64, cost: u64) -> (Change, Verdict) {
        let state = open(state, now);
        if cost == 0 {
            return (Change::Keep, self.verdict(true, state, now, 0));
        }
        if op == Op::Refund {
            let after = state.map(|s| State {
                until: s.until,
                amount: u64::from(s.amount).saturating_sub(cost) as u32,
            });
            let change = after.map_or(Change::Keep, Change::Put);
            return (change, self.verdict(true, after, now, 0));
        }
        match self.admit(state, now, cost) {
            Some(_) if op == Op::Peek => (Change::Keep, self.verdict(true, state, now, 0)),
            Some(after) => (Change::Put(after), self.verdict(true, Some(after), now, 0)),
            None => {
                let retry = match state {
                    Some(s) if cost <= self.limit => s.until - now,
                    _ => NEVER,
                };
                (Change::Keep, self.verdict(false, state, now, retry))
            }
        }
    }

    fn admitted(&self, _before: State, after: State, now: u64) -> Verdict {
        self.verdict(true, open(Some(after), now), now, 0)
    }

    fn take_back(&self, state: State, now: u64, cost: u64, charged: Charged) -> Change {
        if state.until != charged.state.until {
            return Change::Keep; // another window
        }
        let count = u64::from(state.amount).saturating_sub(cost) as u32;
        match open(Some(state), now) {
            None => Change::Keep,
            Some(_) if charged.opened && count == 0 => Change::Clear,
            Some(s) => Change::Put(State {
                until: s.until,
                amount: count,
            }),
        }
    }
}

impl FixedWindow {
    fn verdict(&self, allowed: bool, state: Option<State>, now: u64, retry_after: u64) -> Verdict {
        let used = state.map_or(0, |s| u64::from(s.amount));
        Verdict {
            allowed,
            remaining: self.limit.saturating_sub(used),
            retry_after,
            reset_after: state.map_or(0, |s| s.until - now),
            wait: 0,
        }
    }
}
