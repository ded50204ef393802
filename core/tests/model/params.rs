//! The parameters of a limiter, as the test chose them.

use num_bigint::BigInt;
use num_rational::BigRational;
use ratelimit_core::Policy;
use std::time::Duration;

/// Times in microseconds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Params {
    Token {
        capacity: u64,
        rate: u64,
        per: u64,
    },
    Leaky {
        capacity: u64,
        rate: u64,
        per: u64,
    },
    Fixed {
        limit: u64,
        window: u64,
    },
    Sliding {
        limit: u64,
        window: u64,
        segments: u32,
    },
    Unlimited,
}

/// What limiters of one name must have in common to share state.
pub type Identity = (&'static str, u64, u32);

impl Params {
    pub fn policy(&self) -> Policy {
        let us = Duration::from_micros;
        match *self {
            Params::Token {
                capacity,
                rate,
                per,
            } => Policy::token_bucket(capacity, rate, us(per)),
            Params::Leaky {
                capacity,
                rate,
                per,
            } => Policy::leaky_bucket(capacity, rate, us(per)),
            Params::Fixed { limit, window } => Policy::fixed_window(limit, us(window)),
            Params::Sliding {
                limit,
                window,
                segments,
            } => Policy::sliding_window(limit, us(window), segments),
            Params::Unlimited => Ok(Policy::unlimited()),
        }
        .unwrap_or_else(|e| panic!("{self:?}: {e}"))
    }

    pub fn limit(&self) -> u64 {
        match *self {
            Params::Token { capacity, .. } | Params::Leaky { capacity, .. } => capacity,
            Params::Fixed { limit, .. } | Params::Sliding { limit, .. } => limit,
            Params::Unlimited => i64::MAX as u64,
        }
    }

    pub fn identity(&self) -> Identity {
        match *self {
            Params::Token { .. } => ("token", 0, 0),
            Params::Leaky { .. } => ("leaky", 0, 0),
            Params::Fixed { .. } => ("fixed", 0, 0),
            Params::Sliding { segments, .. } => ("sliding", self.segment(), segments),
            Params::Unlimited => ("unlimited", 0, 0),
        }
    }

    pub fn is_bucket(&self) -> bool {
        matches!(self, Params::Token { .. } | Params::Leaky { .. })
    }

    /// The length of a sliding window's segment; of a fixed window, all of it.
    pub fn segment(&self) -> u64 {
        match *self {
            Params::Sliding {
                window, segments, ..
            } => window.div_ceil(segments.into()),
            Params::Fixed { window, .. } => window,
            _ => 0,
        }
    }

    /// How long one unit of a bucket lasts: per / rate, rounded up to 2⁻³² µs.
    pub fn unit(&self) -> BigRational {
        match *self {
            Params::Token { rate, per, .. } | Params::Leaky { rate, per, .. } => {
                let parts = BigInt::from(1u64 << 32);
                let unit = BigRational::new(BigInt::from(per) * &parts, rate.into());
                unit.ceil() / parts
            }
            _ => BigRational::from_integer(0.into()),
        }
    }
}
