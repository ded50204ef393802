//! What is measured: the same loops over this crate and over `governor`.

use governor::{DefaultKeyedRateLimiter, Quota, RateLimiter};
use ratelimit_core::{Limiter, Policy, Store};
use std::hint::black_box;
use std::num::NonZeroU32;
use std::time::{Duration, Instant};

const HOT_CALLS: u64 = 200_000;
const RANDOM_CALLS: u64 = 200_000;

/// A limiter and its keys.
pub struct Fixture {
    limiter: Kind,
    keys: Vec<String>,
}

enum Kind {
    Ours(Box<Limiter>),
    Governor(DefaultKeyedRateLimiter<String>),
}

impl Kind {
    #[inline(always)]
    fn allow(&self, key: &String) -> bool {
        match self {
            Kind::Ours(limiter) => limiter.allow(key, 1).expect("in range"),
            Kind::Governor(limiter) => limiter.check_key(key).is_ok(),
        }
    }
}

impl Fixture {
    /// This crate, with `keys` keys that have all been seen.
    pub fn ours(policy: Policy, keys: usize) -> Fixture {
        let store = Store::memory(keys).expect("enough memory");
        let limiter = Limiter::new("bench", policy, &store).expect("a good name");
        Fixture::seen(Kind::Ours(Box::new(limiter)), keys)
    }

    /// The peer, with a bucket of 4,294,967,295 that is refilled in `span`.
    pub fn governor(span: Duration, keys: usize) -> Fixture {
        let quota = Quota::with_period(span / u32::MAX).expect("not zero");
        let limiter = RateLimiter::keyed(quota.allow_burst(NonZeroU32::MAX));
        Fixture::seen(Kind::Governor(limiter), keys)
    }

    /// The peer, with one key that has nothing left for a day.
    pub fn governor_empty() -> Fixture {
        let quota = Quota::with_period(Duration::from_secs(86_400)).expect("not zero");
        Fixture::seen(Kind::Governor(RateLimiter::keyed(quota)), 1)
    }

    fn seen(limiter: Kind, keys: usize) -> Fixture {
        let keys: Vec<String> = (0..keys).map(|i| format!("user:203.0.113.{i}")).collect();
        for key in &keys {
            limiter.allow(key);
        }
        Fixture { limiter, keys }
    }
}

/// One key, always allowed.
pub fn hot(fixture: &Fixture) -> (Duration, u64) {
    one_key(fixture, true)
}

/// One key, always refused.
pub fn refused(fixture: &Fixture) -> (Duration, u64) {
    one_key(fixture, false)
}

fn one_key(fixture: &Fixture, expected: bool) -> (Duration, u64) {
    let key = &fixture.keys[0];
    let start = Instant::now();
    let mut allowed = 0;
    for _ in 0..HOT_CALLS {
        allowed += u64::from(fixture.limiter.allow(black_box(key)));
    }
    let time = start.elapsed();
    assert_eq!(allowed, if expected { HOT_CALLS } else { 0 });
    (time, HOT_CALLS)
}

/// Keys at random, always allowed.
pub fn random(fixture: &Fixture) -> (Duration, u64) {
    let mut x = 0x9E37_79B9_7F4A_7C15_u64;
    let start = Instant::now();
    let mut allowed = 0;
    for _ in 0..RANDOM_CALLS {
        x ^= x << 13;
        x ^= x >> 7;
        x ^= x << 17;
        let key = &fixture.keys[(x % fixture.keys.len() as u64) as usize];
        allowed += u64::from(fixture.limiter.allow(black_box(key)));
    }
    let time = start.elapsed();
    assert_eq!(allowed, RANDOM_CALLS);
    (time, RANDOM_CALLS)
}

/// One key from two threads at once.
pub fn threads(fixture: &Fixture) -> (Duration, u64) {
    let start = Instant::now();
    std::thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| hot(fixture));
        }
    });
    (start.elapsed(), 2 * HOT_CALLS)
}
