//! `make bench`, the Rust part: this crate against `governor`, side by side.
//!
//! Rounds of all candidates alternate; a figure is the median of their ratios. Absolute times
//! are for humans: machines differ and are noisy.

mod candidates;
mod measure;
mod memory;

use candidates::{Fixture, hot, random, refused, threads};
use measure::Table;
use ratelimit_core::Policy;
use std::time::Duration;

/// A bucket that never runs empty here, and is refilled in 21 s.
const UNITS: u64 = 4_294_967_295;
const SPAN: Duration = Duration::from_secs(21);
const MILLION: usize = 1_000_000;

/// No bar, but worth knowing.
const NONE: f64 = f64::INFINITY;

fn main() {
    let day = Duration::from_secs(86_400);
    let one = Policy::token_bucket(1, 1, day).expect("in range");
    let fixed = Policy::fixed_window(UNITS, SPAN).expect("in range");
    let leaky = Policy::leaky_bucket(UNITS, UNITS, SPAN).expect("in range");
    let sliding = Policy::sliding_window(UNITS, SPAN, 10).expect("in range");

    let [token, shared] = [(); 2].map(|()| Fixture::ours(bucket(), 1));
    let [leaky, fixed, window] = [leaky, fixed, sliding].map(|p| Fixture::ours(p, 1));
    let empty = Fixture::ours(one, 1);
    let thousand = Fixture::ours(bucket(), 1_000);
    let windows = Fixture::ours(sliding, 1_000);
    let million = Fixture::ours(bucket(), MILLION);
    let [their_token, their_shared] = [(); 2].map(|()| Fixture::governor(SPAN, 1));
    let their_empty = Fixture::governor_empty();
    let their_thousand = Fixture::governor(SPAN, 1_000);
    let their_million = Fixture::governor(SPAN, MILLION);

    let mut table = Table::default();
    table.row("rust_hot_key", 0.5, || hot(&token), || hot(&their_token));
    table.row(
        "rust_two_threads",
        0.6,
        || threads(&shared),
        || threads(&their_shared),
    );
    table.row(
        "rust_million_keys",
        0.4,
        || random(&million),
        || random(&their_million),
    );
    table.row(
        "rust_hot_key_refused",
        1.0,
        || refused(&empty),
        || refused(&their_empty),
    );
    table.row("leaky_vs_token", 1.2, || hot(&leaky), || hot(&token));
    table.row("fixed_vs_token", 1.2, || hot(&fixed), || hot(&token));
    table.row("sliding_vs_token", 2.0, || hot(&window), || hot(&token));
    table.row(
        "keys_million_vs_thousand",
        10.0,
        || random(&million),
        || random(&thousand),
    );
    let theirs = || random(&their_million);
    table.row("governor_million_vs_thousand", NONE, theirs, || {
        random(&their_thousand)
    });
    let ours = || random(&windows);
    table.row("sliding_vs_token_thousand_keys", NONE, ours, || {
        random(&thousand)
    });
    table.run();
    println!();
    memory::print();
}

fn bucket() -> Policy {
    Policy::token_bucket(UNITS, UNITS, SPAN).expect("in range")
}
