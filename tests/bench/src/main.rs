//! `make bench`, the Rust part: this crate against `governor`, side by side.
//!
//! Rounds of all candidates alternate; a figure is the median of their ratios. Absolute times
//! are for humans: machines differ and are noisy.

mod candidates;
mod measure;
mod memory;

use candidates::{Fixture, hot, random, refused, threads};
use measure::{Table, ratio};
use ratelimit_core::Policy;
use std::time::Duration;

/// A bucket that never runs empty here, and is refilled in 21 s.
const UNITS: u64 = 4_294_967_295;
const SPAN: Duration = Duration::from_secs(21);
const MILLION: usize = 1_000_000;

fn main() {
    let mut table = Table::new();
    against_governor(&mut table);
    between_algorithms(&mut table);
    by_number_of_keys(&mut table);
    table.print();
    println!();
    memory::print();
}

fn bucket() -> Policy {
    Policy::token_bucket(UNITS, UNITS, SPAN).expect("in range")
}

fn against_governor(table: &mut Table) {
    let ours = Fixture::ours(bucket(), 1);
    let theirs = Fixture::governor(SPAN, 1);
    table.row("rust_hot_key", 0.5, ratio(|| hot(&ours), || hot(&theirs)));
    table.row(
        "rust_two_threads",
        0.6,
        ratio(|| threads(&ours), || threads(&theirs)),
    );
    let (ours, theirs) = (
        Fixture::ours(bucket(), MILLION),
        Fixture::governor(SPAN, MILLION),
    );
    table.row(
        "rust_million_keys",
        0.4,
        ratio(|| random(&ours), || random(&theirs)),
    );
    let ours = Fixture::ours(
        Policy::token_bucket(1, 1, Duration::from_secs(86_400)).expect("in range"),
        1,
    );
    let theirs = Fixture::governor_empty();
    table.row(
        "rust_hot_key_refused",
        1.0,
        ratio(|| refused(&ours), || refused(&theirs)),
    );
}

fn between_algorithms(table: &mut Table) {
    let token = Fixture::ours(bucket(), 1);
    let others = [
        (
            "leaky_vs_token",
            1.2,
            Policy::leaky_bucket(UNITS, UNITS, SPAN),
        ),
        ("fixed_vs_token", 1.2, Policy::fixed_window(UNITS, SPAN)),
        (
            "sliding_vs_token",
            2.0,
            Policy::sliding_window(UNITS, SPAN, 10),
        ),
    ];
    for (name, bar, policy) in others {
        let other = Fixture::ours(policy.expect("in range"), 1);
        table.row(name, bar, ratio(|| hot(&other), || hot(&token)));
    }
}

fn by_number_of_keys(table: &mut Table) {
    let thousand = Fixture::ours(bucket(), 1_000);
    let million = Fixture::ours(bucket(), MILLION);
    table.row(
        "keys_million_vs_thousand",
        10.0,
        ratio(|| random(&million), || random(&thousand)),
    );
    let sliding = Policy::sliding_window(UNITS, SPAN, 10).expect("in range");
    let windows = Fixture::ours(sliding, 1_000);
    table.row(
        "sliding_vs_token_thousand_keys",
        f64::INFINITY,
        ratio(|| random(&windows), || random(&thousand)),
    );
    let thousand = Fixture::governor(SPAN, 1_000);
    let million = Fixture::governor(SPAN, MILLION);
    table.row(
        "governor_million_vs_thousand",
        f64::INFINITY,
        ratio(|| random(&million), || random(&thousand)),
    );
}
