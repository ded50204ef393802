//! Plays the steps of one vector.

use crate::vector::{Expected, Parameters, Step, Vector};
use ratelimit_core::{Charge, Decision, Limiter, ManualClock, Store};
use std::collections::BTreeMap;
use std::time::Duration;

/// The name of the limiter in vectors that have only one.
const ONLY: &str = "limiter";

/// The limiters of a vector, on its store.
pub struct Player<'a> {
    clock: &'a ManualClock,
    store: &'a Store,
    limiters: BTreeMap<String, Limiter>,
}

impl<'a> Player<'a> {
    /// Makes the vector's limiters.
    pub fn new(vector: &Vector, clock: &'a ManualClock, store: &'a Store) -> Result<Self, String> {
        let mut player = Player {
            clock,
            store,
            limiters: BTreeMap::new(),
        };
        for (name, parameters) in &vector.policies {
            player.define(name, parameters)?;
        }
        if let Some(parameters) = &vector.policy {
            player.define(ONLY, parameters)?;
        }
        Ok(player)
    }

    /// Makes one call and compares its answer.
    pub fn step(&mut self, step: &Step) -> Result<(), String> {
        self.clock.set(step.at_us);
        if step.op == "policy" {
            let parameters = step.policy.as_ref().ok_or("a policy is missing")?;
            return self.define(step.limiter.as_deref().unwrap_or(ONLY), parameters);
        }
        let decision = self.call(step)?;
        match (&step.expect, decision) {
            (None, _) => Ok(()),
            (Some(_), None) => Err("an answer is expected where there is none".into()),
            (Some(expected), Some(decision)) => {
                let got = Expected::of(&decision, expected.limiter.is_some());
                if got == *expected {
                    return Ok(());
                }
                Err(format!("expected {expected:?}, got {got:?}"))
            }
        }
    }

    fn define(&mut self, name: &str, parameters: &Parameters) -> Result<(), String> {
        let policy = parameters.policy().map_err(|e| e.to_string())?;
        let limiter = Limiter::new(name, policy, self.store).map_err(|e| e.to_string())?;
        self.limiters.insert(name.to_owned(), limiter);
        Ok(())
    }

    fn limiter(&self, name: &str) -> Result<&Limiter, String> {
        self.limiters
            .get(name)
            .ok_or_else(|| format!("no limiter \"{name}\""))
    }

    fn call(&self, step: &Step) -> Result<Option<Decision<'_>>, String> {
        if step.op == "consume_all" {
            return self.consume_all(step).map(Some);
        }
        let limiter = self.limiter(step.limiter.as_deref().unwrap_or(ONLY))?;
        let key = step.key.as_deref().ok_or("a key is missing")?;
        let cost = step.cost.unwrap_or(1);
        let us = |us: Option<u64>| Duration::from_micros(us.unwrap_or(0));
        let decision = match step.op.as_str() {
            "consume" => limiter.consume(key, cost),
            "peek" => limiter.peek(key, cost),
            "reserve" => limiter.reserve(key, cost, us(step.max_wait_us)),
            "refund" => limiter.refund(key, cost),
            "reset" => {
                limiter.reset(key).map_err(|e| e.to_string())?;
                return Ok(None);
            }
            other => return Err(format!("unknown op \"{other}\"")),
        };
        decision.map(Some).map_err(|e| e.to_string())
    }

    fn consume_all(&self, step: &Step) -> Result<Decision<'_>, String> {
        let listed = step.charges.as_deref().ok_or("charges are missing")?;
        let mut charges = Vec::new();
        for (limiter, key, cost) in listed {
            charges.push(Charge {
                limiter: self.limiter(limiter)?,
                key: key.as_bytes(),
                cost: *cost,
            });
        }
        Limiter::consume_all(&charges).map_err(|e| e.to_string())
    }
}
