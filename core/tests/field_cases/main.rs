//! Faults that users of other limiters reported, tried here: each test names the report that it
//! comes from.

mod acquire;
mod arguments;
mod buckets;
mod exactness;
mod keys;
mod room;
mod several;
mod windows;

use ratelimit_core::{Decision, Limiter, ManualClock, Policy, Segment, Store};
use std::sync::Arc;
use std::time::Duration;

const SECOND: Duration = Duration::from_secs(1);
const KEY: &str = "key";

fn us(us: u64) -> Duration {
    Duration::from_micros(us)
}

fn ms(ms: u64) -> Duration {
    Duration::from_millis(ms)
}

fn s(s: u64) -> Duration {
    Duration::from_secs(s)
}

fn token(capacity: u64, refill: u64, per: Duration) -> Policy {
    Policy::token_bucket(capacity, refill, per).unwrap()
}

fn leaky(capacity: u64, leak: u64, per: Duration) -> Policy {
    Policy::leaky_bucket(capacity, leak, per).unwrap()
}

fn fixed(limit: u64, window: Duration) -> Policy {
    Policy::fixed_window(limit, window).unwrap()
}

fn sliding(limit: u64, window: Duration, segments: u32) -> Policy {
    Policy::sliding_window(limit, window, segments).unwrap()
}

/// All algorithms with this limit per window.
fn all_policies(limit: u64, window: Duration) -> [Policy; 5] {
    [
        token(limit, limit, window),
        leaky(limit, limit, window),
        fixed(limit, window),
        sliding(limit, window, 10),
        sliding(limit, window, 1),
    ]
}

/// A limiter on a store of its own, whose clock begins at 0.
struct One {
    clock: Arc<ManualClock>,
    store: Store,
    limiter: Limiter,
}

impl One {
    fn new(store: Store, clock: Arc<ManualClock>, policy: Policy) -> One {
        let limiter = Limiter::new("limiter", policy, &store).unwrap();
        One {
            clock,
            store,
            limiter,
        }
    }

    fn consume(&self, cost: u64) -> Decision<'_> {
        self.limiter.consume(KEY, cost).unwrap()
    }

    fn peek(&self, cost: u64) -> Decision<'_> {
        self.limiter.peek(KEY, cost).unwrap()
    }

    fn allow(&self) -> bool {
        self.limiter.allow(KEY, 1).unwrap()
    }

    /// How many of so many calls are allowed.
    fn allowed_of(&self, calls: u64) -> u64 {
        (0..calls).filter(|_| self.allow()).count() as u64
    }

    fn pass(&self, time: Duration) {
        self.clock.advance(time);
    }

    fn at(&self, time: Duration) {
        self.clock.set(time.as_micros() as u64);
    }
}

/// Runs a test on every local store.
fn on_each_store(policy: Policy, test: impl Fn(&One)) {
    let clock = Arc::new(ManualClock::new(0));
    let store = Store::memory_with_clock(1_000, clock.clone()).unwrap();
    test(&One::new(store, clock, policy));

    let clock = Arc::new(ManualClock::new(0));
    let segment = Segment::anonymous(1 << 20).unwrap();
    let store = Store::shared_with_clock(&segment, clock.clone());
    test(&One::new(store, clock, policy));
}

/// Local stores on the system's clock.
fn system_stores() -> [Store; 2] {
    let segment = Segment::anonymous(1 << 20).unwrap();
    [Store::memory(1_000).unwrap(), Store::shared(&segment)]
}
