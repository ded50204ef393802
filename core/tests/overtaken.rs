//! A caller who is overtaken between its reading of the clock and its charge is refused nothing
//! that fits.

use ratelimit_core::{Clock, Error, Limiter, Policy, Store};
use std::sync::atomic::{AtomicU64, Ordering::SeqCst};
use std::sync::{Arc, Mutex};
use std::time::Duration;

/// Hands out a reading only after something else has happened a microsecond later, the `nth` time
/// that it is asked.
#[derive(Default)]
struct Overtaken {
    now: AtomicU64,
    nth: AtomicU64,
    due: Mutex<Option<Box<dyn FnOnce() + Send>>>,
}

impl Clock for Overtaken {
    fn now(&self) -> u64 {
        let now = self.now.load(SeqCst);
        let due = self
            .due
            .lock()
            .unwrap()
            .take_if(|_| self.nth.fetch_sub(1, SeqCst) == 1);
        if let Some(due) = due {
            self.now.store(now + 1, SeqCst);
            due();
        }
        now
    }
}

fn policies() -> Result<[Policy; 4], Error> {
    let span = Duration::from_secs(10);
    Ok([
        Policy::token_bucket(2, 2, span)?,
        Policy::leaky_bucket(2, 2, span)?,
        Policy::fixed_window(2, span)?,
        Policy::sliding_window(2, span, 10)?,
    ])
}

#[test]
fn a_charge_that_fits_is_not_refused_for_an_old_reading() -> Result<(), Error> {
    for policy in policies()? {
        for nth in 1..=3 {
            let clock = Arc::new(Overtaken::default());
            clock.now.store(1_000_000, SeqCst);
            let store = Store::memory_with_clock(16, clock.clone())?;
            let (mine, other) = (
                Limiter::new("a", policy, &store)?,
                Limiter::new("a", policy, &store)?,
            );
            clock.nth.store(nth, SeqCst);
            *clock.due.lock().unwrap() = Some(Box::new(move || {
                assert!(other.consume("k", 1).unwrap().allowed);
            }));
            let decision = mine.consume("k", 1)?;
            assert!(
                decision.allowed,
                "{} at reading {nth}: {decision:?}",
                policy.algorithm()
            );
        }
    }
    Ok(())
}
