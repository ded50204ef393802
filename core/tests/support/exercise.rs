//! Every call of every algorithm on a store, whatever state is in it: no panic, no hang, and
//! decisions within their ranges.

use ratelimit_core::{Charge, Decision, Limiter, Policy, Store};
use std::time::Duration;

const YEARS: Duration = Duration::from_secs(9 * 366 * 86_400);

/// Limiters of every algorithm, at small and large parameters.
pub fn limiters(store: &Store) -> Vec<Limiter> {
    let us = Duration::from_micros;
    let most = u64::from(u32::MAX);
    let policies = [
        Policy::token_bucket(10, 5, us(1_000_000)),
        Policy::token_bucket(most, most, us(31_622_400_000_000)),
        Policy::leaky_bucket(10, 5, us(1_000_000)),
        Policy::leaky_bucket(1, 1, us(31_622_400_000_000)),
        Policy::fixed_window(10, us(1_000_000)),
        Policy::fixed_window(most, us(31_622_400_000_000)),
        Policy::sliding_window(10, us(1_000_000), 1),
        Policy::sliding_window(10, us(600_000), 60),
        Policy::sliding_window(most, us(31_622_400_000_000), 60),
    ];
    let named = policies.into_iter().enumerate();
    named
        .map(|(i, policy)| Limiter::new(&format!("limiter-{i}"), policy.unwrap(), store).unwrap())
        .collect()
}

/// Makes every call on every limiter, with this key and cost.
pub fn exercise(limiters: &[Limiter], key: &[u8], cost: u64) {
    let day = Duration::from_secs(86_400);
    for limiter in limiters {
        let check = |decision: Decision<'_>| check(limiter, decision);
        limiter.allow(key, cost).unwrap();
        check(limiter.peek(key, cost).unwrap());
        check(limiter.consume(key, cost).unwrap());
        if let Ok(decision) = limiter.reserve(key, cost, day) {
            check(decision);
        }
        let mut acquisition = limiter.acquisition(key, cost, day).unwrap();
        for _ in 0..2 {
            if let ratelimit_core::Step::Done(decision) = acquisition.step() {
                check(decision);
            }
        }
        check(limiter.refund(key, cost).unwrap());
        let charge = Charge { limiter, key, cost };
        let decision = Limiter::consume_all(&[charge, charge]).unwrap();
        check(decision);
    }
    let charges: Vec<_> = limiters
        .iter()
        .map(|limiter| Charge { limiter, key, cost })
        .collect();
    Limiter::consume_all(&charges).unwrap();
    for limiter in limiters {
        limiter.reset(key).unwrap();
    }
}

/// What holds for every decision, whatever the state.
pub fn check(limiter: &Limiter, decision: Decision<'_>) {
    let limit = limiter.policy().limit();
    assert_eq!(decision.limit, limit);
    assert!(decision.remaining <= limit, "{decision:?}");
    assert!(decision.reset_after < YEARS, "{decision:?}");
    assert!(decision.wait < YEARS, "{decision:?}");
    assert!(!decision.degraded);
    match decision.retry_after {
        None => assert!(!decision.allowed),
        Some(time) => assert!(time < YEARS && decision.allowed == time.is_zero()),
    }
}
