//! How to open a store on Redis or Valkey, and what it has done.

use crate::clock::Clock;
use crate::store::Store;
use std::fmt;
use std::sync::Arc;
use std::time::Duration;

/// How to reach the servers of a [`Store::redis`].
#[derive(Clone)]
pub struct RedisOptions {
    /// Which servers:
    ///
    /// * `redis://[[USER]:PASSWORD@]HOST[:PORT][/DB]`, the same with `rediss` over TLS
    /// * `unix://[[USER]:PASSWORD@]/PATH[?db=DB]`
    /// * `redis-sentinel://[[USER]:PASSWORD@]HOST[:PORT],…/NAME[/DB][?sentinel_password=…]`
    /// * `redis-cluster://[[USER]:PASSWORD@]HOST[:PORT],…`
    ///
    /// `rediss-sentinel` and `rediss-cluster` are the same over TLS. With TLS, `?ca=FILE` and
    /// `&cert=FILE&key=FILE` name PEM files. User, password and parameters are percent-encoded.
    pub url: String,
    /// How long a call may take in all: 1 ms to 1 hour; 0.1 s unless set.
    pub timeout: Duration,
    /// What all keys on the server begin with, without braces; `rl:` unless set.
    pub prefix: Vec<u8>,
    /// A clock for tests in place of the server's.
    pub clock: Option<Arc<dyn Clock>>,
    /// Where limiters count whose servers fail, and where processes tell each other of that:
    /// best a [`Store::shared`]. Unless set, a store of this process for 65,536 keys.
    pub fallback: Option<Store>,
}

impl RedisOptions {
    /// Those servers, and what is usual.
    pub fn new(url: impl Into<String>) -> Self {
        RedisOptions {
            url: url.into(),
            timeout: Duration::from_millis(100),
            prefix: b"rl:".to_vec(),
            clock: None,
            fallback: None,
        }
    }
}

/// Without the URL, which may hold a password.
impl fmt::Debug for RedisOptions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("RedisOptions")
            .field("timeout", &self.timeout)
            .finish_non_exhaustive()
    }
}

/// What was done for the calls of a [`Store::redis`] by all that share its fallback.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct RedisStats {
    /// The servers, without credentials.
    pub url: String,
    /// Requests that were sent.
    pub round_trips: u64,
    /// Scripts that had to be sent whole.
    pub reloads: u64,
    /// Requests that went on to another server.
    pub redirects: u64,
    /// Decisions by the failure policy.
    pub degraded: u64,
    /// Failures by kind, as `("timeout", 3)`; all kinds are there.
    pub errors: Vec<(&'static str, u64)>,
    /// How long nobody asks a server that failed; `None` while all do.
    pub closed_for: Option<Duration>,
}
