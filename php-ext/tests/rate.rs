//! Fractional rates as whole numbers.

#[path = "../src/rate.rs"]
mod rate;

use rate::as_fraction;

#[test]
fn simple_rates_stay_simple() {
    for (rate, fraction) in [
        (1.0, (1, 1)),
        (2.0, (2, 1)),
        (0.5, (1, 2)),
        (2.5, (5, 2)),
        (0.1, (1, 10)),
        (0.3, (3, 10)),
        (1.0 / 3.0, (1, 3)),
        (1.0 / 60.0, (1, 60)),
        (100.0 / 3600.0, (1, 36)),
        (4_294_967_295.0, (4_294_967_295, 1)),
        (1.0 / 31_622_400.0, (1, 31_622_400)),
    ] {
        assert_eq!(as_fraction(rate), Some(fraction), "{rate}");
    }
}

#[test]
fn every_small_fraction_is_found() {
    for p in 1..=300u64 {
        for q in 1..=300u64 {
            let (units, seconds) = as_fraction(p as f64 / q as f64).unwrap();
            assert_eq!(units * q, p * seconds, "{p}/{q}");
        }
    }
}

#[test]
fn odd_rates_are_close() {
    for rate in [
        std::f64::consts::PI,
        0.123_456_789_012_345,
        1_234_567.891,
        3_999_999_999.7,
        4.1e-8,
    ] {
        let (units, seconds) = as_fraction(rate).unwrap();
        let got = units as f64 / seconds as f64;
        assert!((got / rate - 1.0).abs() < 1e-7, "{rate}: {units}/{seconds}");
    }
}

#[test]
fn what_is_no_rate_is_none() {
    for rate in [0.0, -1.0, f64::NAN, f64::INFINITY, 1e-9, 4_294_967_296.0] {
        assert_eq!(as_fraction(rate), None, "{rate}");
    }
}
