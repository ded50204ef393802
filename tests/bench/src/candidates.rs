//! What is measured: the same loops over this crate and over `governor`.

use governor::{DefaultKeyedRateLimiter, Quota, RateLimiter};
use ratelimit_core::{Limiter, Policy, Store};
use std::cell::Cell;
use std::hint::black_box;
use std::num::NonZeroU32;
use std::sync::Barrier;
use std::time::{Duration, Instant};

const HOT_CALLS: u64 = 200_000;
const RANDOM_CALLS: u64 = 200_000;

/// A limiter and its keys, in random order.
pub struct Fixture {
    limiter: Kind,
    keys: Vec<String>,
    /// The key to go on with.
    next: Cell<usize>,
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
        let name = |n: usize| format!("user:203.0.113.{n}");
        let mut numbers: Vec<usize> = (0..keys).collect();
        for &n in &numbers {
            limiter.allow(&name(n));
        }
        // Made in the order in which they are called, so that a call finds its key in the cache,
        // as a server does that has just read it. Where its state is nobody can foresee.
        shuffle(&mut numbers);
        let keys = numbers.into_iter().map(name).collect();
        let next = Cell::new(0);
        Fixture {
            limiter,
            keys,
            next,
        }
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
    calls(&fixture.limiter, &fixture.keys[0], expected)
}

fn calls(limiter: &Kind, key: &String, expected: bool) -> (Duration, u64) {
    let start = Instant::now();
    let mut allowed = 0;
    for _ in 0..HOT_CALLS {
        allowed += u64::from(limiter.allow(black_box(key)));
    }
    let time = start.elapsed();
    assert_eq!(allowed, if expected { HOT_CALLS } else { 0 });
    (time, HOT_CALLS)
}

/// Keys at random, always allowed.
pub fn random(fixture: &Fixture) -> (Duration, u64) {
    let start = Instant::now();
    let mut allowed = 0;
    let mut next = fixture.next.get();
    for _ in 0..RANDOM_CALLS {
        next = if next + 1 < fixture.keys.len() {
            next + 1
        } else {
            0
        };
        allowed += u64::from(fixture.limiter.allow(black_box(&fixture.keys[next])));
    }
    let time = start.elapsed();
    fixture.next.set(next);
    assert_eq!(allowed, RANDOM_CALLS);
    (time, RANDOM_CALLS)
}

/// One key from two threads at once, which both have to be there before either begins.
pub fn threads(fixture: &Fixture) -> (Duration, u64) {
    let (limiter, key) = (&fixture.limiter, &fixture.keys[0]);
    let start = Barrier::new(2);
    let run = || {
        start.wait();
        calls(limiter, key, true).0
    };
    let slower = std::thread::scope(|scope| {
        let other = scope.spawn(run);
        run().max(other.join().expect("calls do not panic"))
    });
    (slower, 2 * HOT_CALLS)
}

/// Always the same order, as good as any.
fn shuffle(numbers: &mut [usize]) {
    let mut x = 0x9E37_79B9_7F4A_7C15_u64;
    for last in (1..numbers.len()).rev() {
        x ^= x << 13;
        x ^= x >> 7;
        x ^= x << 17;
        numbers.swap(last, (x % (last as u64 + 1)) as usize);
    }
}
