//! Any sequence of calls: both local stores agree, and what a decision promises comes true.

#![no_main]

#[path = "../../../core/tests/support/exercise.rs"]
#[allow(dead_code)] // only its limiters and ranges are needed
mod exercise;

use arbitrary::Arbitrary;
use exercise::{check, limiters};
use libfuzzer_sys::fuzz_target;
use ratelimit_core::{Charge, Clock, Decision, Limiter, ManualClock, Segment, Store};
use std::sync::Arc;
use std::time::Duration;

const KEYS: [&str; 3] = ["", "key", "another"];
const DAY: Duration = Duration::from_secs(86_400);

#[derive(Debug, Arbitrary)]
enum Call {
    Consume,
    Allow,
    Reserve { max_wait: u32 },
    Refund,
    Reset,
    All { other: u8, more: u32 },
}

/// Costs and times of every magnitude.
#[derive(Debug, Arbitrary)]
struct Number {
    value: u16,
    shift: u8,
}

impl Number {
    fn up_to(&self, most: u64) -> u64 {
        (u64::from(self.value) << (self.shift % 48)).min(most)
    }
}

#[derive(Debug, Arbitrary)]
struct Step {
    limiter: u8,
    key: u8,
    cost: Number,
    passed: Number,
    call: Call,
}

struct One {
    clock: Arc<ManualClock>,
    limiters: Vec<Limiter>,
}

impl One {
    /// Makes the call, and holds the decision against what `peek` says before and after.
    fn call(&self, step: &Step) -> Option<Decision<'_>> {
        let limiter = &self.limiters[usize::from(step.limiter) % self.limiters.len()];
        let key = KEYS[usize::from(step.key) % KEYS.len()];
        let cost = step.cost.up_to(i64::MAX as u64);
        let before = limiter.peek(key, cost).unwrap();
        check(limiter, before);
        self.promised(limiter, key, cost, before);
        let decision = match &step.call {
            Call::Consume => limiter.consume(key, cost).unwrap(),
            Call::Allow => {
                assert_eq!(limiter.allow(key, cost).unwrap(), before.allowed);
                limiter.peek(key, 0).unwrap()
            }
            Call::Reserve { max_wait } => {
                let max_wait = Duration::from_micros((*max_wait).into());
                limiter.reserve(key, cost, max_wait).ok()?
            }
            Call::Refund => limiter.refund(key, cost).unwrap(),
            Call::Reset => {
                limiter.reset(key).unwrap();
                let fresh = limiter.peek(key, 0).unwrap();
                assert_eq!(fresh.remaining, fresh.limit);
                assert!(fresh.reset_after.is_zero());
                fresh
            }
            Call::All { other, more } => self.all(limiter, key, cost, *other, (*more).into()),
        };
        check(limiter, limiter.peek(key, 0).unwrap());
        if let Call::Consume = step.call {
            assert_eq!(decision.allowed, before.allowed);
            assert_eq!(decision.retry_after, before.retry_after);
            let taken = if before.allowed { cost } else { 0 };
            assert_eq!(decision.remaining, before.remaining - taken);
        }
        Some(decision)
    }

    /// Waiting exactly as long as it says is enough, and less is not.
    fn promised(&self, limiter: &Limiter, key: &str, cost: u64, decision: Decision<'_>) {
        assert_eq!(decision.allowed, cost == 0 || cost <= decision.remaining);
        let now = self.clock.now();
        // A table sheds what a clock that jumps by years has left behind.
        let soon = |wait: &Duration| !wait.is_zero() && *wait < 100 * DAY;
        if let Some(wait) = decision.retry_after.filter(soon) {
            let wait = wait.as_micros() as u64;
            self.clock.set(now + wait - 1);
            assert!(!limiter.peek(key, cost).unwrap().allowed);
            self.clock.set(now + wait);
            assert!(limiter.peek(key, cost).unwrap().allowed);
            self.clock.set(now);
        }
    }

    fn all(&self, limiter: &Limiter, key: &str, cost: u64, other: u8, more: u64) -> Decision<'_> {
        let other = &self.limiters[usize::from(other) % self.limiters.len()];
        let limiter = self.limiters.iter().find(|l| l.name() == limiter.name());
        let charge = |limiter, cost| Charge {
            limiter,
            key: key.as_bytes(),
            cost,
        };
        let left = other.peek(key, 0).unwrap();
        let decision =
            Limiter::consume_all(&[charge(limiter.unwrap(), cost), charge(other, more)]).unwrap();
        if !decision.allowed {
            assert_eq!(
                other.peek(key, 0).unwrap(),
                left,
                "a refusal leaves no trace"
            );
        }
        decision
    }
}

fuzz_target!(|input: (u64, Vec<Step>)| {
    let (start, steps) = input;
    let start = start >> 3;
    let clocks = [(); 2].map(|()| Arc::new(ManualClock::new(start)));
    let segment = Segment::anonymous(512 << 10).unwrap();
    let memory = Store::memory_with_clock(4_096, clocks[0].clone()).unwrap();
    let shared = Store::shared_with_clock(&segment, clocks[1].clone());
    let [memory, shared] = [memory, shared].map(|store| limiters(&store));
    let [one, two] = clocks;
    let all = [(one, memory), (two, shared)].map(|(clock, limiters)| One { clock, limiters });
    for step in steps.iter().take(200) {
        for one in &all {
            // Not more than a few centuries in all.
            let passed = step.passed.up_to(40 * DAY.as_micros() as u64);
            one.clock.advance(Duration::from_micros(passed));
        }
        let answers = all.each_ref().map(|one| one.call(step));
        assert_eq!(answers[0], answers[1]);
    }
});
