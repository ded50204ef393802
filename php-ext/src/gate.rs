//! A core limiter, and what answers for it when there is no segment or the switch is off.

use crate::failure::Failure;
use crate::ini;
use crate::moment::Moment;
use crate::segment;
use crate::store::Store;
use ratelimit_core::{Decision, Limiter, OnError, Outcome, Policy};
use std::time::Duration;

/// How long to stay away from a store that failed: nothing but a restart brings the segment.
const AWAY: Duration = Duration::from_secs(1);

/// Who answers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Mode {
    /// The core, on the store that was asked for.
    Live,
    /// The core, on a store of this process in place of the segment.
    Fallback,
    /// Nobody counts: the segment is missing.
    Allow,
    Deny,
    Fail,
    /// Nobody counts: `ratelimit.enabled` or `ratelimit.enable_cli` is 0.
    Off,
}

/// The calls that answer with a decision at once.
#[derive(Clone, Copy)]
pub enum Op {
    Consume,
    Peek,
    Reserve(Duration),
    Refund,
}

pub struct Gate {
    pub mode: Mode,
    pub core: Limiter,
    policy: Policy,
}

impl Gate {
    /// On `store`, or the shared one.
    pub fn new(
        name: &[u8],
        policy: Policy,
        store: Option<&Store>,
        on_error: OnError,
    ) -> Result<Gate, Failure> {
        let name = String::from_utf8_lossy(name);
        if !ini::enabled() {
            // One that touches no store, for its name.
            let core = Limiter::unlimited(&name)?;
            return Ok(Gate {
                mode: Mode::Off,
                core,
                policy,
            });
        }
        let backing = store.map_or_else(segment::shared, Store::backing)?;
        let core = Limiter::new(&name, policy, &backing.store)?.on_error(on_error);
        let mode = match on_error {
            _ if !backing.missing => Mode::Live,
            OnError::Fallback => Mode::Fallback,
            OnError::Allow => Mode::Allow,
            OnError::Deny => Mode::Deny,
            OnError::Fail => Mode::Fail,
        };
        Ok(Gate { mode, core, policy })
    }

    pub fn unlimited(name: &[u8]) -> Result<Gate, Failure> {
        Ok(Gate {
            mode: Mode::Live,
            core: Limiter::unlimited(&String::from_utf8_lossy(name))?,
            policy: Policy::unlimited(),
        })
    }

    pub fn policy(&self) -> &Policy {
        &self.policy
    }

    #[inline(always)]
    pub fn allow(&self, key: &[u8], cost: u64) -> Result<bool, Failure> {
        match self.mode {
            Mode::Live | Mode::Fallback => Ok(self.core.allow(key, cost)?),
            mode => Ok(self.answer(mode, cost)?.allowed),
        }
    }

    #[inline(always)]
    pub fn decide(&self, op: Op, key: &[u8], cost: u64) -> Result<Decision<'_>, Failure> {
        if !self.counts() {
            let cost = if matches!(op, Op::Refund) { 0 } else { cost };
            return self.answer(self.mode, cost);
        }
        let decision = match op {
            Op::Consume => self.core.consume(key, cost),
            Op::Peek => self.core.peek(key, cost),
            Op::Reserve(max_wait) => self.core.reserve(key, cost, max_wait),
            Op::Refund => self.core.refund(key, cost),
        };
        Ok(self.marked(decision?))
    }

    /// Like `decide`, but the times can wait; `None` if nobody counts.
    #[inline(always)]
    pub fn decide_open(&self, key: &[u8], cost: u64) -> Result<Option<Outcome>, Failure> {
        match self.counts() {
            true => Ok(Some(self.core.decide(key, cost)?)),
            false => Ok(None),
        }
    }

    /// What was decided, and when.
    pub fn explain(&self, outcome: &Outcome) -> (Decision<'_>, Moment) {
        let (decision, age) = self.core.explain(outcome);
        (self.marked(decision), Moment::ago(age))
    }

    /// Fails if there is no store that could forget, whatever the policy.
    pub fn reset(&self, key: &[u8]) -> Result<(), Failure> {
        match self.mode {
            Mode::Live => Ok(self.core.reset(key)?),
            Mode::Off => Ok(()),
            _ => Err(Failure::NoSegment),
        }
    }

    /// Whether the core answers.
    pub fn counts(&self) -> bool {
        matches!(self.mode, Mode::Live | Mode::Fallback)
    }

    /// A decision of the core, marked if it came from a store that stands in.
    pub fn marked<'a>(&self, mut decision: Decision<'a>) -> Decision<'a> {
        decision.degraded |= self.mode == Mode::Fallback;
        decision
    }

    /// What `mode` says without counting.
    #[cold]
    pub fn answer(&self, mode: Mode, cost: u64) -> Result<Decision<'_>, Failure> {
        let limit = self.policy.limit();
        let fits = cost <= limit;
        let denied = mode == Mode::Deny;
        let allowed = match mode {
            Mode::Fail => return Err(Failure::NoSegment),
            Mode::Deny => cost == 0,
            Mode::Off => true,
            _ => fits,
        };
        Ok(Decision {
            allowed,
            limit,
            remaining: if denied { 0 } else { limit },
            retry_after: match allowed {
                true => Some(Duration::ZERO),
                false => fits.then_some(AWAY),
            },
            reset_after: if denied { AWAY } else { Duration::ZERO },
            wait: Duration::ZERO,
            degraded: mode != Mode::Off,
            limiter: self.core.name(),
        })
    }
}
