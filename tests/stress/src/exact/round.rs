//! What one worker does in a round: some calls on one key, as fast as it can.

use crate::clock::wait_until;
use crate::shape::Shape;
use ratelimit_core::{Charge, Error, Limiter, Store};
use serde::{Deserialize, Serialize};
use std::time::Duration;

/// How the units are asked for.
#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
pub enum Call {
    Allow,
    Consume,
    Reserve {
        max_wait_us: u64,
    },
    /// `consume_all` on all limiters at once, in the order given or the other way round.
    All {
        reversed: bool,
    },
}

/// One worker's part of a round.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Round {
    /// Their names and shapes. Calls for one limiter go to the first.
    pub limiters: Vec<(String, Shape)>,
    pub key: String,
    pub call: Call,
    pub costs: Vec<u64>,
    /// When all begin.
    pub start_us: u64,
}

/// What became of it.
#[derive(Debug, Default, Serialize, Deserialize)]
pub struct Outcome {
    /// Units.
    pub admitted: u64,
    /// The smallest cost that was refused.
    pub least_refused: Option<u64>,
    /// What the decisions that allowed said.
    pub remaining: Vec<u64>,
    pub waits_us: Vec<u64>,
}

/// Plays a worker's part.
pub fn play(store: &Store, round: &Round) -> Result<Outcome, Error> {
    let limiters = round
        .limiters
        .iter()
        .map(|(name, shape)| shape.limiter(name, store))
        .collect::<Result<Vec<_>, _>>()?;
    let mut outcome = Outcome::default();
    // Members in a hurry meet at the first charge, the others all along the way.
    let dawdle = fastrand::bool();
    wait_until(round.start_us);
    for &cost in &round.costs {
        if outcome.ask(&limiters, round, cost)? {
            outcome.admitted += cost;
        } else {
            let least = outcome.least_refused.get_or_insert(cost);
            *least = cost.min(*least);
        }
        if dawdle {
            (0..fastrand::u32(0..64)).for_each(|_| std::hint::spin_loop());
        }
    }
    Ok(outcome)
}

impl Outcome {
    fn ask(&mut self, limiters: &[Limiter], round: &Round, cost: u64) -> Result<bool, Error> {
        let key = &round.key;
        let decision = match round.call {
            Call::Allow => return limiters[0].allow(key, cost),
            Call::Consume => limiters[0].consume(key, cost),
            Call::Reserve { max_wait_us } => {
                limiters[0].reserve(key, cost, Duration::from_micros(max_wait_us))
            }
            Call::All { reversed } => {
                let mut charges: Vec<Charge<'_, '_>> = limiters
                    .iter()
                    .map(|limiter| Charge {
                        limiter,
                        key: key.as_bytes(),
                        cost,
                    })
                    .collect();
                if reversed {
                    charges.reverse();
                }
                Limiter::consume_all(&charges)
            }
        }?;
        if decision.allowed {
            self.remaining.push(decision.remaining);
            self.waits_us.push(decision.wait.as_micros() as u64);
        }
        Ok(decision.allowed)
    }
}
