//! Threads on one limiter and the system's clock: facts that no order of theirs can change.

use ratelimit_core::{
    Acquisition, Decision, Error, Limiter, ManualClock, Policy, Segment, Stats, Store,
};
use std::sync::{Arc, Barrier};
use std::time::{Duration, Instant};

const SECOND: Duration = Duration::from_secs(1);

/// Whatever threads share or pass on.
const fn shared_between_threads<T: Send + Sync>() {}

const _: () = {
    shared_between_threads::<Limiter>();
    shared_between_threads::<Policy>();
    shared_between_threads::<Store>();
    shared_between_threads::<Segment>();
    shared_between_threads::<Stats>();
    shared_between_threads::<Decision<'static>>();
    shared_between_threads::<Acquisition<'static, 'static>>();
    shared_between_threads::<Error>();
    shared_between_threads::<Arc<ManualClock>>();
};

fn stores() -> [Store; 2] {
    let segment = Segment::anonymous(1 << 20).unwrap();
    [Store::memory(10_000).unwrap(), Store::shared(&segment)]
}

/// Runs `call` in so many threads that begin together.
fn together<R: Send>(threads: usize, call: impl Fn(usize) -> R + Sync) -> Vec<R> {
    let start = Barrier::new(threads);
    let (start, call) = (&start, &call);
    std::thread::scope(|scope| {
        let thread = |i| {
            scope.spawn(move || {
                start.wait();
                call(i)
            })
        };
        let threads: Vec<_> = (0..threads).map(thread).collect();
        threads.into_iter().map(|t| t.join().unwrap()).collect()
    })
}

/// Lets everybody wait for one unit; returns when each of them got it, in order.
fn served(limiter: &Limiter, waiters: usize) -> Vec<Duration> {
    let began = Instant::now();
    let mut served = together(waiters, |_| {
        let decision = limiter.acquire("key", 1, 30 * SECOND).unwrap();
        assert!(decision.allowed, "{decision:?}");
        assert_eq!(decision.wait, Duration::ZERO);
        began.elapsed()
    });
    served.sort();
    served
}

/// Seen in resilience4j 822 and tower-resilience 363: waiters got passes of others as well.
#[test]
fn waiters_on_a_bucket_get_one_pass_each_at_its_rate() {
    for (waiters, rate) in [(9, 20), (100, 100)] {
        for policy in [
            Policy::token_bucket(1, rate, SECOND),
            Policy::leaky_bucket(100, rate, SECOND),
        ] {
            let store = Store::memory(10).unwrap();
            let limiter = Limiter::new("limiter", policy.unwrap(), &store).unwrap();
            let served = served(&limiter, waiters);
            for (i, at) in served.iter().enumerate() {
                let turn = SECOND * i as u32 / rate as u32;
                assert!(*at >= turn, "waiter {i} after {at:?}, not {turn:?}");
            }
            let stats = store.stats();
            assert_eq!((stats.allowed, stats.refused), (waiters as u64, 0));
        }
    }
}

#[test]
fn waiters_on_a_window_get_its_limit_each_time() {
    // Charges at the end of a segment begin to fade a segment's length before the window is over.
    for (policy, turn) in [
        (Policy::fixed_window(10, Duration::from_millis(100)), 100),
        (
            Policy::sliding_window(10, Duration::from_millis(100), 10),
            90,
        ),
    ] {
        let store = Store::memory(100).unwrap();
        let limiter = Limiter::new("limiter", policy.unwrap(), &store).unwrap();
        let served = served(&limiter, 50);
        for (i, at) in served.iter().enumerate() {
            let turn = Duration::from_millis(turn) * (i as u32 / 10);
            assert!(*at >= turn, "waiter {i} after {at:?}, not {turn:?}");
        }
        assert_eq!(store.stats().allowed, 50);
    }
}

#[test]
fn who_cannot_be_served_in_time_does_not_wait() {
    let store = Store::memory(10).unwrap();
    let policy = Policy::token_bucket(1, 1, 3_600 * SECOND).unwrap();
    let limiter = Limiter::new("limiter", policy, &store).unwrap();
    let began = Instant::now();
    let decisions = together(8, |_| limiter.acquire("key", 1, 600 * SECOND).unwrap());
    assert_eq!(decisions.iter().filter(|d| d.allowed).count(), 1);
    assert!(began.elapsed() < 60 * SECOND);
}

#[test]
fn counters_of_eight_threads_add_up() {
    let hour = 3_600 * SECOND;
    for store in stores() {
        let policy = Policy::fixed_window(1_000, hour).unwrap();
        let limiter = Limiter::new("limiter", policy, &store).unwrap();
        let allowed = together(8, |i| {
            let call = |n: usize| match (i + n) % 3 {
                0 => limiter.consume("key", 1).unwrap().allowed,
                _ => limiter.allow("key", 1).unwrap(),
            };
            (0..1_000).filter(|n| call(*n)).count() as u64
        });
        assert_eq!(allowed.iter().sum::<u64>(), 1_000);
        let stats = store.stats();
        assert_eq!((stats.allowed, stats.refused), (1_000, 7_000));
        assert_eq!((stats.live, stats.given_up), (1, 0));
    }
}

#[test]
fn counters_survive_more_threads_than_there_are_shards() {
    for store in stores() {
        let policy = Policy::token_bucket(50, 1, 3_600 * SECOND).unwrap();
        let limiter = Limiter::new("limiter", policy, &store).unwrap();
        for _ in 0..3 {
            together(150, |_| (0..10).for_each(|_| drop(limiter.allow("key", 1))));
        }
        let stats = store.stats();
        assert_eq!((stats.allowed, stats.refused), (50, 4_450));
    }
}

#[test]
fn charges_and_refunds_of_many_threads_cancel_out() {
    let hour = 3_600 * SECOND;
    for store in stores() {
        let policies = [
            Policy::fixed_window(1_000, hour),
            Policy::sliding_window(1_000, hour, 10),
            Policy::token_bucket(1_000, 1, hour),
            Policy::leaky_bucket(1_000, 1, hour),
        ];
        for policy in policies {
            let limiter = Limiter::new("limiter", policy.unwrap(), &store).unwrap();
            assert!(limiter.allow("key", 400).unwrap());
            together(8, |_| {
                for _ in 0..500 {
                    assert!(limiter.consume("key", 3).unwrap().allowed);
                    assert!(limiter.refund("key", 3).unwrap().allowed);
                }
            });
            assert_eq!(limiter.peek("key", 0).unwrap().remaining, 600);
        }
    }
}

#[test]
fn all_or_nothing_holds_between_threads() {
    let hour = 3_600 * SECOND;
    for store in stores() {
        let limiter = |name, limit| {
            let policy = Policy::fixed_window(limit, hour).unwrap();
            Limiter::new(name, policy, &store).unwrap()
        };
        let (narrow, wide) = (limiter("narrow", 300), limiter("wide", 10_000));
        let allowed = together(8, |i| {
            let mut charges = [&narrow, &wide].map(|limiter| ratelimit_core::Charge {
                limiter,
                key: b"key",
                cost: 1,
            });
            if i % 2 == 0 {
                charges.reverse();
            }
            let call = |_: &u64| Limiter::consume_all(&charges).unwrap().allowed;
            (0..200).filter(call).count() as u64
        });
        assert_eq!(allowed.iter().sum::<u64>(), 300);
        assert_eq!(narrow.peek("key", 0).unwrap().remaining, 0);
        assert_eq!(wide.peek("key", 0).unwrap().remaining, 9_700);
    }
}
