//! `decide` and `explain`: the same answers as `consume`, on any clock.

use ratelimit_core::{Decision, Limiter, ManualClock, Policy, Store};
use std::sync::Arc;
use std::time::Duration;

const SECOND: Duration = Duration::from_secs(1);
/// How far behind an admission may be.
const LAG: Duration = Duration::from_millis(20);

/// Ten units in a thousand seconds.
fn policies() -> [Policy; 4] {
    [
        Policy::token_bucket(10, 1, SECOND * 100).unwrap(),
        Policy::leaky_bucket(10, 1, SECOND * 100).unwrap(),
        Policy::fixed_window(10, SECOND * 1_000).unwrap(),
        Policy::sliding_window(10, SECOND * 1_000, 10).unwrap(),
    ]
}

/// Decides, and asks for the rest at once.
fn explained<'a>(limiter: &'a Limiter, key: &str, cost: u64) -> Decision<'a> {
    let outcome = limiter.decide(key, cost).unwrap();
    let (decision, _) = limiter.explain(&outcome);
    assert_eq!(decision.allowed, outcome.is_allowed());
    decision
}

#[test]
fn outcomes_are_those_of_consume() {
    for policy in policies() {
        let clock = Arc::new(ManualClock::new(1_000_000));
        let limiter = || {
            let store = Store::memory_with_clock(100, clock.clone()).unwrap();
            Limiter::new("limiter", policy, &store).unwrap()
        };
        let (one, other) = (limiter(), limiter());
        for cost in [0, 1, 3, 11, 6, 1, 5, 1, 2] {
            assert_eq!(
                explained(&one, "key", cost),
                other.consume("key", cost).unwrap()
            );
            clock.advance(SECOND * 70);
        }
    }
}

#[test]
fn open_outcomes_tell_of_the_call_however_late_they_are_asked() {
    for policy in policies() {
        let store = Store::memory(100).unwrap();
        let limiter = Limiter::new("limiter", policy, &store).unwrap();
        assert!(limiter.allow("key", 4).unwrap());
        let outcome = limiter.decide("key", 2).unwrap();
        std::thread::sleep(LAG * 3);
        let (decision, age) = limiter.explain(&outcome);

        assert_eq!((decision.allowed, decision.remaining), (true, 4));
        assert_eq!(decision.retry_after, Some(Duration::ZERO));
        let algorithm = policy.algorithm();
        let reset = match algorithm {
            "fixed_window" => SECOND * 1_000,
            // Segments end at round times.
            "sliding_window" => decision.reset_after,
            _ => SECOND * 600,
        };
        // The first charge may have been made a moment before; the suite may be slow.
        assert!(decision.reset_after <= reset && decision.reset_after + SECOND * 20 > reset);
        if algorithm == "leaky_bucket" {
            assert!(decision.wait <= SECOND * 400 && decision.wait + SECOND * 20 > SECOND * 400);
        }
        if outcome.is_open() {
            assert!(age >= LAG, "{algorithm}: {age:?}");
        }
    }
}

#[test]
fn fresh_key_is_told_of_to_a_tick_of_the_clock() {
    let store = Store::memory(100).unwrap();
    let limiter = Limiter::new("limiter", policies()[0], &store).unwrap();
    let outcome = limiter.decide("key", 1).unwrap();
    assert!(outcome.is_open());
    std::thread::sleep(LAG * 3);
    let (decision, _) = limiter.explain(&outcome);
    let reset = SECOND * 100;
    assert!(decision.reset_after <= reset && decision.reset_after + LAG >= reset);
}

#[test]
fn refusals_are_decided_on_an_exact_reading() {
    let store = Store::memory(100).unwrap();
    let limiter = Limiter::new("limiter", policies()[0], &store).unwrap();
    let refused = limiter.decide("key", 11).unwrap();
    assert!(!refused.is_open() && !refused.is_allowed());
    assert_eq!(limiter.explain(&refused).0.retry_after, None);
    assert_eq!(store.stats().refused, 1);
}

#[test]
fn a_short_bucket_tells_of_the_call_to_the_microsecond() {
    let store = Store::memory(100).unwrap();
    let short = Policy::token_bucket(10, 10, SECOND).unwrap();
    let limiter = Limiter::new("short", short, &store).unwrap();
    let allowed = limiter.decide("key", 1).unwrap();
    std::thread::sleep(LAG * 3);
    let (decision, _) = limiter.explain(&allowed);
    assert_eq!((decision.allowed, decision.remaining), (true, 9));
    assert_eq!(decision.reset_after, SECOND / 10);
}

#[test]
fn unlimited_is_never_open() {
    let limiter = Limiter::unlimited("limiter").unwrap();
    let outcome = limiter.decide("key", 5).unwrap();
    assert!(outcome.is_allowed() && !outcome.is_open());
    assert_eq!(
        limiter.explain(&outcome).0,
        limiter.consume("key", 5).unwrap()
    );
}
