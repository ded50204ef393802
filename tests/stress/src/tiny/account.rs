//! One key's account. What was admitted must be there, or have been given up.
//!
//! For windows longer than the test the two sides are equal, unit for unit. A bucket's instant is
//! never before the test's start plus what was admitted times T less what was given up, for it
//! goes up by at least T with every unit and down by nothing else.

use super::load::{Crowd, Tallies, key};
use crate::clock::now_us;
use crate::losses::Loss;
use crate::report::{Failure, ensure};
use crate::shape::Shape;
use ratelimit_core::{Error, Store};
use std::collections::HashMap;

/// Keys with so many calls that their limit is reached again and again.
const HOT: u32 = 8;
/// How old a reading of the clock may be that a long bucket admits on.
const LENIENT_US: u64 = 20_000;

/// All that is known of a key.
pub struct Account {
    pub limiter: usize,
    pub number: u32,
    pub shape: Shape,
    /// Units, by all workers.
    pub admitted: u64,
    /// By all workers.
    pub lost: Loss,
    /// A window's units.
    present: u64,
    /// A bucket's time until it is fresh, and the time since the test began, both as long as they
    /// may have been.
    ahead_us: u64,
    elapsed_us: u64,
}

/// The accounts of all keys.
pub fn all(
    store: &Store,
    crowd: &Crowd,
    tallies: &Tallies,
    losses: &HashMap<u64, Loss>,
) -> Result<Vec<Account>, Error> {
    let mut admitted: HashMap<(usize, u32), u64> = HashMap::new();
    for (limiter, number, units) in &tallies.admitted {
        *admitted.entry((*limiter, *number)).or_default() += units;
    }
    let mut accounts = Vec::new();
    for (nth, limiter) in crowd.limiters(store)?.iter().enumerate() {
        for number in 0..crowd.keys {
            let state = limiter.peek(key(number), 0)?;
            accounts.push(Account {
                limiter: nth,
                number,
                shape: crowd.shapes[nth],
                admitted: admitted.get(&(nth, number)).copied().unwrap_or(0),
                lost: losses
                    .get(&limiter.tag(key(number)))
                    .copied()
                    .unwrap_or_default(),
                present: state.limit - state.remaining,
                ahead_us: state.reset_after.as_micros() as u64,
                elapsed_us: now_us() - crowd.start_us + LENIENT_US,
            });
        }
    }
    Ok(accounts)
}

impl Account {
    pub fn is_hot(&self) -> bool {
        self.number < HOT
    }

    pub fn check(&self) -> Result<(), Failure> {
        let name = || format!("key {} of {}", self.number, self.shape.algorithm);
        if self.shape.algorithm.is_bucket() {
            let ticks = |us: u64| u128::from(us) << 32;
            let most = self.lost.ticks + ticks(self.ahead_us) + ticks(self.elapsed_us);
            let due = ticks(self.admitted * self.shape.unit_us());
            return ensure(due <= most, || {
                let (admitted, cells) = (self.admitted, self.lost.cells);
                let unit = ticks(self.shape.unit_us()) as f64;
                let most = most as f64 / unit;
                format!(
                    "{}: {admitted} admitted, not {most:.3} ({cells} cells lost)",
                    name()
                )
            });
        }
        ensure(self.admitted == self.lost.units + self.present, || {
            let (admitted, lost, present) = (self.admitted, self.lost.units, self.present);
            format!(
                "{}: {admitted} admitted, {lost} lost, {present} there",
                name()
            )
        })
    }
}
