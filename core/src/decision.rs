//! What comes back from a call.

use std::time::Duration;

/// The answer to one call. Times are whole microseconds, rounded up.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Decision<'a> {
    /// Whether the call was admitted.
    pub allowed: bool,
    /// The limit or capacity, in units.
    pub limit: u64,
    /// The largest cost that would be allowed right now, after this call.
    pub remaining: u64,
    /// Zero when allowed. When refused, the shortest wait after which the same call would be
    /// allowed if nobody else came; `None` means never: the cost exceeds the limit.
    pub retry_after: Option<Duration>,
    /// How long until the key is like one never seen.
    pub reset_after: Duration,
    /// How long the caller should wait before acting: of a leaky bucket until the water ahead has
    /// run out, of a token bucket until what was reserved is there. Otherwise zero.
    pub wait: Duration,
    /// The store failed and this answer came from the limiter's
    /// [`OnError`](crate::OnError) policy.
    pub degraded: bool,
    /// The name of the limiter that decided.
    pub limiter: &'a str,
}
