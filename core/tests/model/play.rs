//! Plays a case on the model and on every store, and compares all answers.

use super::case::{Call, Case, Cost, KEYS, Passage, Target};
use super::{Answer, Params, Who, World};
use proptest::prelude::*;
use ratelimit_core::{Charge, Clock, Error, Limiter, ManualClock, Segment, Store};
use std::sync::Arc;
use std::time::Duration;

/// A store and the limiters on it.
struct Real {
    what: &'static str,
    clock: Arc<ManualClock>,
    store: Store,
    limiters: Vec<Limiter>,
}

pub fn stores(start: u64) -> [(&'static str, Arc<ManualClock>, Store); 2] {
    let clocks = [(); 2].map(|()| Arc::new(ManualClock::new(start)));
    let memory = Store::memory_with_clock(4_096, clocks[0].clone()).unwrap();
    let segment = Segment::anonymous(512 << 10).unwrap();
    let shared = Store::shared_with_clock(&segment, clocks[1].clone());
    let [one, two] = clocks;
    [("memory", one, memory), ("shared", two, shared)]
}

pub fn limiter(who: &Who, store: &Store) -> Limiter {
    Limiter::new(who.name, who.params.policy(), store).unwrap()
}

/// Plays all of a case.
pub fn play(case: &Case) -> Result<(), TestCaseError> {
    let mut play = Play::new(case);
    for (passage, call) in &case.steps {
        play.pass(*passage, call.limiter() % play.who.len());
        play.call(call)?;
    }
    for real in &play.reals {
        prop_assert_eq!(real.store.stats().given_up, 0, "{}", real.what);
    }
    Ok(())
}

/// A case being played.
struct Play {
    world: World,
    who: Vec<Who>,
    reals: Vec<Real>,
    latest: u64,
    most_back: u64,
    retry_after: u64,
    reset_after: u64,
    /// What was last asked by `allow`.
    last: Target,
}

impl Play {
    fn new(case: &Case) -> Play {
        let reals = stores(case.start).map(|(what, clock, store)| Real {
            what,
            clock,
            limiters: case
                .limiters
                .iter()
                .map(|who| limiter(who, &store))
                .collect(),
            store,
        });
        Play {
            world: World {
                now: case.start,
                ..World::default()
            },
            who: case.limiters.clone(),
            reals: reals.into(),
            latest: case.start,
            most_back: case.most_back(),
            retry_after: 0,
            reset_after: 0,
            last: (0, 1, Cost::Exactly(1)),
        }
    }

    fn pass(&mut self, passage: Passage, next: usize) {
        let params = &self.who[next].params;
        let after = |us: u64, off: i64| self.world.now + us.saturating_add_signed(off);
        self.world.now = match passage {
            Passage::None => self.world.now,
            Passage::Micros(us) => after(us, 0),
            Passage::Units(n, off) => {
                let unit = params.unit().ceil().to_integer();
                after(n * u64::try_from(unit).unwrap(), off)
            }
            Passage::RetryAfter(off) => after(self.retry_after, off),
            Passage::ResetAfter(off) => after(self.reset_after, off),
            Passage::Edge(off) => {
                let segment = params.segment().max(1);
                after(segment - self.world.now % segment, off)
            }
            Passage::Years(n) => after(n * 365 * 86_400_000_000, 0),
            Passage::Back(percent) => {
                let back = u128::from(self.most_back) * u128::from(percent) / 100;
                let to = self.latest.saturating_sub(back as u64);
                let least = self.world.last_end(self.latest);
                self.world.now.min(to.max(least))
            }
        };
        self.latest = self.latest.max(self.world.now);
        self.reals.iter().for_each(|r| r.clock.set(self.world.now));
    }

    fn cost(&mut self, (who, key, cost): Target) -> u64 {
        let limit = self.who[who].params.limit();
        let max = i64::MAX as u64;
        match cost {
            Cost::Exactly(n) => n,
            Cost::Limit(off) => limit.saturating_add_signed(off).min(max),
            Cost::Share(percent) => (u128::from(limit) * u128::from(percent) / 100) as u64,
            Cost::Remaining(off) => {
                let left = self.world.peek(&self.who[who], KEYS[key], 0).remaining;
                left.saturating_add_signed(off).min(max)
            }
        }
    }

    /// Makes one call everywhere.
    fn call(&mut self, call: &Call) -> Result<(), TestCaseError> {
        let all = self.who.len();
        let with = |(who, key, cost): Target| (who % all, key, cost);
        match call {
            Call::Change(who, params) => {
                self.who[who % all].params = *params;
                for real in &mut self.reals {
                    real.limiters[who % all] = limiter(&self.who[who % all], &real.store);
                }
                Ok(())
            }
            Call::All(targets) => self.consume_all(targets.iter().copied().map(with).collect()),
            Call::Reset(target) => {
                let (who, key, _) = with(*target);
                self.world.reset(&self.who[who], KEYS[key]);
                for real in &self.reals {
                    real.limiters[who].reset(KEYS[key]).unwrap();
                }
                Ok(())
            }
            Call::Consume(target)
            | Call::Allow(target)
            | Call::Peek(target)
            | Call::Refund(target)
            | Call::Reserve(target, _)
            | Call::Acquire(target, _) => self.single(call, with(*target)),
            Call::Again(cost) => {
                let (who, key, _) = self.last;
                self.single(&Call::Allow(self.last), (who, key, *cost))
            }
        }
    }

    fn single(&mut self, call: &Call, target: Target) -> Result<(), TestCaseError> {
        if let Call::Allow(_) = call {
            self.last = target;
        }
        let cost = self.cost(target);
        let (who, key) = (&self.who[target.0], KEYS[target.1]);
        let is_window = matches!(who.params, Params::Fixed { .. } | Params::Sliding { .. });
        if is_window && matches!(call, Call::Reserve(..)) {
            for real in &self.reals {
                let got = real.limiters[target.0].reserve(key, cost, Duration::ZERO);
                let unsupported = matches!(got, Err(Error::Unsupported { .. }));
                prop_assert!(unsupported);
            }
            return Ok(());
        }
        let want = match call {
            Call::Consume(_) | Call::Allow(_) => self.world.consume(who, key, cost),
            Call::Peek(_) => self.world.peek(who, key, cost),
            Call::Reserve(_, us) => self.world.reserve(who, key, cost, *us),
            Call::Acquire(_, us) => self.world.acquire(who, key, cost, *us),
            _ => self.world.refund(who, key, cost),
        };
        for real in &self.reals {
            let limiter = &real.limiters[target.0];
            let us = Duration::from_micros;
            let got = match call {
                Call::Allow(_) => {
                    prop_assert_eq!(limiter.allow(key, cost).unwrap(), want.allowed);
                    continue;
                }
                Call::Consume(_) => limiter.consume(key, cost),
                Call::Peek(_) => limiter.peek(key, cost),
                Call::Reserve(_, max) => limiter.reserve(key, cost, us(*max)),
                Call::Acquire(_, max) => limiter.acquire(key, cost, us(*max)),
                _ => limiter.refund(key, cost),
            };
            let got = Answer::from(got.unwrap());
            prop_assert_eq!(&got, &want, "{} {:?} cost {}", real.what, call, cost);
            prop_assert_eq!(real.clock.now(), self.world.now, "{:?}", call);
        }
        self.latest = self.latest.max(self.world.now);
        self.retry_after = want.retry_after.unwrap_or(0);
        self.reset_after = want.reset_after;
        Ok(())
    }

    fn consume_all(&mut self, targets: Vec<Target>) -> Result<(), TestCaseError> {
        let mut charges: Vec<(usize, Who, Vec<u8>, u64)> = Vec::new();
        for target in targets {
            let (who, key) = (self.who[target.0].clone(), KEYS[target.1].to_vec());
            // What two limits on one state make of each other depends on their order.
            let clashes = charges.iter().any(|(_, w, k, _)| {
                let same = (w.name, w.params.identity()) == (who.name, who.params.identity());
                same && *k == key && w.params != who.params
            });
            if !clashes {
                charges.push((target.0, who, key, self.cost(target)));
            }
        }
        let plain: Vec<_> = charges
            .iter()
            .map(|(_, w, k, c)| (w.clone(), k.clone(), *c))
            .collect();
        let want = self.world.consume_all(&plain);
        for real in &self.reals {
            let charges: Vec<_> = charges
                .iter()
                .map(|(who, _, key, cost)| Charge {
                    limiter: &real.limiters[*who],
                    key,
                    cost: *cost,
                })
                .collect();
            let got = Answer::from(Limiter::consume_all(&charges).unwrap());
            prop_assert_eq!(&got, &want, "{} {:?}", real.what, plain);
        }
        self.retry_after = want.retry_after.unwrap_or(0);
        self.reset_after = want.reset_after;
        Ok(())
    }
}
