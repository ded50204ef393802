//! Waiting for units.

use super::*;
use ratelimit_core::{Clock, Step};

/// Seen in hyperf 4135: a timeout of 0 waited.
#[test]
fn timeout_of_zero_answers_at_once() {
    for policy in all_policies(1, s(60)) {
        on_each_store(policy, |one| {
            let first = one.limiter.acquire(KEY, 1, s(0)).unwrap();
            assert_eq!((first.allowed, first.wait), (true, s(0)));
            let second = one.limiter.acquire(KEY, 1, s(0)).unwrap();
            assert!(!second.allowed);
            assert!(second.retry_after.unwrap() >= s(60));
            assert_eq!(one.clock.now(), 0);
        });
    }
}

/// Seen in llama_index 23202, bucket4j 220 and guava 7130: a cost above the capacity waited for
/// ever, or passed.
#[test]
fn cost_above_the_limit_is_never_allowed_by_any_call() {
    let ages = s(366 * 86_400);
    for policy in all_policies(5, s(60)) {
        on_each_store(policy, |one| {
            for cost in [6, u64::from(u32::MAX) + 1, i64::MAX as u64] {
                let limiter = &one.limiter;
                let mut decisions = vec![
                    limiter.consume(KEY, cost).unwrap(),
                    limiter.peek(KEY, cost).unwrap(),
                    limiter.acquire(KEY, cost, ages).unwrap(),
                ];
                decisions.extend(limiter.reserve(KEY, cost, ages));
                for decision in decisions {
                    assert_eq!((decision.allowed, decision.retry_after), (false, None));
                    assert_eq!((decision.wait, decision.remaining), (s(0), 5));
                }
                assert!(!limiter.allow(KEY, cost).unwrap());
                assert_eq!(one.clock.now(), 0, "nobody slept");
            }
        });
    }
}

/// Seen in sidekiq 5315: the longest of a hundred waiters waited for minutes.
#[test]
fn longest_of_a_hundred_waiters_at_five_per_second_waits_twenty_seconds() {
    for policy in [token(1, 5, SECOND), leaky(100, 5, SECOND)] {
        on_each_store(policy, |one| {
            for waiter in 0..100 {
                let mut acquisition = one.limiter.acquisition(KEY.as_bytes(), 1, s(30)).unwrap();
                let turn = match acquisition.step() {
                    Step::Done(decision) => {
                        assert!(decision.allowed);
                        s(0)
                    }
                    Step::Sleep(turn) => turn,
                };
                assert_eq!(turn, ms(200) * waiter);
            }
        });
    }
}

/// Seen in resilience4j 822: a waiter who had waited got another's turn. Also in `concurrency.rs`.
#[test]
fn waiters_are_served_at_the_rate() {
    for policy in [token(3, 10, SECOND), leaky(3, 10, SECOND)] {
        on_each_store(policy, |one| {
            for _ in 0..50 {
                assert!(one.limiter.acquire(KEY, 1, s(1)).unwrap().allowed);
            }
            let passed = us(one.clock.now());
            assert!((ms(4_700)..=ms(4_900)).contains(&passed), "{passed:?}");
        });
    }
    for policy in [fixed(10, SECOND), sliding(10, SECOND, 10)] {
        on_each_store(policy, |one| {
            for _ in 0..50 {
                assert!(one.limiter.acquire(KEY, 1, s(2)).unwrap().allowed);
            }
            let passed = us(one.clock.now());
            assert!((s(4)..=s(5)).contains(&passed), "{passed:?}");
        });
    }
}
