//! Every decision of every call is the naive model's, whatever is called and when; and what
//! follows from the definitions, asked directly.

mod model;
#[path = "support/watch.rs"]
mod watch;

use model::{Answer, Params, Who, any_params, cases, limiter, play, stores};
use proptest::prelude::*;
use ratelimit_core::{Charge, Limiter, ManualClock};
use std::process::Command;
use std::sync::Arc;
use std::time::Duration;
use watch::{DEADLINE, Watch};

const KEY: &[u8] = b"key";

/// Tables are hashed with a new secret each time, so a seed would not bring a case back.
fn config() -> ProptestConfig {
    let default = ProptestConfig::default();
    ProptestConfig {
        failure_persistence: None,
        max_shrink_iters: 2_000,
        // The fixed number that is the default ends a run of many cases early.
        max_global_rejects: default.cases.saturating_mul(4),
        max_local_rejects: default.cases.saturating_mul(256),
        ..default
    }
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn every_decision_equals_the_models(case in cases()) {
        let _watch = Watch::over(&case, DEADLINE);
        play(&case)?;
    }
}

/// A limiter on a store of its own.
struct One {
    clock: Arc<ManualClock>,
    limiter: Limiter,
    limit: u64,
}

impl One {
    fn on_all_stores(params: Params) -> Vec<One> {
        let who = Who {
            name: "limiter",
            params,
        };
        let one = |(_, clock, store)| One {
            clock,
            limiter: limiter(&who, &store),
            limit: params.limit(),
        };
        stores(1_000_000_000_000).map(one).into()
    }

    fn pass(&self, us: u64) {
        self.clock.advance(Duration::from_micros(us));
    }

    fn peek(&self, cost: u64) -> Answer {
        self.limiter.peek(KEY, cost).unwrap().into()
    }

    fn consume(&self, cost: u64) -> Answer {
        self.limiter.consume(KEY, cost).unwrap().into()
    }

    /// Charges shares of the limit, with some time after each.
    fn warm_up(&self, charges: &[(u64, u64)]) {
        for (share, us) in charges {
            self.consume(self.share(*share));
            self.pass(*us);
        }
    }

    fn share(&self, percent: u64) -> u64 {
        (u128::from(self.limit) * u128::from(percent) / 100) as u64
    }
}

/// Parameters that limit, and what to do with them first.
fn used() -> impl Strategy<Value = (Params, Vec<(u64, u64)>)> {
    let limited = any_params().prop_filter("no limit", |p| *p != Params::Unlimited);
    limited.prop_flat_map(|p| {
        let span = p.policy().span().unwrap().as_micros() as u64;
        let charge = (0..=100u64, 0..=span / 3);
        (Just(p), prop::collection::vec(charge, 1..6))
    })
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn waiting_exactly_retry_after_is_allowed_and_a_microsecond_less_is_not(
        (params, charges) in used(),
        share in 1..=100u64,
    ) {
        let _watch = Watch::over(&(&params, &charges, share), DEADLINE);
        for one in One::on_all_stores(params) {
            one.warm_up(&charges);
            let cost = one.share(share).max(1);
            let Some(refused) = Some(one.peek(cost)).filter(|a| !a.allowed) else {
                continue;
            };
            let retry_after = refused.retry_after.unwrap();
            one.pass(retry_after - 1);
            let early = one.consume(cost);
            prop_assert_eq!((early.allowed, early.retry_after), (false, Some(1)));
            one.pass(1);
            prop_assert!(one.consume(cost).allowed);
        }
    }

    #[test]
    fn remaining_is_the_largest_cost_that_is_allowed((params, charges) in used()) {
        let _watch = Watch::over(&(&params, &charges), DEADLINE);
        for one in One::on_all_stores(params) {
            one.warm_up(&charges);
            let remaining = one.peek(0).remaining;
            prop_assert!(!one.consume(remaining + 1).allowed);
            let last = one.consume(remaining);
            prop_assert_eq!((last.allowed, last.remaining), (true, 0));
        }
    }

    #[test]
    fn refused_call_leaves_no_trace((params, charges) in used()) {
        let _watch = Watch::over(&(&params, &charges), DEADLINE);
        for one in One::on_all_stores(params) {
            one.warm_up(&charges);
            let before = one.peek(1);
            for cost in [before.remaining + 1, one.limit + 1, i64::MAX as u64] {
                prop_assert!(!one.consume(cost).allowed);
                prop_assert!(!one.limiter.allow(KEY, cost).unwrap());
                let charge = Charge { limiter: &one.limiter, key: KEY, cost };
                prop_assert!(!Limiter::consume_all(&[charge]).unwrap().allowed);
                let charge = Charge { limiter: &one.limiter, key: b"other", cost: 1 };
                let first = Charge { limiter: &one.limiter, key: KEY, cost };
                prop_assert!(!Limiter::consume_all(&[charge, first]).unwrap().allowed);
                prop_assert!(!one.limiter.acquire(KEY, cost, Duration::ZERO).unwrap().allowed);
            }
            prop_assert_eq!(one.peek(1), before);
            prop_assert_eq!(one.limiter.peek("other", 0).unwrap().remaining, one.limit);
        }
    }

    #[test]
    fn fresh_key_admits_exactly_its_limit_at_once_or_in_parts(
        (params, _) in used(),
        parts in prop::collection::vec(1..=100u64, 1..50),
    ) {
        let _watch = Watch::over(&(&params, &parts), DEADLINE);
        for one in One::on_all_stores(params) {
            prop_assert_eq!(one.peek(0).remaining, one.limit);
            prop_assert!(!one.consume(one.limit + 1).allowed);
            prop_assert!(one.consume(one.limit).allowed);
            prop_assert!(!one.consume(1).allowed);

            one.limiter.reset(KEY).unwrap();
            let mut admitted = 0;
            // In ones where that is not too many, else in shares and what is then left.
            let costs = parts.iter().map(|part| one.share(*part).max(1));
            for cost in costs.chain([1; 300]) {
                admitted += if one.consume(cost).allowed { cost } else { 0 };
            }
            let left = one.peek(0).remaining;
            prop_assert_eq!(admitted + left, one.limit);
            prop_assert!(one.limit > 300 || left == 0);
        }
    }

    #[test]
    fn key_is_like_new_after_reset_after_and_not_before((params, charges) in used()) {
        let _watch = Watch::over(&(&params, &charges), DEADLINE);
        for one in One::on_all_stores(params) {
            one.warm_up(&charges);
            let reset_after = one.peek(0).reset_after;
            if reset_after > 0 {
                one.pass(reset_after - 1);
                prop_assert_eq!(one.peek(0).reset_after, 1);
                one.pass(1);
            }
            let new = one.peek(one.limit);
            prop_assert_eq!(
                (new.allowed, new.remaining, new.reset_after, new.wait),
                (true, one.limit, 0, 0)
            );
        }
    }

    #[test]
    fn no_window_of_time_sees_more_than_capacity_and_refill(
        params in any_params().prop_filter("a bucket", Params::is_bucket),
        waits in prop::collection::vec((0..200u64, 1..=100u64), 1..60),
    ) {
        let _watch = Watch::over(&(&params, &waits), DEADLINE);
        let (capacity, rate, per) = match params {
            Params::Token { capacity, rate, per } | Params::Leaky { capacity, rate, per } => {
                (u128::from(capacity), u128::from(rate), u128::from(per))
            }
            _ => unreachable!(),
        };
        for one in One::on_all_stores(params) {
            let (mut admitted, mut passed) = (0u128, 0u128);
            for (percent, share) in &waits {
                let us = capacity * per * u128::from(*percent) / rate / 100;
                one.pass(us as u64);
                passed += us;
                let cost = one.share(*share).max(1).min(one.peek(0).remaining);
                admitted += u128::from(cost);
                prop_assert_eq!(one.consume(cost).allowed, true);
                prop_assert!(admitted * per <= capacity * per + passed * rate);
            }
        }
    }

    #[test]
    fn long_run_rate_is_within_a_thousandth_of_what_was_asked_for(
        params in any_params().prop_filter("a bucket", Params::is_bucket),
    ) {
        let _watch = Watch::over(&params, DEADLINE);
        let (rate, per) = match params {
            Params::Token { rate, per, .. } | Params::Leaky { rate, per, .. } => (rate, per),
            _ => unreachable!(),
        };
        // Half a bucket must last a microsecond: what a clock cannot tell, nobody can take.
        prop_assume!(u128::from(params.limit() / 2) * u128::from(per) >= u128::from(rate));
        for one in One::on_all_stores(params) {
            let (mut admitted, mut passed) = (0u128, 0u128);
            one.consume(one.limit);
            let half = one.limit.div_ceil(2);
            for _ in 0..2_000 {
                let wait = one.peek(half).retry_after.unwrap();
                one.pass(wait);
                passed += u128::from(wait);
                let got = one.peek(0).remaining;
                prop_assert!(one.consume(got).allowed);
                admitted += u128::from(got);
            }
            let asked_for = passed * u128::from(rate);
            prop_assert!(admitted * u128::from(per) <= asked_for);
            // The last unit may be on its way.
            prop_assert!((admitted + 1) * u128::from(per) * 1_000 >= asked_for * 999);
        }
    }
}

/// Tells the test program, started again, to hang.
const HANG: &str = "RATELIMIT_TEST_HANG";

/// Does nothing unless `a_case_that_hangs_ends_the_program_and_is_named` starts it.
#[test]
fn child() {
    if std::env::var_os(HANG).is_some() {
        let _watch = Watch::over(&("the case", 4711), Duration::from_millis(1));
        loop {
            std::thread::park();
        }
    }
}

#[test]
fn a_case_that_hangs_ends_the_program_and_is_named() {
    let output = Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "child"])
        .env(HANG, "1")
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&output.stderr);
    let expected = r#"hangs for 1ms in the case ("the case", 4711)"#;
    assert!(
        !output.status.success() && said.contains(expected),
        "{said}"
    );
}
