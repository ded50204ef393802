//! A worker that makes every kind of call on keys that live long and on keys that live briefly.
//!
//! Long-lived keys come in epochs, a few hot ones at a time, so that limits are reached and new
//! keys inserted the whole time. They are accounted for. Random short-lived keys fill the table
//! and are forgotten by the time it is looked at.

use super::ledger::Ledger;
use super::timings::Timings;
use crate::clock::{now_ns, now_us, wait_until};
use crate::losses;
use crate::message::Answer;
use crate::shape::Shape;
use crate::worker::say;
use ratelimit_core::{Charge, Error, Limiter, Store};
use serde::{Deserialize, Serialize};
use std::collections::{HashMap, HashSet};
use std::time::Duration;

/// Hot keys of each long-lived limiter in an epoch; units are given back to the first half.
pub const HOT: u32 = 8;
/// Short-lived keys of each limiter: more than the table has room for.
const RANDOM: u32 = 20_000;
/// How much longer a reservation makes a short-lived key live, at most.
pub const MOST_RESERVED_US: u64 = 500_000;
/// How often a ledger is told at least.
const TELL_US: u64 = 10_000;

/// The load.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Load {
    /// The buckets first, then the windows.
    pub long: Vec<Shape>,
    pub short: Vec<Shape>,
    /// Of them, how many are buckets.
    pub buckets: usize,
    pub start_us: u64,
    pub end_us: u64,
    pub epoch_us: u64,
}

impl Load {
    pub fn long_limiters(&self, store: &Store) -> Result<Vec<Limiter>, Error> {
        limiters("long", &self.long, store)
    }

    /// Keys of each long-lived limiter.
    pub fn long_keys(&self) -> u32 {
        (self.epoch(self.end_us) + 1) * HOT
    }

    fn epoch(&self, now: u64) -> u32 {
        (now.saturating_sub(self.start_us) / self.epoch_us) as u32
    }
}

/// Whether units of that long-lived key are given back.
pub fn is_refunded(number: u32) -> bool {
    number % HOT < HOT / 2
}

pub fn key(number: u32) -> [u8; 4] {
    number.to_le_bytes()
}

fn limiters(name: &str, shapes: &[Shape], store: &Store) -> Result<Vec<Limiter>, Error> {
    let named = |(n, shape): (usize, &Shape)| shape.limiter(&format!("{name}.{n}"), store);
    shapes.iter().enumerate().map(named).collect()
}

/// Calls until the end; tells ledgers on the way.
pub fn run(store: &Store, load: &Load) -> Result<Timings, Error> {
    let mut worker = Worker {
        long: load.long_limiters(store)?,
        short: limiters("short", &load.short, store)?,
        load,
        now: load.start_us,
        admitted: HashMap::new(),
        tags: HashSet::new(),
    };
    for limiter in &worker.long {
        let tags = (0..load.long_keys()).map(|number| limiter.tag(key(number)));
        worker.tags.extend(tags);
    }
    let mut timings = Timings::default();
    let mut told = load.start_us;
    wait_until(load.start_us);
    worker.now = now_us();
    while worker.now < load.end_us {
        let act = worker.choose();
        if let Act::Refund(target, cost) = act
            && target.long
        {
            worker.tell(Some((target.limiter, target.number, cost)));
        }
        let before = now_ns();
        worker.perform(act)?;
        let after = now_ns();
        let second = (worker.now - load.start_us) / 1_000_000;
        timings.add(after - before, second as usize);
        worker.now = after / 1_000;
        if worker.now > told + TELL_US {
            worker.tell(None);
            told = worker.now;
        }
    }
    worker.tell(None);
    Ok(timings)
}

/// A key under a limiter.
#[derive(Clone, Copy)]
struct Target {
    long: bool,
    limiter: usize,
    number: u32,
}

#[derive(Clone, Copy)]
enum Act {
    Allow(Target, u64),
    Consume(Target, u64),
    All([(Target, u64); 2]),
    Reserve(Target, u64),
    Refund(Target, u64),
    Peek(Target),
    Reset(Target),
}

struct Worker<'l> {
    load: &'l Load,
    long: Vec<Limiter>,
    short: Vec<Limiter>,
    now: u64,
    admitted: HashMap<(usize, u32), u64>,
    /// Of the long-lived keys.
    tags: HashSet<u64>,
}

impl Worker<'_> {
    fn choose(&self) -> Act {
        let cost = fastrand::u64(1..=3);
        let (limiters, buckets) = (self.long.len(), self.load.buckets);
        match fastrand::u32(0..100) {
            0..45 => Act::Allow(self.target(limiters), cost),
            45..70 => Act::Consume(self.target(limiters), cost),
            70..80 => Act::All([(); 2].map(|()| (self.target(limiters), cost))),
            80..87 => Act::Reserve(self.target(buckets), cost),
            87..93 => self.refund(self.target(limiters), cost),
            93..98 => Act::Peek(self.target(limiters)),
            _ => Act::Reset(Target {
                long: false,
                ..self.target(limiters)
            }),
        }
    }

    fn target(&self, limiters: usize) -> Target {
        let long = fastrand::u32(0..3) == 0;
        let number = match long {
            true => {
                let now = self.load.epoch(self.now);
                // Seldom one that has been full for long.
                let back = fastrand::u32(0..10).saturating_sub(8).min(now);
                (now - back) * HOT + fastrand::u32(0..HOT)
            }
            false => fastrand::u32(0..RANDOM),
        };
        Target {
            long,
            limiter: fastrand::usize(..limiters),
            number,
        }
    }

    /// Where nothing is given back, something is asked for.
    fn refund(&self, target: Target, cost: u64) -> Act {
        match target.long && !is_refunded(target.number) {
            true => Act::Consume(target, cost),
            false => Act::Refund(target, cost),
        }
    }

    fn perform(&mut self, act: Act) -> Result<(), Error> {
        let at = |t: Target| match t.long {
            true => &self.long[t.limiter],
            false => &self.short[t.limiter],
        };
        let (allowed, charges) = match act {
            Act::Allow(t, cost) => (at(t).allow(key(t.number), cost)?, [(t, cost), (t, 0)]),
            Act::Consume(t, cost) => {
                let decision = at(t).consume(key(t.number), cost)?;
                (decision.allowed, [(t, cost), (t, 0)])
            }
            Act::All(charges) => {
                let keys = charges.map(|(t, _)| key(t.number));
                let all: Vec<Charge<'_, '_>> = charges
                    .iter()
                    .zip(&keys)
                    .map(|(&(t, cost), key)| Charge {
                        limiter: at(t),
                        key,
                        cost,
                    })
                    .collect();
                (Limiter::consume_all(&all)?.allowed, charges)
            }
            Act::Reserve(t, cost) => {
                // A long-lived key must not be lent more than its limit.
                let most = if t.long { 0 } else { MOST_RESERVED_US };
                let decision = at(t).reserve(key(t.number), cost, Duration::from_micros(most))?;
                (decision.allowed, [(t, cost), (t, 0)])
            }
            Act::Refund(t, cost) => {
                at(t).refund(key(t.number), cost)?;
                return Ok(());
            }
            Act::Peek(t) => {
                at(t).peek(key(t.number), 1)?;
                return Ok(());
            }
            Act::Reset(t) => return at(t).reset(key(t.number)),
        };
        for (t, cost) in charges.into_iter().filter(|(t, _)| t.long && allowed) {
            *self.admitted.entry((t.limiter, t.number)).or_default() += cost;
        }
        Ok(())
    }

    /// Tells what has happened, and a refund that is about to.
    fn tell(&mut self, refund: Option<(usize, u32, u64)>) {
        let admitted = self.admitted.drain();
        let of_long = losses::take()
            .into_iter()
            .filter(|(tag, _)| self.tags.contains(tag));
        let ledger = Ledger {
            admitted: admitted
                .map(|((limiter, key), units)| (limiter, key, units))
                .collect(),
            refunds: refund.into_iter().collect(),
            losses: of_long.collect(),
        };
        say(&Answer::Ledger(ledger));
    }
}
