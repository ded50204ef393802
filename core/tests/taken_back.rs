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

/// What others do to the key while a `consume_all` is under way.
#[derive(Debug, Clone, Copy)]
enum Between {
    /// Wait.
    Pass(Duration),
    Reset,
    Refund(u64),
    /// Use so many other keys that the table gives up this one.
    Crowd,
}

impl Between {
    fn happen(self, clock: &Eventful, limiter: &Limiter) {
        match self {
            Between::Pass(time) => {
                clock.now.fetch_add(time.as_micros() as u64, SeqCst);
            }
            Between::Reset => limiter.reset("k").unwrap(),
            Between::Refund(cost) => {
                limiter.refund("k", cost).unwrap();
            }
            Between::Crowd => {
                for n in 0..1_000 {
                    limiter.consume(format!("other {n}"), 5).unwrap();
                }
            }
        }
    }
}

/// How many others pass of those who come when a `consume_all` takes its `at`th reading of the
/// clock, after `between`, and of those who come at the same moment after it was refused.
fn admitted(policy: Policy, at: usize, between: Between) -> usize {
    let clock = Arc::new(Eventful::default());
    clock.now.store(1_000_000_000, SeqCst);
    let store = Store::memory_with_clock(20, clock.clone()).unwrap();
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
        let (clock, limiter, other) = (clock.clone(), limiter.clone(), other.clone());
        let (came, come) = (came.clone(), come.clone());
        Box::new(move || {
            other.consume("x", 3).unwrap();
            between.happen(&clock, &limiter);
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
    let in_time = clock.event.lock().unwrap().take().is_none();
    if !in_time || decision.allowed {
        return 0; // it was over before, or it was the first
    }
    came.load(SeqCst) + come()
}

fn policies() -> [Policy; 5] {
    [
        Policy::token_bucket(5, 5, SECOND),
        Policy::leaky_bucket(5, 5, SECOND),
        Policy::fixed_window(5, SECOND),
        Policy::sliding_window(5, SECOND, 1),
        Policy::sliding_window(5, SECOND, 10),
    ]
    .map(Result::unwrap)
}

/// At whatever moment it happens, no more than the limit pass. Returns how often some did.
fn never_too_many(policy: Policy, between: Between) -> usize {
    let pass = |at| {
        let all = admitted(policy, at, between);
        assert!(
            all <= 5,
            "{policy:?}: {all} of 5, reading {at}, {between:?}"
        );
        usize::from(all > 0)
    };
    (0..40).map(pass).sum()
}

#[test]
fn what_ran_out_meanwhile_is_not_taken_back_from_others() {
    for policy in policies() {
        let passes = [0, 200, 400, 1_000, 2_000, 3_000].map(Duration::from_millis);
        let raced = passes.map(|time| never_too_many(policy, Between::Pass(time)));
        assert!(raced.iter().sum::<usize>() > 10, "{policy:?}: {raced:?}");
    }
}

#[test]
fn what_was_reset_or_given_back_meanwhile_is_not_taken_back_from_others() {
    for policy in policies() {
        for between in [Between::Reset, Between::Refund(2), Between::Refund(1)] {
            let raced = never_too_many(policy, between);
            assert!(raced > 0, "{policy:?}: {between:?}");
        }
    }
}

#[test]
fn what_was_given_up_meanwhile_is_not_taken_back_from_others() {
    let policy = Policy::fixed_window(5, SECOND).unwrap();
    assert!(never_too_many(policy, Between::Crowd) > 0);
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
