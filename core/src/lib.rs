//! Rate limiting that is exact under concurrency, with or without a server.
//!
//! A [`Limiter`] is one algorithm with its parameters (a [`Policy`]), a name and a [`Store`].
//! Keys are any bytes; costs are whole units; time is whole microseconds.
//!
//! ```
//! use ratelimit_core::{Limiter, Policy, Store};
//! use std::time::Duration;
//!
//! let store = Store::memory(65_536)?;
//! // 10 requests at once, refilled at 5 per second, for every client address.
//! let policy = Policy::token_bucket(10, 5, Duration::from_secs(1))?;
//! let limiter = Limiter::new("api", policy, &store)?;
//!
//! if limiter.allow("203.0.113.7", 1)? {
//!     // serve
//! }
//! let decision = limiter.consume("203.0.113.7", 1)?;
//! assert_eq!(decision.remaining, 8);
//! # Ok::<(), ratelimit_core::Error>(())
//! ```
//!
//! To share one limit between processes, open a [`Segment`] and use [`Store::shared`].

mod algorithm;
mod clock;
mod decision;
mod error;
mod hash;
mod limiter;
mod policy;
mod store;

#[cfg(feature = "test-hooks")]
#[doc(hidden)]
pub mod hooks;

pub use clock::{Clock, ManualClock};
pub use decision::Decision;
pub use error::{ArgumentError, Error};
pub use limiter::{Acquisition, Charge, Limiter, OnError, Outcome, Step};
pub use policy::Policy;
pub use store::{Segment, SegmentOptions, Stats, Store};

/// The README's Rust, as a test.
#[cfg(doctest)]
#[doc = include_str!("../../README.md")]
struct Readme;
