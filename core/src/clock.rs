//! Where the time comes from.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

/// A source of time for tests; stores use the system's monotonic clock unless given one.
pub trait Clock: Send + Sync {
    /// The time in microseconds since any fixed moment.
    fn now(&self) -> u64;

    /// Waits for `duration` to pass on this clock, if it [can](Clock::can_sleep).
    fn sleep(&self, duration: Duration) {
        let _ = duration;
    }

    /// Whether `sleep` works. If not, a call that would have to wait is refused instead.
    fn can_sleep(&self) -> bool {
        false
    }
}

/// A clock that stands still until it is told otherwise. Sleeping moves it forward.
///
/// ```
/// use ratelimit_core::{Clock, ManualClock};
/// use std::time::Duration;
///
/// let clock = ManualClock::new(0);
/// clock.advance(Duration::from_millis(3));
/// assert_eq!(clock.now(), 3_000);
/// ```
#[derive(Debug, Default)]
pub struct ManualClock(AtomicU64);

impl ManualClock {
    /// A clock that stands at `micros` microseconds.
    pub fn new(micros: u64) -> Self {
        ManualClock(AtomicU64::new(micros))
    }

    /// Moves the clock to `micros` microseconds, forward or back.
    pub fn set(&self, micros: u64) {
        self.0.store(micros, Ordering::SeqCst);
    }

    /// Moves the clock forward, by `duration` rounded up to a microsecond.
    pub fn advance(&self, duration: Duration) {
        let us = u64::try_from(duration.as_nanos().div_ceil(1000)).unwrap_or(u64::MAX);
        let later = |now: u64| Some(now.saturating_add(us));
        let _ = self
            .0
            .fetch_update(Ordering::SeqCst, Ordering::SeqCst, later);
    }
}

impl Clock for ManualClock {
    fn now(&self) -> u64 {
        self.0.load(Ordering::SeqCst)
    }

    fn sleep(&self, duration: Duration) {
        self.advance(duration);
    }

    fn can_sleep(&self) -> bool {
        true
    }
}

/// How far a coarse reading lags behind, in microseconds, unless the kernel is kept from its timer:
/// two ticks at the slowest rate that it is built with, 100 Hz.
pub(crate) const LAG: u64 = 20_000;

/// How far one is taken to lag at the very most, for what must not be wrong even then: fifty times
/// that.
pub(crate) const MAX_LAG: u64 = 50 * LAG;

/// Readings beyond this are taken for it: 146,000 years, with room to add a window to.
const MAX_TIME: u64 = 1 << 62;

/// The clock of a store.
#[derive(Clone)]
pub(crate) enum Source {
    /// The system's monotonic clock, the same for all processes.
    System,
    Given(Arc<dyn Clock>),
}

impl Source {
    /// The time, which may lag by up to [`LAG`] if `lenient`.
    #[inline(always)]
    pub(crate) fn read(&self, lenient: bool) -> u64 {
        match self {
            Source::System if lenient => coarse(),
            Source::System => system(libc::CLOCK_MONOTONIC),
            Source::Given(clock) => clock.now().min(MAX_TIME),
        }
    }

    /// Whether it never steps back.
    pub(crate) fn is_steady(&self) -> bool {
        matches!(self, Source::System)
    }

    pub(crate) fn sleep(&self, duration: Duration) {
        match self {
            Source::System => std::thread::sleep(duration),
            Source::Given(clock) => clock.sleep(duration),
        }
    }

    pub(crate) fn can_sleep(&self) -> bool {
        match self {
            Source::System => true,
            Source::Given(clock) => clock.can_sleep(),
        }
    }
}

/// Lags the exact clock by up to [`LAG`]; five times cheaper to read.
#[cfg(target_os = "linux")]
const COARSE: libc::clockid_t = libc::CLOCK_MONOTONIC_COARSE;
#[cfg(not(target_os = "linux"))]
const COARSE: libc::clockid_t = libc::CLOCK_MONOTONIC;

/// A reading of the system's clock that may lag by [`LAG`].
#[inline(always)]
pub(crate) fn coarse() -> u64 {
    system(COARSE)
}

#[inline(always)]
fn system(id: libc::clockid_t) -> u64 {
    let mut time = libc::timespec {
        tv_sec: 0,
        tv_nsec: 0,
    };
    // SAFETY: `time` is valid for writes, and these clocks are always there.
    unsafe { libc::clock_gettime(id, &mut time) };
    time.tv_sec as u64 * 1_000_000 + time.tv_nsec as u64 / 1_000
}

/// One reading of a clock, and whether it is good enough to refuse on, or to report times by.
///
/// It is, if it is exact and was taken after the state that it is applied to had been read: else
/// somebody with a later reading may have changed that, and made it look too full.
pub(crate) struct Reading<'a> {
    source: &'a Source,
    now: u64,
    exact: bool,
    /// Whether it was taken after the state was read.
    late: bool,
}

impl<'a> Reading<'a> {
    /// A reading to admit on.
    #[inline]
    pub(crate) fn exact(source: &'a Source) -> Self {
        Reading {
            source,
            now: source.read(false),
            exact: true,
            late: false,
        }
    }

    /// A reading to admit on, up to [`LAG`] old.
    #[inline]
    pub(crate) fn lenient(source: &'a Source) -> Self {
        Reading {
            source,
            now: source.read(true),
            exact: !source.is_steady(),
            late: false,
        }
    }

    #[inline]
    pub(crate) fn now(&self) -> u64 {
        self.now
    }

    /// Whether it is good enough to refuse on, or to report times by.
    #[inline]
    pub(crate) fn is_good(&self) -> bool {
        self.exact && self.late
    }

    /// Whether its clock never steps back.
    pub(crate) fn is_steady(&self) -> bool {
        self.source.is_steady()
    }

    /// State has been read since.
    #[inline]
    pub(crate) fn outdate(&mut self) {
        self.late = false;
    }

    /// Reads the clock again, exactly.
    #[inline]
    pub(crate) fn renew(&mut self) {
        self.now = self.source.read(false);
        self.exact = true;
        self.late = true;
    }
}
