//! A worker that calls flat out, and writes down when.

use crate::clock::{now_us, wait_until};
use crate::shape::{Algorithm, Shape};
use ratelimit_core::{Error, Store};
use serde::{Deserialize, Serialize};

/// Calls without a pause.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Flat {
    pub shape: Shape,
    pub start_us: u64,
    pub end_us: u64,
}

/// A call: the clock before and after it, and when the decision said that the key would be fresh
/// (admitted) or have room (refused), counted from the call's own reading of the clock.
#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
pub struct Seen {
    pub before: u64,
    pub after: u64,
    pub said: u64,
}

/// Every admission, and some refusals.
#[derive(Debug, Default, Serialize, Deserialize)]
pub struct Log {
    pub calls: u64,
    pub admitted: Vec<Seen>,
    pub refused: Vec<Seen>,
}

/// Of the refusals one in so many is kept, and those next to an admission.
const EACH: u64 = 64;
/// More refusals than this are not kept.
const MOST_REFUSED: usize = 100_000;

/// Calls, and keeps the log.
pub fn record(store: &Store, flat: &Flat) -> Result<Log, Error> {
    let limiter = flat.shape.limiter("moving", store)?;
    // Only a decision says which window it was made in.
    let always_consume = flat.shape.algorithm == Algorithm::FixedWindow;
    let mut log = Log::default();
    let (mut last_refused, mut just_admitted) = (None, false);
    wait_until(flat.start_us);
    let mut before = now_us();
    while before < flat.end_us {
        let (allowed, said) = match always_consume || log.calls % 2 == 0 {
            true => {
                let decision = limiter.consume("key", 1)?;
                let said = match decision.allowed {
                    true => decision.reset_after,
                    false => decision.retry_after.expect("1 is below the limit"),
                };
                (decision.allowed, said.as_micros() as u64)
            }
            false => (limiter.allow("key", 1)?, 0),
        };
        let after = now_us();
        let seen = Seen {
            before,
            after,
            said,
        };
        log.calls += 1;
        if allowed {
            log.admitted.push(seen);
            log.keep(last_refused.take());
        } else if just_admitted || log.calls % EACH == 0 {
            log.keep(Some(seen));
            last_refused = None;
        } else {
            last_refused = Some(seen);
        }
        just_admitted = allowed;
        before = after;
    }
    Ok(log)
}

impl Log {
    fn keep(&mut self, refused: Option<Seen>) {
        if self.refused.len() < MOST_REFUSED {
            self.refused.extend(refused);
        }
    }

    pub fn append(&mut self, mut other: Log) {
        self.calls += other.calls;
        self.admitted.append(&mut other.admitted);
        self.refused.append(&mut other.refused);
    }

    /// The admissions' instants, each kind in order.
    pub fn instants(&self) -> Instants {
        let sorted = |of: fn(&Seen) -> u64| {
            let mut all: Vec<u64> = self.admitted.iter().map(of).collect();
            all.sort_unstable();
            all
        };
        Instants {
            befores: sorted(|s| s.before),
            afters: sorted(|s| s.after),
        }
    }
}

/// The log of calls that began at these instants and took 2 µs each.
#[cfg(test)]
pub fn made_at(admitted: &[u64], refused: &[u64]) -> Log {
    let call = |at: &u64| Seen {
        before: *at,
        after: at + 2,
        said: 0,
    };
    Log {
        calls: 0,
        admitted: admitted.iter().map(call).collect(),
        refused: refused.iter().map(call).collect(),
    }
}

/// When the admissions began, and when they ended.
pub struct Instants {
    pub befores: Vec<u64>,
    pub afters: Vec<u64>,
}

impl Instants {
    /// How many began before `us`.
    pub fn began_before(&self, us: u64) -> u64 {
        self.befores.partition_point(|b| *b < us) as u64
    }

    /// How many ended before `us`.
    pub fn ended_before(&self, us: u64) -> u64 {
        self.afters.partition_point(|a| *a < us) as u64
    }
}
