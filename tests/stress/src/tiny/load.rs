//! A worker that calls on a hot key and on many random ones.

use crate::clock::{now_us, wait_until};
use crate::losses::{self, Loss};
use crate::shape::Shape;
use ratelimit_core::{Error, Limiter, Store};
use serde::{Deserialize, Serialize};
use std::collections::HashMap;

/// The load.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Crowd {
    pub shapes: Vec<Shape>,
    /// Of each limiter.
    pub keys: u32,
    pub start_us: u64,
    pub end_us: u64,
}

/// What one worker, or all, have seen.
#[derive(Debug, Default, Serialize, Deserialize)]
pub struct Tallies {
    /// Limiter, key, units.
    pub admitted: Vec<(usize, u32, u64)>,
    /// By tag.
    pub losses: Vec<(u64, Loss)>,
    /// Calls.
    pub allowed: u64,
    pub refused: u64,
}

impl Crowd {
    pub fn limiters(&self, store: &Store) -> Result<Vec<Limiter>, Error> {
        let named = |(n, shape): (usize, &Shape)| shape.limiter(&format!("tiny.{n}"), store);
        self.shapes.iter().enumerate().map(named).collect()
    }
}

pub fn key(number: u32) -> [u8; 4] {
    number.to_le_bytes()
}

/// Calls until the end.
pub fn run(store: &Store, crowd: &Crowd) -> Result<Tallies, Error> {
    let limiters = crowd.limiters(store)?;
    let mut admitted: HashMap<(usize, u32), u64> = HashMap::new();
    let mut tallies = Tallies::default();
    wait_until(crowd.start_us);
    while now_us() < crowd.end_us {
        // Between two looks at the clock.
        for _ in 0..64 {
            let nth = fastrand::usize(..limiters.len());
            let (limiter, number, cost) = (&limiters[nth], choose(crowd.keys), cost());
            let allowed = match fastrand::bool() {
                true => limiter.allow(key(number), cost)?,
                false => limiter.consume(key(number), cost)?.allowed,
            };
            if allowed {
                *admitted.entry((nth, number)).or_default() += cost;
                tallies.allowed += 1;
            } else {
                tallies.refused += 1;
            }
        }
    }
    let units = admitted
        .into_iter()
        .map(|((nth, key), units)| (nth, key, units));
    tallies.admitted = units.collect();
    tallies.losses = losses::take().into_iter().collect();
    Ok(tallies)
}

/// A fifth of the calls go to key 0. The logarithm of the others' numbers is uniform, so that
/// each of the first ten has as many calls as hundreds of the last together.
fn choose(keys: u32) -> u32 {
    match fastrand::u32(0..5) {
        0 => 0,
        _ => f64::from(keys).powf(fastrand::f64()) as u32,
    }
}

fn cost() -> u64 {
    [1, 1, 1, 2, 3][fastrand::usize(..5)]
}

impl Tallies {
    pub fn add(&mut self, mut other: Tallies) {
        let mut losses: HashMap<u64, Loss> = self.losses.drain(..).collect();
        for (tag, loss) in other.losses {
            losses.entry(tag).or_default().add(loss);
        }
        self.losses = losses.into_iter().collect();
        self.admitted.append(&mut other.admitted);
        self.allowed += other.allowed;
        self.refused += other.refused;
    }
}
