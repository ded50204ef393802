//! `Limiter::acquire()`: the core says how long to sleep, and here is who sleeps.

use crate::arguments::{key_and_cost, wait};
use crate::clock::Clock;
use crate::decision;
use crate::engine::call::Call;
use crate::engine::raise::{Php, Thrown};
use crate::failure::Failure;
use crate::limiter::Limiter;
use crate::moment::Moment;
use ext_php_rs::types::Zval;
use ratelimit_core::{Decision, Step};
use std::mem::ManuallyDrop;
use std::time::Duration;

/// The core's names of the parameters `$key, $cost, $timeout`.
const PARAMETERS: &[&str] = &["key", "cost", "timeout"];

pub fn acquire(call: &Call<'_>, result: &mut Zval) -> Php<()> {
    let (key, cost) = key_and_cost(call)?;
    let timeout = wait(call.double_or(3, 1.0)?, 3)?;
    let limiter = call.native::<Limiter>()?;
    let gate = &limiter.gate;
    let (decision, made) = match limiter.clock() {
        _ if !gate.counts() => {
            let decision = gate.answer(gate.mode, cost).map_err(raise)?;
            (decision, Moment::System)
        }
        None => {
            let decision = asleep(limiter, key, cost, timeout).map_err(raise)?;
            (decision, Moment::System)
        }
        Some(clock) => by_clock(clock, limiter, key, cost, timeout)?,
    };
    decision::give(result, &gate.marked(decision), limiter, made);
    Ok(())
}

#[cold]
fn raise(failure: impl Into<Failure>) -> Thrown {
    failure.into().raise(PARAMETERS)
}

/// Sleeps on the system's clock.
fn asleep<'a>(
    limiter: &'a Limiter,
    key: &'a [u8],
    cost: u64,
    timeout: Duration,
) -> Result<Decision<'a>, Failure> {
    let mut acquisition = limiter.gate.core.acquisition(key, cost, timeout)?;
    loop {
        match acquisition.step() {
            Step::Done(decision) => return Ok(decision),
            Step::Sleep(time) => sleep(time),
        }
    }
}

/// Sleeps on, however many signals come.
fn sleep(time: Duration) {
    let mut left = libc::timespec {
        tv_sec: time.as_secs() as libc::time_t,
        tv_nsec: time.subsec_nanos() as _,
    };
    // SAFETY: the time is valid, and what is left of it is written to the same place.
    while unsafe { libc::nanosleep(&left, &raw mut left) } != 0
        && std::io::Error::last_os_error().kind() == std::io::ErrorKind::Interrupted
    {}
}

/// Sleeps by the `sleep()` of a clock for tests. The limiter, which the call's frame holds, holds
/// the clock.
fn by_clock<'a>(
    clock: &Clock,
    limiter: &'a Limiter,
    key: &'a [u8],
    cost: u64,
    timeout: Duration,
) -> Php<(Decision<'a>, Moment)> {
    let core = &limiter.gate.core;
    let mut now = clock.read()?;
    // Without a sleep() there is no waiting, so what would have to wait is refused.
    let timeout = if clock.can_sleep() {
        timeout
    } else {
        Duration::ZERO
    };
    // A fatal error in the clock's code jumps over this frame, hence `ManuallyDrop`.
    let mut acquisition = ManuallyDrop::new(core.acquisition(key, cost, timeout).map_err(raise)?);
    let mut moved = true;
    let outcome = loop {
        match acquisition.step() {
            Step::Done(decision) => break Ok((decision, Moment::Clock(now))),
            // Twice asleep at one instant is for ever.
            Step::Sleep(_) if !moved => break Err(clock.stands_still()),
            Step::Sleep(time) => match clock.sleep(time).and_then(|()| clock.read()) {
                Err(thrown) => break Err(thrown),
                Ok(later) => moved = later > std::mem::replace(&mut now, later),
            },
        }
    };
    // SAFETY: it is not used again.
    unsafe { ManuallyDrop::drop(&mut acquisition) };
    outcome
}
