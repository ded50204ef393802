//! One limit for several processes: run it in two terminals, with the same path.
//!
//! `cargo run --example shared -- /dev/shm/ratelimit-example`

use ratelimit_core::{Error, Limiter, Policy, Segment, SegmentOptions, Store};
use std::time::Duration;

fn main() -> Result<(), Error> {
    let path = std::env::args()
        .nth(1)
        .unwrap_or("/dev/shm/ratelimit-example".into());
    let segment = Segment::open(&SegmentOptions::new(path, 1 << 20))?;
    if let Some(notice) = segment.notice() {
        eprintln!("{notice}");
    }
    let policy = Policy::fixed_window(10, Duration::from_secs(10))?;
    let limiter = Limiter::new("example", policy, &Store::shared(&segment))?;

    let decision = limiter.consume("everybody", 1)?;
    println!(
        "allowed = {}, {} of {} left, the window ends in {:?}",
        decision.allowed, decision.remaining, decision.limit, decision.reset_after
    );
    Ok(())
}
