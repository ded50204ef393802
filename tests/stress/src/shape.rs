//! A limiter in few words, to be sent to a worker.

use ratelimit_core::{Error, Limiter, Policy, Store};
use serde::{Deserialize, Serialize};
use std::fmt;
use std::time::Duration;

/// The four algorithms.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Algorithm {
    TokenBucket,
    LeakyBucket,
    FixedWindow,
    SlidingWindow { segments: u32 },
}

/// An algorithm with its parameters.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Shape {
    pub algorithm: Algorithm,
    /// The limit or capacity.
    pub limit: u64,
    /// The window, or the time in which a whole bucket refills or drains.
    pub span_us: u64,
}

pub const ALGORITHMS: [Algorithm; 6] = [
    Algorithm::TokenBucket,
    Algorithm::LeakyBucket,
    Algorithm::FixedWindow,
    Algorithm::SlidingWindow { segments: 10 },
    Algorithm::SlidingWindow { segments: 1 },
    Algorithm::SlidingWindow { segments: 60 },
];

impl Shape {
    pub fn limiter(&self, name: &str, store: &Store) -> Result<Limiter, Error> {
        let span = Duration::from_micros(self.span_us);
        let policy = match self.algorithm {
            Algorithm::TokenBucket => Policy::token_bucket(self.limit, self.limit, span),
            Algorithm::LeakyBucket => Policy::leaky_bucket(self.limit, self.limit, span),
            Algorithm::FixedWindow => Policy::fixed_window(self.limit, span),
            Algorithm::SlidingWindow { segments } => {
                Policy::sliding_window(self.limit, span, segments)
            }
        }?;
        Limiter::new(name, policy, store)
    }

    /// How long a bucket's unit lasts, in microseconds. Exact: shapes are chosen so.
    pub fn unit_us(&self) -> u64 {
        self.span_us / self.limit
    }

    /// The length of a sliding window's segments, in microseconds.
    pub fn segment_us(&self) -> u64 {
        match self.algorithm {
            Algorithm::SlidingWindow { segments } => self.span_us.div_ceil(segments.into()),
            _ => self.span_us,
        }
    }
}

impl Algorithm {
    pub fn is_bucket(self) -> bool {
        matches!(self, Algorithm::TokenBucket | Algorithm::LeakyBucket)
    }
}

impl fmt::Display for Algorithm {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Algorithm::TokenBucket => f.write_str("token_bucket"),
            Algorithm::LeakyBucket => f.write_str("leaky_bucket"),
            Algorithm::FixedWindow => f.write_str("fixed_window"),
            Algorithm::SlidingWindow { segments } => write!(f, "sliding_window_{segments}"),
        }
    }
}
