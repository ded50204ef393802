//! Limits that let too many through, or too few.

use super::*;
use std::sync::Barrier;

/// Seen in symfony without a lock: a limit of 100 let 400 of 400 through.
#[test]
fn eight_threads_of_fifty_calls_get_exactly_the_limit_of_a_hundred() {
    for store in system_stores() {
        for (i, policy) in all_policies(100, s(86_400)).into_iter().enumerate() {
            let limiter = Limiter::new(&format!("limiter-{i}"), policy, &store).unwrap();
            let start = Barrier::new(8);
            let calls = |_| {
                start.wait();
                (0..50).filter(|_| limiter.allow(KEY, 1).unwrap()).count()
            };
            let calls = &calls;
            let allowed: usize = std::thread::scope(|scope| {
                let threads: Vec<_> = (0..8).map(|i| scope.spawn(move || calls(i))).collect();
                threads.into_iter().map(|t| t.join().unwrap()).sum()
            });
            assert_eq!(allowed, 100, "{policy:?}");
        }
    }
}

/// Seen in yiisoft/rate-limiter: a limit of N lets N − 1 through, and a limit of 1 none.
#[test]
fn limit_of_n_lets_n_through() {
    for limit in [1, 2, 5] {
        for policy in all_policies(limit, s(60)) {
            on_each_store(policy, |one| assert_eq!(one.allowed_of(20), limit));
        }
    }
}

/// Seen in symfony 65193: limits beyond 32 bits wrapped around.
#[test]
fn large_limits_count_down_by_one_or_are_refused_at_construction() {
    for limit in [1 << 33, (1 << 53) + 1, i64::MAX as u64, u64::MAX] {
        let made = [
            ("limit", Policy::fixed_window(limit, s(60))),
            ("limit", Policy::sliding_window(limit, s(60), 10)),
            ("capacity", Policy::token_bucket(limit, 1, SECOND)),
            ("capacity", Policy::leaky_bucket(limit, 1, SECOND)),
        ];
        for (name, made) in made {
            let expected = format!("{name} must be 1 to 4,294,967,295, got {limit}");
            assert_eq!(made.unwrap_err().to_string(), expected);
        }
    }
    let most = u64::from(u32::MAX);
    for policy in all_policies(most, s(60)) {
        on_each_store(policy, |one| {
            assert_eq!(one.consume(1).remaining, most - 1);
            assert_eq!(one.consume(1).remaining, most - 2);
            assert_eq!(one.consume(most - 2).remaining, 0);
            assert!(!one.allow());
        });
    }
}

/// Seen in symfony 42784: a limit of one per year let the second call through.
#[test]
fn second_call_of_a_year_is_refused_until_the_year_is_over() {
    let year = s(31_536_000);
    for policy in all_policies(1, year) {
        on_each_store(policy, |one| {
            assert!(one.allow());
            one.pass(SECOND);
            let refused = one.consume(1);
            assert!(!refused.allowed);
            let retry_after = refused.retry_after.unwrap();
            assert!(retry_after >= year - SECOND, "{retry_after:?}");
            one.pass(retry_after - us(1));
            assert!(!one.allow());
            one.pass(us(1));
            assert!(one.allow());
        });
    }
}

/// Seen in symfony 40141: idle windows saved up.
#[test]
fn ten_idle_windows_save_nothing_up() {
    for policy in all_policies(5, s(60)) {
        on_each_store(policy, |one| {
            assert!(one.allow());
            one.pass(s(600));
            assert_eq!(one.allowed_of(6), 5);
        });
    }
}

/// Seen in symfony 44850: a smaller limit took effect only when the old state had gone.
#[test]
fn smaller_limit_takes_effect_at_once() {
    for (before, after) in all_policies(20, s(60))
        .into_iter()
        .zip(all_policies(10, s(60)))
    {
        on_each_store(before, |one| {
            assert_eq!(one.consume(1).remaining, 19);
            let smaller = Limiter::new("limiter", after, &one.store).unwrap();
            let decision = smaller.peek(KEY, 1).unwrap();
            assert_eq!(decision.limit, 10);
            assert!((8..=9).contains(&decision.remaining), "{decision:?}");
        });
    }
}

/// Seen in symfony 60551: a look at an exhausted limit changed it.
#[test]
fn peek_at_an_exhausted_limit_is_refused_and_changes_nothing() {
    for policy in all_policies(5, s(60)) {
        on_each_store(policy, |one| {
            assert_eq!(one.allowed_of(5), 5);
            let before = one.consume(1);
            for _ in 0..10 {
                assert_eq!(one.peek(1), before);
            }
            assert!(!before.allowed);
        });
    }
}

/// Seen in upstash/ratelimit 156: refused calls used units up.
#[test]
fn refused_cost_uses_nothing_up() {
    for policy in all_policies(10, s(60)) {
        on_each_store(policy, |one| {
            assert!(one.consume(8).allowed);
            assert!(!one.consume(5).allowed);
            let last = one.consume(1);
            assert_eq!((last.allowed, last.remaining), (true, 1));
        });
    }
}

/// Seen in touhonoob/RateLimit: the first cost was accepted even above the maximum.
#[test]
fn first_cost_above_the_limit_is_never_allowed_and_stores_nothing() {
    for policy in all_policies(5, s(60)) {
        on_each_store(policy, |one| {
            let refused = one.consume(6);
            assert_eq!((refused.allowed, refused.retry_after), (false, None));
            assert_eq!((refused.remaining, refused.reset_after), (5, s(0)));
            assert_eq!(one.store.stats().live, 0);
        });
    }
}

/// Seen in laravel 48481 and flask-limiter 62: Retry-After was 0, or too short.
#[test]
fn after_retry_after_the_call_is_allowed() {
    for policy in all_policies(7, s(3)) {
        on_each_store(policy, |one| {
            for _ in 0..100 {
                let decision = one.consume(3);
                if !decision.allowed {
                    let retry_after = decision.retry_after.unwrap();
                    assert!(retry_after >= us(1));
                    one.pass(retry_after);
                    assert!(one.consume(3).allowed);
                }
                one.pass(ms(170));
            }
        });
    }
}
