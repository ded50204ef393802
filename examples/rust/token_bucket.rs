//! A token bucket per client: bursts up to the capacity, then a steady rate.
//!
//! `cargo run --example token_bucket`

use ratelimit_core::{Error, Limiter, Policy, Store};
use std::time::Duration;

fn main() -> Result<(), Error> {
    let store = Store::memory(65_536)?;
    let policy = Policy::token_bucket(5, 10, Duration::from_secs(1))?;
    let limiter = Limiter::new("example", policy, &store)?;

    for call in 1..=7 {
        let decision = limiter.consume("client-1", 1)?;
        match decision.retry_after {
            _ if decision.allowed => println!("call {call}: allowed, {} left", decision.remaining),
            Some(wait) => println!("call {call}: refused, try again in {wait:?}"),
            None => println!("call {call}: refused for good"),
        }
    }

    // The same by waiting for it.
    let decision = limiter.acquire("client-1", 1, Duration::from_secs(1))?;
    println!("after waiting: allowed = {}", decision.allowed);
    Ok(())
}
