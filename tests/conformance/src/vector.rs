//! The format of a vector file: a list of these.

use ratelimit_core::{Decision, Error, Policy};
use serde::Deserialize;
use std::collections::BTreeMap;
use std::time::Duration;

/// A named sequence of calls with their answers.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Vector {
    /// What a failure is reported under.
    pub name: String,
    /// The limiter in use, where there is only one.
    pub policy: Option<Parameters>,
    /// The limiters by name, for `consume_all`.
    #[serde(default)]
    pub policies: BTreeMap<String, Parameters>,
    /// The calls, in order.
    pub steps: Vec<Step>,
}

/// A policy.
#[derive(Deserialize)]
#[serde(tag = "algorithm", rename_all = "snake_case", deny_unknown_fields)]
#[allow(missing_docs)]
pub enum Parameters {
    TokenBucket {
        capacity: u64,
        refill: u64,
        per_us: u64,
    },
    LeakyBucket {
        capacity: u64,
        leak: u64,
        per_us: u64,
    },
    FixedWindow {
        limit: u64,
        window_us: u64,
    },
    SlidingWindow {
        limit: u64,
        window_us: u64,
        segments: u32,
    },
}

impl Parameters {
    /// The same, checked.
    pub fn policy(&self) -> Result<Policy, Error> {
        let us = Duration::from_micros;
        match *self {
            Parameters::TokenBucket {
                capacity,
                refill,
                per_us,
            } => Policy::token_bucket(capacity, refill, us(per_us)),
            Parameters::LeakyBucket {
                capacity,
                leak,
                per_us,
            } => Policy::leaky_bucket(capacity, leak, us(per_us)),
            Parameters::FixedWindow { limit, window_us } => {
                Policy::fixed_window(limit, us(window_us))
            }
            Parameters::SlidingWindow {
                limit,
                window_us,
                segments,
            } => Policy::sliding_window(limit, us(window_us), segments),
        }
    }
}

/// One call.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Step {
    /// What the clock shows.
    pub at_us: u64,
    /// The call's name; `policy` changes the limiter's parameters.
    pub op: String,
    /// The limiter, where there are several.
    pub limiter: Option<String>,
    /// The key.
    pub key: Option<String>,
    /// The cost; 1 if it is left out.
    pub cost: Option<u64>,
    /// For `reserve`.
    pub max_wait_us: Option<u64>,
    /// For `policy`.
    pub policy: Option<Parameters>,
    /// For `consume_all`: limiter, key, cost.
    pub charges: Option<Vec<(String, String, u64)>>,
    /// The answer.
    pub expect: Option<Expected>,
}

/// A decision. What is left out is not compared.
#[derive(Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
#[allow(missing_docs)]
pub struct Expected {
    pub allowed: bool,
    pub limit: u64,
    pub remaining: u64,
    /// `None` is *never*.
    pub retry_after_us: Option<u64>,
    pub reset_after_us: u64,
    pub wait_us: u64,
    pub limiter: Option<String>,
}

impl Expected {
    /// What a decision looks like in a vector. The limiter is only told if it is `named`.
    pub fn of(decision: &Decision<'_>, named: bool) -> Expected {
        let us = |d: Duration| d.as_micros() as u64;
        Expected {
            allowed: decision.allowed,
            limit: decision.limit,
            remaining: decision.remaining,
            retry_after_us: decision.retry_after.map(us),
            reset_after_us: us(decision.reset_after),
            wait_us: us(decision.wait),
            limiter: named.then(|| decision.limiter.to_owned()),
        }
    }
}
