//! Seconds in and out of PHP's floats.

#[path = "../src/seconds.rs"]
mod seconds;

use seconds::{Round, from_micros, to_micros};

/// PHP's `(int)($seconds * 1e6)`.
fn php_int(seconds: f64) -> u64 {
    (seconds * 1e6) as u64
}

/// Numbers all over the range: dense at its start, then at every scale, then scattered.
fn microseconds() -> impl Iterator<Item = u64> {
    let most = 1u64 << 51;
    let dense = 0..3_000_000;
    let scales =
        (0..=51).flat_map(|n| (0..2_000).map(move |d| (1u64 << n).saturating_sub(1_000) + d));
    let tens = (0..=9).flat_map(|n| (1..20_000).map(move |d| 10u64.pow(n) * d * 7));
    let scattered = (0..4_000_000u64).map(move |n| n.wrapping_mul(0x9E37_79B9_7F4A_7C15) % most);
    dense
        .chain(scales)
        .chain(tens)
        .chain(scattered)
        .filter(move |&us| us <= most)
}

#[test]
fn floats_out_are_the_exact_microseconds_when_cut() {
    for us in microseconds() {
        assert_eq!(php_int(from_micros(us)), us);
    }
}

#[test]
fn the_plain_quotient_would_not_do() {
    assert!(microseconds().any(|us| php_int(us as f64 / 1e6) != us));
}

#[test]
fn whole_seconds_stay_whole() {
    for seconds in 0..1_000_000u64 {
        assert_eq!(from_micros(seconds * 1_000_000), seconds as f64);
    }
}

#[test]
fn floats_that_came_out_go_back_in_unchanged() {
    for us in microseconds() {
        for round in [Round::Up, Round::Down] {
            assert_eq!(to_micros(from_micros(us), round), Some(us));
            assert_eq!(to_micros(us as f64 / 1e6, round), Some(us));
        }
    }
}

#[test]
fn decimals_mean_what_they_say() {
    for (seconds, us) in [
        (0.1, 100_000),
        (1.5, 1_500_000),
        (600.001, 600_001_000),
        (0.000_001, 1),
        (0.3, 300_000),
    ] {
        for round in [Round::Up, Round::Down] {
            assert_eq!(to_micros(seconds, round), Some(us), "{seconds}");
        }
    }
}

#[test]
fn what_lies_between_goes_up_or_down() {
    for (seconds, down) in [
        (0.000_000_5, 0),
        (1.000_000_5, 1_000_000),
        (0.1 + 0.2, 300_000),
        (f64::MIN_POSITIVE, 0),
        (5e-324, 0),
    ] {
        assert_eq!(to_micros(seconds, Round::Down), Some(down), "{seconds}");
        assert_eq!(to_micros(seconds, Round::Up), Some(down + 1), "{seconds}");
    }
    assert_eq!(to_micros(0.0, Round::Up), Some(0));
    assert_eq!(to_micros(-0.0, Round::Up), Some(0));
}

#[test]
fn what_is_no_time_is_none() {
    for seconds in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY, -1.0, -5e-324] {
        assert_eq!(to_micros(seconds, Round::Up), None);
    }
}

#[test]
fn times_beyond_the_range_do_not_wrap() {
    for seconds in [1.9e13, 1e20, 1e30, f64::MAX] {
        assert_eq!(to_micros(seconds, Round::Up), Some(u64::MAX), "{seconds}");
        assert_eq!(to_micros(seconds, Round::Down), Some(u64::MAX), "{seconds}");
    }
    assert_eq!(
        to_micros(1.8e13, Round::Down),
        Some(18_000_000_000_000_000_000)
    );
}
