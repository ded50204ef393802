//! The parameters of the four algorithms, checked once, then never wrong.

use crate::clock::LAG;
use crate::error::{ArgumentError, Error};
use std::time::Duration;

/// The largest limit, capacity, refill or leak: what a cell's amount holds.
const MAX_UNITS: u64 = u32::MAX as u64;
const DAY_US: u64 = 86_400_000_000;
/// The longest window or period: 366 days.
pub(crate) const MAX_PERIOD_US: u64 = 366 * DAY_US;
/// The longest time that a full bucket may take to refill or drain: 1,461 days, four years.
pub(crate) const MAX_FILL_US: u64 = 1_461 * DAY_US;
/// The most segments of a sliding window.
const MAX_SEGMENTS: u32 = 60;
/// The highest rate, in units per second.
const MAX_RATE: u128 = 1_000_000_000;
/// The shortest span over which a store may admit on a lagging reading of the clock: that shifts
/// at most 0.1 % of the limit.
const LENIENT_FROM_US: u64 = 1_000 * LAG;

/// One algorithm with its parameters.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Policy(pub(crate) Rule);

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Rule {
    TokenBucket(Bucket),
    LeakyBucket(Bucket),
    FixedWindow(FixedWindow),
    SlidingWindow(SlidingWindow),
    Unlimited,
}

/// Parameters of a token or leaky bucket. Times are in 2⁻³² µs ("ticks").
///
/// Packed so that a limiter can live in memory that is aligned to 8 bytes, as PHP's is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(Rust, packed(8))]
pub(crate) struct Bucket {
    pub capacity: u64,
    /// How long one unit lasts, `per / rate` rounded up to a tick.
    pub unit: u128,
    /// How long a whole bucket lasts: `capacity · unit`.
    pub full: u128,
    /// The same in microseconds of the exact rate, rounded up.
    pub span_us: u64,
    /// `unit` and `full` as a cell has them, worked out here to spare every call that.
    pub unit_split: Split,
    pub full_split: Split,
}

/// A time in microseconds, rounded up, less some ticks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Split {
    pub us: u64,
    pub less: u32,
}

impl Split {
    /// Of at most 2⁹⁶ ticks.
    pub(crate) fn new(ticks: u128) -> Split {
        let us = ticks.div_ceil(1 << 32);
        Split {
            us: us as u64,
            less: ((us << 32) - ticks) as u32,
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct FixedWindow {
    pub limit: u64,
    pub window_us: u64,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct SlidingWindow {
    pub limit: u64,
    pub window_us: u64,
    pub segments: u32,
    /// `window / segments`, rounded up to a microsecond.
    pub segment_us: u64,
}

impl Policy {
    /// A token bucket: `capacity` tokens, refilled continuously at `refill` every `per`.
    ///
    /// A new key has a full bucket. `capacity` and `refill` are 1 to 4,294,967,295, the rate at
    /// most 1,000,000,000 per second, `per` 1 µs to 366 days (rounded up to a microsecond), and
    /// filling an empty bucket takes at most 1,461 days.
    ///
    /// # Errors
    /// [`Error::Argument`] names the parameter, its value and what is accepted.
    pub fn token_bucket(capacity: u64, refill: u64, per: Duration) -> Result<Policy, Error> {
        bucket(capacity, "refill", refill, per).map(|b| Policy(Rule::TokenBucket(b)))
    }

    /// A leaky bucket: room for `capacity` units, drained at `leak` every `per`.
    ///
    /// The ranges are those of [`Policy::token_bucket`]. It differs in its outflow: a decision's
    /// `wait` says how long the water ahead takes to run out, so that a caller who waits that
    /// long works at a constant rate. nginx's `limit_req rate=r burst=b` is a capacity of b + 1.
    ///
    /// # Errors
    /// [`Error::Argument`] names the parameter, its value and what is accepted.
    pub fn leaky_bucket(capacity: u64, leak: u64, per: Duration) -> Result<Policy, Error> {
        bucket(capacity, "leak", leak, per).map(|b| Policy(Rule::LeakyBucket(b)))
    }

    /// A fixed window: at most `limit` units in each window, which opens at a key's first charge
    /// and ends `window` later.
    ///
    /// `limit` is 1 to 4,294,967,295, `window` 1 µs to 366 days (rounded up to a microsecond).
    ///
    /// # Errors
    /// [`Error::Argument`] names the parameter, its value and what is accepted.
    pub fn fixed_window(limit: u64, window: Duration) -> Result<Policy, Error> {
        Ok(Policy(Rule::FixedWindow(FixedWindow {
            limit: units("limit", limit)?,
            window_us: period("window", window)?,
        })))
    }

    /// A sliding window: at most `limit` units in any `window`, kept as counts of `segments`
    /// equal parts of it.
    ///
    /// The oldest part weighs by the share of it that the window still covers, so a charge
    /// weighs for `window` to `window + window / segments`. One segment is the two-counter
    /// window known from Cloudflare; ten is a good default. `limit` is 1 to 4,294,967,295,
    /// `window` 1 µs to 366 days (rounded up to a microsecond), `segments` 1 to 60.
    ///
    /// # Errors
    /// [`Error::Argument`] names the parameter, its value and what is accepted.
    pub fn sliding_window(limit: u64, window: Duration, segments: u32) -> Result<Policy, Error> {
        let limit = units("limit", limit)?;
        let window_us = period("window", window)?;
        if !(1..=MAX_SEGMENTS).contains(&segments) {
            return Err(
                ArgumentError::new("segments", segments, format!("1 to {MAX_SEGMENTS}")).into(),
            );
        }
        Ok(Policy(Rule::SlidingWindow(SlidingWindow {
            limit,
            window_us,
            segments,
            segment_us: window_us.div_ceil(segments.into()),
        })))
    }

    /// No limit: every call is allowed and touches no store.
    pub fn unlimited() -> Policy {
        Policy(Rule::Unlimited)
    }

    /// The limit or capacity in units; 2⁶³ − 1 when unlimited.
    pub fn limit(&self) -> u64 {
        match &self.0 {
            Rule::TokenBucket(b) | Rule::LeakyBucket(b) => b.capacity,
            Rule::FixedWindow(w) => w.limit,
            Rule::SlidingWindow(w) => w.limit,
            Rule::Unlimited => crate::limiter::MAX_COST,
        }
    }

    /// The window, or the time that a whole bucket takes to fill or drain, rounded up to a
    /// microsecond; `None` when unlimited.
    pub fn span(&self) -> Option<Duration> {
        self.span_us().map(Duration::from_micros)
    }

    /// The algorithm's name, as in `token_bucket`.
    pub fn algorithm(&self) -> &'static str {
        match &self.0 {
            Rule::TokenBucket(_) => "token_bucket",
            Rule::LeakyBucket(_) => "leaky_bucket",
            Rule::FixedWindow(_) => "fixed_window",
            Rule::SlidingWindow(_) => "sliding_window",
            Rule::Unlimited => "unlimited",
        }
    }

    fn span_us(&self) -> Option<u64> {
        match &self.0 {
            Rule::TokenBucket(b) | Rule::LeakyBucket(b) => Some(b.span_us),
            Rule::FixedWindow(w) => Some(w.window_us),
            Rule::SlidingWindow(w) => Some(w.window_us),
            Rule::Unlimited => None,
        }
    }

    /// Whether a store may admit on a reading of the clock that lags.
    pub(crate) fn is_lenient(&self) -> bool {
        self.span_us().is_some_and(|us| us >= LENIENT_FROM_US)
    }
}

fn bucket(
    capacity: u64,
    rate_name: &'static str,
    rate: u64,
    per: Duration,
) -> Result<Bucket, Error> {
    let capacity = units("capacity", capacity)?;
    let rate = units(rate_name, rate)?;
    let per_us = period("per", per)?;
    if u128::from(rate) * 1_000_000 > MAX_RATE * u128::from(per_us) {
        return Err(ArgumentError::new(
            rate_name,
            format_args!("{rate} every {per_us} µs"),
            "at most 1,000,000,000 per second",
        )
        .into());
    }
    let span_by_rate = u128::from(capacity) * u128::from(per_us);
    if span_by_rate > u128::from(MAX_FILL_US) * u128::from(rate) {
        return Err(ArgumentError::new(
            "capacity",
            format_args!("{capacity} at {rate} every {per_us} µs"),
            "such that a whole bucket takes at most 1,461 days",
        )
        .into());
    }
    let unit = (u128::from(per_us) << 32).div_ceil(rate.into());
    let full = unit * u128::from(capacity);
    Ok(Bucket {
        capacity,
        unit,
        full,
        unit_split: Split::new(unit),
        full_split: Split::new(full),
        span_us: span_by_rate.div_ceil(rate.into()) as u64,
    })
}

fn units(name: &'static str, value: u64) -> Result<u64, ArgumentError> {
    if (1..=MAX_UNITS).contains(&value) {
        Ok(value)
    } else {
        Err(ArgumentError::new(name, value, "1 to 4,294,967,295"))
    }
}

fn period(name: &'static str, value: Duration) -> Result<u64, ArgumentError> {
    let us = value.as_nanos().div_ceil(1000);
    if (1..=u128::from(MAX_PERIOD_US)).contains(&us) {
        Ok(us as u64)
    } else {
        Err(ArgumentError::new(
            name,
            format_args!("{value:?}"),
            "1 µs to 366 days",
        ))
    }
}
