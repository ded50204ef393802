//! Who may ask a server that gave no answer lately.
//!
//! After some failures in a row nobody asks it for an interval; then one caller of all that share
//! the gauge does, on a lease that ends should it die. One success lets all ask again.

use super::failure::Kind;
use super::transport::Effort;
use crate::clock::Source;
use crate::store::gauges::Gauge;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::time::Duration;

/// Failures in a row that close the way to a server.
const MOST_FAILURES: u64 = 3;
/// For how long, in microseconds, and how long a caller that tries it has at least.
const INTERVAL: u64 = 1_000_000;

/// A server's gauge, used to decide who may ask.
pub(super) struct Breaker<'a>(pub &'a Gauge);

/// Whether to ask.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Way {
    Open,
    /// For so long, in microseconds.
    Closed(u64),
}

impl Breaker<'_> {
    /// Whether to ask now, for a call that takes at most `budget`.
    pub(super) fn enter(&self, budget: Duration) -> Way {
        self.enter_at(now(), budget)
    }

    fn enter_at(&self, now: u64, budget: Duration) -> Way {
        let until = self.0.closed_until.load(Relaxed);
        if until == 0 {
            return Way::Open;
        }
        if now < until {
            return Way::Closed(until - now);
        }
        let lease = INTERVAL.max(budget.as_micros() as u64);
        let next = now.saturating_add(lease);
        let leased = &self.0.closed_until;
        match leased.compare_exchange(until, next, Relaxed, Relaxed) {
            Ok(_) | Err(0) => Way::Open,
            Err(other) => Way::Closed(other.saturating_sub(now)),
        }
    }

    pub(super) fn succeeded(&self) {
        for counter in [&self.0.failures, &self.0.closed_until] {
            // Only read where nothing failed, so that all may have the line.
            if counter.load(Relaxed) != 0 {
                counter.store(0, Relaxed);
            }
        }
    }

    pub(super) fn failed(&self, kind: Kind) {
        self.failed_at(now(), kind);
    }

    fn failed_at(&self, now: u64, kind: Kind) {
        add(&self.0.errors[kind as usize], 1);
        if !kind.is_of_the_server() {
            return;
        }
        let in_a_row = self.0.failures.fetch_add(1, Relaxed) + 1;
        if in_a_row >= MOST_FAILURES {
            self.0.closed_until.store(now + INTERVAL, Relaxed);
        }
    }

    pub(super) fn count(&self, effort: Effort) {
        add(&self.0.round_trips, effort.round_trips);
        add(&self.0.reloads, effort.reloads);
        add(&self.0.redirects, effort.redirects);
    }
}

fn add(counter: &AtomicU64, n: u32) {
    if n > 0 {
        counter.fetch_add(n.into(), Relaxed);
    }
}

fn now() -> u64 {
    Source::System.read(false)
}

#[cfg(test)]
mod tests {
    use super::*;

    const BUDGET: Duration = Duration::from_millis(100);

    #[test]
    fn three_failures_close_the_way_and_one_success_opens_it() {
        let gauge = Gauge::default();
        let breaker = Breaker(&gauge);
        for _ in 0..2 {
            breaker.failed_at(5, Kind::Timeout);
            assert_eq!(breaker.enter_at(5, BUDGET), Way::Open);
        }
        breaker.failed_at(5, Kind::Timeout);
        assert_eq!(breaker.enter_at(5, BUDGET), Way::Closed(INTERVAL));
        breaker.succeeded();
        assert_eq!(breaker.enter_at(5, BUDGET), Way::Open);
    }

    #[test]
    fn a_success_between_failures_starts_the_count_again() {
        let gauge = Gauge::default();
        let breaker = Breaker(&gauge);
        for _ in 0..10 {
            breaker.failed_at(5, Kind::Broken);
            breaker.failed_at(5, Kind::Broken);
            breaker.succeeded();
        }
        assert_eq!(breaker.enter_at(5, BUDGET), Way::Open);
    }

    #[test]
    fn keys_that_hold_something_else_say_nothing_of_the_server() {
        let gauge = Gauge::default();
        let breaker = Breaker(&gauge);
        (0..10).for_each(|_| breaker.failed_at(5, Kind::Foreign));
        assert_eq!(breaker.enter_at(5, BUDGET), Way::Open);
    }

    #[test]
    fn one_caller_at_a_time_tries_again_and_its_lease_ends() {
        let gauge = Gauge::default();
        let breaker = Breaker(&gauge);
        (0..3).for_each(|_| breaker.failed_at(0, Kind::Connect));
        let later = INTERVAL;
        assert_eq!(breaker.enter_at(later, BUDGET), Way::Open);
        assert_eq!(breaker.enter_at(later, BUDGET), Way::Closed(INTERVAL));
        assert_eq!(breaker.enter_at(later + INTERVAL, BUDGET), Way::Open);
        // A longer call has a longer lease.
        let long = Duration::from_secs(9);
        assert_eq!(breaker.enter_at(later + 2 * INTERVAL, long), Way::Open);
        let soon = later + 3 * INTERVAL;
        assert_eq!(breaker.enter_at(soon, BUDGET), Way::Closed(8 * INTERVAL));
    }
}
