//! What keys take, and what a full store gives up, in steady use: keys come and go, or their
//! segments do, while so many percent of the cells are live.

use ratelimit_core::{Limiter, ManualClock, Policy, Store};
use std::sync::Arc;
use std::time::Duration;

const CELLS: usize = 300_000;
/// Header and counters of a store, in bytes.
const OVERHEAD: u64 = 12_288;
const SECOND: Duration = Duration::from_secs(1);

/// A store in use.
struct Use {
    /// Table bytes per live cell.
    bytes: f64,
    /// Of the cells that were needed, the part that was given up.
    lost: f64,
}

/// Prints a table and a `ratio` line for each figure.
pub fn print() {
    let hour = SECOND * 3_600;
    let policies = [
        ("token_bucket", Policy::token_bucket(10, 10, hour)),
        ("leaky_bucket", Policy::leaky_bucket(10, 10, hour)),
        ("fixed_window", Policy::fixed_window(10, hour)),
        ("sliding_10", Policy::sliding_window(100, SECOND * 10, 10)),
        ("sliding_60", Policy::sliding_window(100, SECOND * 60, 60)),
    ];
    println!("memory: bytes per live key (sliding: per segment in use), live cells given up");
    println!(
        "{:<16} {:>10} {:>14} {:>14}",
        "", "bytes", "two thirds", "80 %"
    );
    let mut ratios = Vec::new();
    for (name, policy) in policies {
        let policy = policy.expect("in range");
        let [thirds, fifths] = [200, 240].map(|percent| in_use(policy, percent));
        let (lost, more) = (thirds.lost * 100.0, fifths.lost * 100.0);
        println!(
            "{name:<16} {:>10.2} {lost:>12.4} % {more:>12.4} %",
            thirds.bytes
        );
        ratios.push((format!("bytes_{name}"), thirds.bytes));
        ratios.push((format!("given_up_two_thirds_{name}"), thirds.lost));
        ratios.push((format!("given_up_four_fifths_{name}"), fifths.lost));
    }
    for (name, value) in ratios {
        println!("ratio {name} {value:.6}");
    }
}

/// Four lifetimes of a store of which so many of 300 cells are live.
fn in_use(policy: Policy, of_300: u64) -> Use {
    let clock = Arc::new(ManualClock::new(1_000_000_000));
    let store = Store::memory_with_clock(CELLS * 2 / 3, clock.clone()).expect("enough memory");
    let limiter = Limiter::new("bench", policy, &store).expect("a good name");
    let live = store.stats().capacity * of_300 / 300;
    let needed = match policy.algorithm() {
        "sliding_window" => all_segments(&limiter, &clock, live),
        _ => come_and_go(&limiter, &clock, live),
    };
    let stats = store.stats();
    Use {
        bytes: (stats.bytes - OVERHEAD) as f64 / stats.live as f64,
        lost: stats.given_up as f64 / needed as f64,
    }
}

/// Each key comes once, and lives for its bucket's or window's time.
fn come_and_go(limiter: &Limiter, clock: &ManualClock, live: u64) -> u64 {
    let life = limiter.consume("first", 1).expect("in range").reset_after;
    let keys = 4 * live;
    for n in 0..keys {
        limiter.allow(format!("user:{n}"), 1).expect("in range");
        clock.advance(life / live as u32);
    }
    keys
}

/// Every key is charged in every segment.
fn all_segments(limiter: &Limiter, clock: &ManualClock, live: u64) -> u64 {
    let span = limiter.policy().span().expect("limited");
    let segments = span.as_secs() + 1; // the one before the window, too
    let keys = live / segments;
    for _ in 0..4 * segments {
        clock.advance(SECOND);
        for n in 0..keys {
            limiter.allow(format!("user:{n}"), 1).expect("in range");
        }
    }
    4 * segments * keys
}
