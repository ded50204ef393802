//! Parameters that cannot be.

use super::*;
use ratelimit_core::Error;

#[track_caller]
fn refused<T: std::fmt::Debug>(made: Result<T, Error>, text: &str) {
    let error = made.expect_err(text);
    assert!(matches!(error, Error::Argument(_)), "{error:?}");
    assert_eq!(error.to_string(), text);
}

/// Seen in golang 47221, redis_rate 110 and spring-cloud-gateway 168: a rate or a burst of 0
/// divided by zero, or allowed everything.
#[test]
fn zeros_are_refused_at_construction() {
    let units = "must be 1 to 4,294,967,295, got 0";
    let time = "must be 1 µs to 366 days, got 0ns";
    refused(
        Policy::token_bucket(0, 1, SECOND),
        &format!("capacity {units}"),
    );
    refused(
        Policy::token_bucket(1, 0, SECOND),
        &format!("refill {units}"),
    );
    refused(Policy::token_bucket(1, 1, s(0)), &format!("per {time}"));
    refused(
        Policy::leaky_bucket(0, 1, SECOND),
        &format!("capacity {units}"),
    );
    refused(Policy::leaky_bucket(1, 0, SECOND), &format!("leak {units}"));
    refused(Policy::leaky_bucket(1, 1, s(0)), &format!("per {time}"));
    refused(Policy::fixed_window(0, SECOND), &format!("limit {units}"));
    refused(Policy::fixed_window(1, s(0)), &format!("window {time}"));
    refused(
        Policy::sliding_window(0, SECOND, 1),
        &format!("limit {units}"),
    );
    refused(
        Policy::sliding_window(1, s(0), 1),
        &format!("window {time}"),
    );
    refused(
        Policy::sliding_window(1, SECOND, 0),
        "segments must be 1 to 60, got 0",
    );
}

/// Seen in hyperf 1143: an option that is not known was passed over in silence.
#[test]
fn what_is_out_of_range_is_named_with_its_value() {
    let days = s(366 * 86_400);
    refused(
        Policy::sliding_window(1, SECOND, 61),
        "segments must be 1 to 60, got 61",
    );
    refused(
        Policy::fixed_window(1, days + us(1)),
        "window must be 1 µs to 366 days, got 31622400.000001s",
    );
    refused(
        Policy::token_bucket(1, 1_001, us(1)),
        "refill must be at most 1,000,000,000 per second, got 1001 every 1 µs",
    );
    refused(
        Policy::leaky_bucket(1_462, 1, s(86_400)),
        "capacity must be such that a whole bucket takes at most 1,461 days, \
         got 1462 at 1 every 86400000000 µs",
    );
    assert!(Policy::token_bucket(1, 1_000, us(1)).is_ok());
    assert!(Policy::leaky_bucket(1_461, 1, s(86_400)).is_ok());
    assert!(Policy::fixed_window(1, days).is_ok());

    let store = Store::memory(1).unwrap();
    let policy = fixed(1, SECOND);
    for name in ["", "a b", "é", "a:b", "{a}", "a\0", &"n".repeat(65)] {
        let text = format!("name must be 1 to 64 of A-Z, a-z, 0-9, _ . -, got {name:?}");
        refused(Limiter::new(name, policy, &store), &text);
    }
    assert!(Limiter::new(&"n".repeat(64), policy, &store).is_ok());
    for keys in [0, (1 << 31) + 1, usize::MAX] {
        let text = format!("max_keys must be 1 to 2,147,483,648, got {keys}");
        refused(Store::memory(keys), &text);
    }
}

/// The same at the calls: nothing is charged.
#[test]
fn arguments_of_calls_out_of_range_are_named_and_nothing_is_charged() {
    for policy in all_policies(5, s(60))
        .into_iter()
        .chain([Policy::unlimited()])
    {
        on_each_store(policy, |one| {
            let limiter = &one.limiter;
            let long = vec![0; 65_537];
            let text = "key must be at most 65,536 bytes long, got 65537 bytes";
            refused(limiter.allow(&long, 1), text);
            refused(limiter.consume(&long, 1), text);
            refused(limiter.peek(&long, 1), text);
            refused(limiter.acquire(&long, 1, SECOND), text);
            refused(limiter.refund(&long, 1), text);
            refused(limiter.reset(&long), text);

            let cost = i64::MAX as u64 + 1;
            let text = format!("cost must be 0 to 9,223,372,036,854,775,807, got {cost}");
            refused(limiter.allow(KEY, cost), &text);
            refused(limiter.consume(KEY, cost), &text);
            refused(limiter.peek(KEY, cost), &text);
            refused(limiter.acquire(KEY, cost, SECOND), &text);
            refused(limiter.refund(KEY, cost), &text);

            let days = s(366 * 86_400) + us(1);
            refused(
                limiter.acquire(KEY, 1, days),
                "timeout must be 0 to 366 days, got 31622400.000001s",
            );
            assert_eq!(one.store.stats().live, 0);
        });
    }
    on_each_store(token(5, 5, SECOND), |one| {
        refused(
            one.limiter.reserve(KEY, 1, Duration::MAX),
            "max_wait must be 0 to 366 days, got 18446744073709551615.999999999s",
        );
    });
    on_each_store(fixed(5, SECOND), |one| {
        let error = one.limiter.reserve(KEY, 1, SECOND).unwrap_err();
        let text = error.to_string();
        assert!(
            text.starts_with("limiter \"limiter\" cannot reserve: "),
            "{text}"
        );
    });
    refused(
        Limiter::consume_all(&[]),
        "charges must be at least one, got an empty list",
    );
}
