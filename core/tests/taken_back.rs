//! `consume_all` charges and takes back while others come in between: it may have them refused,
//! but never admitted.

use ratelimit_core::{Charge, Clock, Limiter, Policy, Store};
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering::SeqCst};
use std::sync::{Arc, Mutex};
use std::time::Duration;

const SECOND: Duration = Duration::from_secs(1);
const HOURS: Duration = Duration::from_secs(9_000);

/// A clock at one of whose readings something happens.
#[derive(Default)]
struct Eventful {
    now: AtomicU64,
    readings: AtomicUsize,
    event: Mutex<Option<(usize, Event)>>,
}

type Event = Box<dyn FnOnce() + Send>;

impl Clock for Eventful {
    fn now(&self) -> u64 {
        let reading = self.readings.fetch_add(1, SeqCst);
        let due = self.event.lock().unwrap().take_if(|(at, _)| *at == reading);
        if let Some((_, event)) = due {
            event();
        }
        self.now.load(SeqCst)
    }
}

/// How many others pass of those who come when a `consume_all` takes its `at`th reading of the
/// clock, which jumps by `pass` then, and of those who come at the same moment after it was refused.
fn admitted(policy: Policy, at: usize, pass: Duration) -> usize {
    let clock = Arc::new(Eventful::default());
    clock.now.store(1_000_000_000, SeqCst);
    let store = Store::memory_with_clock(100, clock.clone()).unwrap();
    let limiter = Arc::new(Limiter::new("a", policy, &store).unwrap());
    // It has room at the first look; others use that up in between.
    let other =
        Arc::new(Limiter::new("b", Policy::fixed_window(5, HOURS).unwrap(), &store).unwrap());
    let come = {
        let limiter = limiter.clone();
        move || (0..10).filter(|_| limiter.allow("k", 1).unwrap()).count()
    };
    let came = Arc::new(AtomicUsize::new(0));
    let event = {
        let (clock, other, came, come) = (clock.clone(), other.clone(), came.clone(), come.clone());
        Box::new(move || {
            other.consume("x", 3).unwrap();
            clock.now.fetch_add(pass.as_micros() as u64, SeqCst);
            came.store(come(), SeqCst);
        })
    };
    clock.readings.store(0, SeqCst);
    *clock.event.lock().unwrap() = Some((at, event));
    let charges = [(&limiter, "k", 2), (&other, "x", 3)].map(|(limiter, key, cost)| Charge {
        limiter,
        key: key.as_bytes(),
        cost,
    });
    let decision = Limiter::consume_all(&charges).unwrap();
    if clock.event.lock().unwrap().is_some() || decision.allowed {
        return 0; // it was over before, or it was the first
    }
    came.load(SeqCst) + come()
}

#[test]
fn what_ran_out_meanwhile_is_not_taken_back_from_others() {
    let policies = [
        Policy::token_bucket(5, 5, SECOND),
        Policy::leaky_bucket(5, 5, SECOND),
        Policy::fixed_window(5, SECOND),
        Policy::sliding_window(5, SECOND, 1),
        Policy::sliding_window(5, SECOND, 10),
    ];
    for policy in policies.map(Result::unwrap) {
        let mut raced = 0;
        for at in 0..40 {
            for pass in [0, 200, 400, 1_000, 2_000, 3_000] {
                let all = admitted(policy, at, Duration::from_millis(pass));
                assert!(all <= 5, "{policy:?}: {all} of 5, reading {at}, {pass} ms");
                raced += usize::from(all > 0);
            }
        }
        assert!(raced > 10, "{policy:?}: {raced}");
    }
}

#[test]
fn two_policies_on_one_state_that_never_fit_together_are_refused_for_ever() {
    let store = Store::memory(100).unwrap();
    let [wide, narrow] = [10, 5].map(|limit| {
        Limiter::new("a", Policy::fixed_window(limit, HOURS).unwrap(), &store).unwrap()
    });
    let charge = |limiter| Charge {
        limiter,
        key: b"k",
        cost: 3,
    };
    let decision = Limiter::consume_all(&[charge(&wide), charge(&narrow)]).unwrap();
    assert_eq!((decision.allowed, decision.retry_after), (false, None));
    assert_eq!(
        (decision.remaining, decision.reset_after),
        (5, Duration::ZERO)
    );
    assert_eq!(wide.peek("k", 1).unwrap().reset_after, Duration::ZERO);
}
