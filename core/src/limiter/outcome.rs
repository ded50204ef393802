//! What `decide` decided; its times are worked out when somebody asks for them.

use super::charge::Answer;
use crate::algorithm::{State, Verdict};

/// What [`Limiter::decide`](crate::Limiter::decide) decided, for [`Limiter::explain`](crate::Limiter::explain) to put into words.
#[derive(Debug, Clone, Copy)]
#[must_use]
pub struct Outcome(pub(super) Kind);

/// All fields are words, so that an outcome travels in registers.
#[derive(Debug, Clone, Copy)]
pub(super) enum Kind {
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
    Open(Open),
}

/// An admission on a reading of the clock, `seen`, that may be up to [`LAG`](crate::clock::LAG) old if the limiter is
/// lenient: the state before the charge and after it.
#[derive(Debug, Clone, Copy)]
pub(super) struct Open {
    pub seen: u64,
    before_until: u64,
    after_until: u64,
    /// The amount before the charge, and in the upper half that after it.
    amounts: u64,
}

impl Open {
    #[inline]
    pub(super) fn new(seen: u64, before: State, after: State) -> Open {
        Open {
            seen,
            before_until: before.until,
            after_until: after.until,
            amounts: u64::from(before.amount) | u64::from(after.amount) << 32,
        }
    }

    pub(super) fn states(self) -> (State, State) {
        let before = State {
            until: self.before_until,
            amount: self.amounts as u32,
        };
        let after = State {
            until: self.after_until,
            amount: (self.amounts >> 32) as u32,
        };
        (before, after)
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

impl Answer for Kind {
    #[inline(always)]
    fn is_allowed(&self) -> bool {
        !matches!(self, Kind::Refused { .. })
    }
}

impl Outcome {
    /// Whether the call was admitted.
    #[inline]
    pub fn is_allowed(&self) -> bool {
        self.0.is_allowed()
    }

    /// Whether [`Limiter::explain`](crate::Limiter::explain) still has to read the clock.
    #[inline]
    pub fn is_open(&self) -> bool {
        matches!(self.0, Kind::Open(_))
    }
}
