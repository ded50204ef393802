//! Buckets whose refill was late, early, in steps, or rounded.

use super::*;

fn both(capacity: u64, rate: u64, per: Duration) -> [Policy; 2] {
    [token(capacity, rate, per), leaky(capacity, rate, per)]
}

/// Seen in symfony 42627: polling reset the time of the last refill, and so starved it.
#[test]
fn polling_never_starves_the_refill() {
    for policy in both(10, 10, SECOND) {
        on_each_store(policy, |one| {
            assert!(one.consume(10).allowed);
            for i in 0..50 {
                one.pass(ms(50));
                assert!(!one.allow(), "poll {i}");
                one.pass(ms(50));
                assert!(one.allow(), "call {i}");
            }
        });
    }
}

/// Seen in symfony 47676: whole seconds of refill only.
#[test]
fn refill_is_continuous() {
    for policy in both(10, 2, SECOND) {
        on_each_store(policy, |one| {
            assert!(one.allow());
            one.at(ms(600));
            assert!(one.consume(10).allowed);
        });
    }
}

/// Seen in symfony 63996: the state of a reservation was dropped while it was still owed.
#[test]
fn reservation_lives_until_its_debt_is_paid() {
    on_each_store(token(5, 5, s(10)), |one| {
        assert!(one.consume(5).allowed);
        one.pass(SECOND);
        let reserved = one.limiter.reserve(KEY, 5, s(60)).unwrap();
        assert_eq!((reserved.allowed, reserved.wait), (true, s(9)));
        assert_eq!((reserved.remaining, reserved.reset_after), (0, s(19)));
        one.pass(s(19) - us(1));
        assert_eq!(one.store.stats().live, 1);
        one.pass(us(1));
        assert_eq!(one.peek(1).reset_after, s(0));
        assert_eq!(one.store.stats().live, 0);
    });
}

/// Seen in golang 71360: a clock that steps back let extra calls through.
#[test]
fn callers_whose_clocks_differ_by_a_millisecond_gain_nothing() {
    for policy in both(1, 10, SECOND) {
        on_each_store(policy, |one| {
            let mut allowed = 0;
            for now in 1..=1_000 {
                for at in [now, now - 1] {
                    one.at(ms(at));
                    allowed += one.allowed_of(1);
                }
            }
            assert!((10..=11).contains(&allowed), "{allowed}");
        });
    }
}

/// Seen in golang 34861: floats made the wait too short for some rates.
#[test]
fn exactly_retry_after_is_enough_at_every_rate() {
    let clock = Arc::new(ManualClock::new(0));
    let store = Store::memory_with_clock(50_000, clock.clone()).unwrap();
    for rate in 1..=100 {
        for seconds in 1..=100 {
            for policy in both(3, rate, s(seconds)) {
                let limiter = Limiter::new("limiter", policy, &store).unwrap();
                let key = format!("{rate}/{seconds}");
                assert!(limiter.allow(&key, 3).unwrap());
                let refused = limiter.consume(&key, 2).unwrap();
                let retry_after = refused.retry_after.unwrap();
                clock.advance(retry_after - us(1));
                assert!(!limiter.allow(&key, 2).unwrap(), "{key} early");
                clock.advance(us(1));
                assert!(limiter.allow(&key, 2).unwrap(), "{key}");
            }
        }
    }
}

/// Tries so often for so long, and counts.
fn admitted(one: &One, every: Duration, whole: Duration) -> u64 {
    let mut passed = Duration::ZERO;
    let mut allowed = 0;
    while passed < whole {
        while one.allow() {
            allowed += 1;
        }
        one.pass(every);
        passed += every;
    }
    allowed
}

/// Seen in guava 5290 and Sentinel 399: rates rounded to whole milliseconds a unit.
#[test]
fn high_rates_hold_to_a_thousandth() {
    for policy in both(100, 80_000, SECOND) {
        on_each_store(policy, |one| {
            let allowed = admitted(one, us(500), s(10));
            assert!((799_200..=800_100).contains(&allowed), "{allowed}");
        });
    }
}

/// Seen in Sentinel 399: 160 and 170 per second came out the same.
#[test]
fn rates_that_are_close_differ() {
    for (rate, expected) in [(160, 1_600), (170, 1_700)] {
        for policy in both(1, rate, SECOND) {
            on_each_store(policy, |one| {
                let allowed = admitted(one, us(50), s(10));
                assert!(allowed.abs_diff(expected) * 100 <= expected, "{allowed}");
            });
        }
    }
}

/// Seen in governor 102: a wait as long as the whole interval although part of it had passed.
#[test]
fn time_that_has_passed_is_taken_off_the_wait() {
    for policy in both(1, 1, SECOND) {
        on_each_store(policy, |one| {
            assert!(one.allow());
            one.pass(ms(200));
            assert_eq!(one.consume(1).retry_after, Some(ms(800)));
        });
    }
}

/// Seen in governor 107: one call too many right after the burst.
#[test]
fn moment_after_the_burst_nothing_is_left() {
    for policy in both(5, 5, SECOND) {
        on_each_store(policy, |one| {
            assert_eq!(one.allowed_of(5), 5);
            one.pass(Duration::from_nanos(1));
            assert!(!one.allow());
        });
    }
}

/// Seen in redis-cell 12: more than the burst and the refill.
#[test]
fn burst_of_ten_at_a_hundred_per_second_is_at_most_370_in_3_6_seconds() {
    for policy in both(10, 100, SECOND) {
        on_each_store(policy, |one| {
            let allowed = admitted(one, ms(1), ms(3_600));
            assert!((369..=370).contains(&allowed), "{allowed}");
        });
    }
}

/// Seen in nginx: one per minute becomes one per 62.5 seconds.
#[test]
fn one_per_minute_is_one_per_sixty_seconds() {
    for policy in both(1, 1, s(60)) {
        on_each_store(policy, |one| {
            assert!(one.allow());
            assert_eq!(one.consume(1).retry_after, Some(s(60)));
            one.pass(s(60));
            assert!(one.allow());
        });
    }
}

/// Seen in throttlecrab: a burst of 10 after 8.9 idle seconds became 17.
#[test]
fn burst_idle_burst_is_never_above_capacity_and_refill() {
    for policy in both(10, 1, SECOND) {
        on_each_store(policy, |one| {
            assert_eq!(one.allowed_of(30), 10);
            one.pass(ms(8_900));
            assert_eq!(one.allowed_of(30), 8);
            one.pass(s(100));
            assert_eq!(one.allowed_of(30), 10);
        });
    }
}

/// Seen in redis-cell 56: a retry_after below a second was cut to 0.
#[test]
fn wait_below_a_second_is_never_rounded_down() {
    for (rate, retry_after) in [(3, 333_334), (7, 142_858), (999_999, 2), (1_000_000, 1)] {
        for policy in both(1, rate, SECOND) {
            on_each_store(policy, |one| {
                assert!(one.allow());
                assert_eq!(one.consume(1).retry_after, Some(us(retry_after)));
            });
        }
    }
}

/// Seen in redis 13115: an instant of 16 digits lost its last ones on the way.
#[test]
fn instants_of_sixteen_digits_keep_them_all() {
    for policy in both(1, 1, us(1_000_003)) {
        on_each_store(policy, |one| {
            one.at(us(1_790_123_456_789_017));
            assert!(one.allow());
            assert_eq!(one.consume(1).retry_after, Some(us(1_000_003)));
            one.pass(us(1_000_002));
            assert_eq!(one.consume(1).retry_after, Some(us(1)));
        });
    }
}
