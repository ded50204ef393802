//! The monotonic clock, which all processes share and which local stores decide by.

use rustix::time::{ClockId, clock_gettime};
use std::time::Duration;

/// The last stretch before an instant is waited for awake.
const AWAKE_US: u64 = 300;

/// Nanoseconds.
pub fn now_ns() -> u64 {
    let time = clock_gettime(ClockId::Monotonic);
    time.tv_sec as u64 * 1_000_000_000 + time.tv_nsec as u64
}

/// Microseconds, rounded down as the stores do: a reading taken between two of these lies
/// between them, ends included.
pub fn now_us() -> u64 {
    now_ns() / 1_000
}

/// Returns at an instant, as many processes at once as there are processors.
pub fn wait_until(us: u64) {
    loop {
        match us.saturating_sub(now_us()) {
            0 => return,
            1..=AWAKE_US => std::hint::spin_loop(),
            left => std::thread::sleep(Duration::from_micros(left - AWAKE_US)),
        }
    }
}
