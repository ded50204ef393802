//! Segments that are shorter than a call takes.

use ratelimit_core::{Error, Limiter, Policy, Store};
use std::time::Duration;

#[test]
fn segments_shorter_than_a_call_do_not_starve_it() -> Result<(), Error> {
    let store = Store::memory(1_000)?;
    for (window, segments) in [(60, 60), (1, 1), (10, 10), (61, 60), (2, 1)] {
        let policy = Policy::sliding_window(10, Duration::from_micros(window), segments)?;
        let limiter = Limiter::new("limiter", policy, &store)?;
        let allowed = (0..300)
            .filter(|_| limiter.allow("key", 1) == Ok(true))
            .count();
        assert!(
            allowed >= 10,
            "{allowed} of 300 in {window} µs of {segments} segments"
        );
    }
    Ok(())
}
