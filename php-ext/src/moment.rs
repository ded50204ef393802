//! When a call was made, for headers that name an instant.

use crate::clock::pinned;
use crate::engine::object::native;
use crate::engine::raise::Php;
use crate::engine::value::as_object;
use crate::store::Store;
use ext_php_rs::ffi::{zend_object, zval};
use std::time::Duration;

/// The time of a call in microseconds since 1970.
#[derive(Clone, Copy)]
pub enum Moment {
    /// The system's clock: whoever needs the time reads it.
    System,
    /// As a clock said, or as was worked out.
    Clock(u64),
}

impl Moment {
    /// Asks the clock of a store. Runs PHP code.
    ///
    /// `clocked` is a store that has a clock, or unset.
    #[inline(always)]
    pub fn now(clocked: &zval) -> Php<Moment> {
        match as_object(clocked) {
            None => Ok(Moment::System),
            // SAFETY: the value is a store, and holds a reference to it.
            Some(store) => unsafe { Moment::of(store) },
        }
    }

    /// Asks the clock of a store, if it has one. Runs PHP code.
    ///
    /// # Safety
    /// The object is a store, live when the call begins.
    pub unsafe fn of(store: *mut zend_object) -> Php<Moment> {
        // SAFETY: as the caller promises, and pinned until the clock has answered.
        unsafe {
            pinned(store, || {
                match native::<Store>(store).and_then(Store::clock) {
                    Some(clock) => clock.read().map(Moment::Clock),
                    None => Ok(Moment::System),
                }
            })
        }
    }

    /// As long ago by the system's clock.
    pub fn ago(age: Duration) -> Moment {
        let age = u64::try_from(age.as_micros()).unwrap_or(u64::MAX);
        Moment::Clock(read().saturating_sub(age))
    }

    /// A reading to keep until headers are made.
    #[inline]
    pub fn kept(self) -> Moment {
        match self {
            Moment::System => Moment::Clock(read()),
            kept => kept,
        }
    }

    pub fn micros(self) -> u64 {
        match self {
            Moment::Clock(micros) => micros,
            Moment::System => read(),
        }
    }
}

/// Microseconds since 1970.
fn read() -> u64 {
    // SAFETY: all zeros is a time.
    let mut time: libc::timespec = unsafe { std::mem::zeroed() };
    // SAFETY: `time` is valid for writes, and this clock is always there.
    unsafe { libc::clock_gettime(libc::CLOCK_REALTIME, &mut time) };
    time.tv_sec as u64 * 1_000_000 + time.tv_nsec as u64 / 1_000
}
