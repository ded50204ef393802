//! Windows that moved, forgot, or kept waiting too long.

use super::*;

/// Seen in symfony 40289: the wait was the rest of the window.
#[test]
fn sliding_window_frees_units_bit_by_bit() {
    on_each_store(sliding(60, s(60), 1), |one| {
        assert_eq!(one.allowed_of(60), 60);
        one.at(s(72));
        assert_eq!(one.allowed_of(20), 12);
        assert_eq!(one.consume(1).retry_after, Some(s(1)));
    });
}

/// Seen in symfony 63492: the reported times did not belong to the window.
#[test]
fn single_unit_reports_the_times_of_its_window() {
    on_each_store(fixed(1, s(60)), |one| {
        let taken = one.consume(1);
        assert_eq!((taken.remaining, taken.reset_after), (0, s(60)));
        assert_eq!(one.consume(1).retry_after, Some(s(60)));
    });
    for segments in [1, 10, 60] {
        on_each_store(sliding(1, s(60), segments), |one| {
            one.at(ms(12_345));
            assert_eq!(one.consume(1).remaining, 0);
            let retry_after = one.consume(1).retry_after.unwrap();
            let most = s(60) + s(60) / segments;
            assert!((s(60)..=most).contains(&retry_after), "{retry_after:?}");
        });
    }
}

/// Seen in laravel 22501: each call moved the window's end.
#[test]
fn end_of_a_fixed_window_never_moves() {
    on_each_store(fixed(3, s(60)), |one| {
        one.at(s(1_000));
        for (after, allowed) in [(0, 1), (10, 1), (20, 1), (30, 0), (40, 0), (50, 0)] {
            one.at(s(1_000 + after));
            assert_eq!(one.allowed_of(1), allowed);
            assert_eq!(one.peek(1).reset_after, s(60 - after));
        }
        one.at(s(1_060));
        assert!(one.allow());
        assert_eq!(one.peek(1).reset_after, s(60));
    });
}

/// Seen in posthog 89726: the previous window was dropped too early.
#[test]
fn previous_window_weighs_until_it_is_two_windows_old() {
    on_each_store(sliding(100, s(100), 1), |one| {
        assert!(one.consume(100).allowed);
        one.at(s(199));
        assert_eq!(one.peek(1).remaining, 99);
        one.at(s(200) - us(1));
        assert_eq!(one.peek(1).remaining, 99);
        one.at(s(200));
        assert_eq!(one.peek(1).remaining, 100);
    });
}

/// Seen in graphql-rate-limit 22: fractions of a second were cut off.
#[test]
fn windows_of_fractions_of_a_second_end_on_the_microsecond() {
    for window in [ms(100), ms(1_500), ms(600_001), us(1), us(333_333)] {
        on_each_store(fixed(2, window), |one| {
            one.at(s(5));
            assert_eq!(one.allowed_of(3), 2);
            one.pass(window - us(1));
            assert!(!one.allow());
            one.pass(us(1));
            assert_eq!(one.allowed_of(3), 2);
        });
    }
}

/// Seen in apcu 391: time stood still for as long as one request ran.
#[test]
fn windows_end_within_one_long_call_of_a_program() {
    for store in system_stores() {
        let limiter = Limiter::new("limiter", fixed(1, ms(20)), &store).unwrap();
        let started = std::time::Instant::now();
        let mut windows = 0;
        while windows < 3 {
            windows += u32::from(limiter.allow(KEY, 1).unwrap());
            assert!(started.elapsed() < s(30), "only {windows} windows began");
            std::thread::yield_now();
        }
        assert!(started.elapsed() >= ms(40));
    }
}
