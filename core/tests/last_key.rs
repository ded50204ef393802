//! A thread remembers the key it came for last: no other key, limiter or store is taken for it.

use ratelimit_core::{Clock, Limiter, ManualClock, Policy, Segment, Store};
use std::sync::atomic::{AtomicBool, Ordering::SeqCst};
use std::sync::{Arc, Barrier, Mutex};
use std::time::Duration;

const LIMIT: u64 = 5;

fn limiter(name: &str, store: &Store) -> Limiter {
    let policy = Policy::token_bucket(LIMIT, 1, Duration::from_secs(3_600)).unwrap();
    Limiter::new(name, policy, store).unwrap()
}

/// Calls all in turn, so that each comes after another: each admits exactly its limit.
fn each_admits_its_limit(of: &[(&Limiter, &[u8])]) {
    let mut allowed = vec![0; of.len()];
    for _ in 0..2 * LIMIT {
        for (count, (limiter, key)) in allowed.iter_mut().zip(of) {
            // Twice, so that the second call finds what the first one left.
            *count += u64::from(limiter.allow(key, 1).unwrap());
            *count += u64::from(limiter.allow(key, 1).unwrap());
        }
    }
    assert_eq!(allowed, vec![LIMIT; of.len()]);
}

#[test]
fn keys_that_differ_in_one_byte_are_apart() {
    for length in [1, 3, 4, 5, 7, 8, 9, 15, 16, 17, 24, 31, 32, 33, 64] {
        let store = Store::memory(1_000).unwrap();
        let limiter = limiter("api", &store);
        let plain = vec![b'a'; length];
        let changed = (0..length).map(|i| {
            let mut key = plain.clone();
            key[i] = b'b';
            key
        });
        let keys: Vec<Vec<u8>> = changed.chain([plain.clone()]).collect();
        let pairs: Vec<_> = keys.iter().map(|key| (&limiter, &key[..])).collect();
        each_admits_its_limit(&pairs);
    }
}

#[test]
fn keys_of_one_letter_and_different_lengths_are_apart() {
    let store = Store::memory(1_000).unwrap();
    let limiter = limiter("api", &store);
    let keys: Vec<_> = (0..=64).map(|length| vec![b'a'; length]).collect();
    let pairs: Vec<_> = keys.iter().map(|key| (&limiter, &key[..])).collect();
    each_admits_its_limit(&pairs);
}

#[test]
fn limiters_and_stores_with_one_key_are_apart() {
    let stores = [(); 2].map(|()| Store::memory(1_000).unwrap());
    let other = stores[0].in_namespace(b"other");
    let limiters = [
        limiter("a", &stores[0]),
        limiter("b", &stores[0]),
        limiter("a", &stores[1]),
        limiter("a", &other),
    ];
    let pairs: Vec<_> = limiters.iter().map(|l| (l, &b"203.0.113.7"[..])).collect();
    each_admits_its_limit(&pairs);
}

#[test]
fn the_tables_of_one_segment_are_apart() {
    let segment = Segment::anonymous(Segment::MIN_BYTES).unwrap();
    let clock = Arc::new(ManualClock::new(1));
    let system = limiter("a", &Store::shared(&segment));
    let given = limiter("a", &Store::shared_with_clock(&segment, clock));
    let key = &b"203.0.113.7"[..];
    each_admits_its_limit(&[(&system, key), (&given, key)]);
}

#[test]
fn a_key_that_was_reset_or_given_up_starts_afresh() {
    let store = Store::memory(1).unwrap();
    let limiter = limiter("api", &store);
    let count = |key: &str| {
        (0..2 * LIMIT)
            .filter(|_| limiter.allow(key, 1).unwrap())
            .count()
    };
    assert_eq!(count("203.0.113.7"), LIMIT as usize);
    limiter.reset("203.0.113.7").unwrap();
    assert_eq!(count("203.0.113.7"), LIMIT as usize);
    let before = store.stats();
    // Enough others to take its cell.
    for n in 0..1_000 {
        limiter.allow(format!("other {n}"), LIMIT).unwrap();
    }
    assert!(store.stats().given_up > before.given_up);
    assert_eq!(limiter.allow("203.0.113.7", LIMIT), Ok(true));
}

#[test]
fn decisions_on_the_last_key_are_counted() {
    let store = Store::memory(1_000).unwrap();
    let limiter = limiter("api", &store);
    for _ in 0..2 * LIMIT {
        limiter.allow("203.0.113.7", 1).unwrap();
    }
    let stats = store.stats();
    assert_eq!((stats.allowed, stats.refused), (LIMIT, LIMIT));
}

#[test]
fn decisions_of_the_last_key_with_all_times_are_counted() {
    let store = Store::memory(1_000).unwrap();
    let limiter = limiter("api", &store);
    for _ in 0..2 * LIMIT {
        let _ = limiter.decide("203.0.113.7", 1).unwrap();
    }
    limiter.allow("203.0.113.7", 0).unwrap();
    let stats = store.stats();
    assert_eq!((stats.allowed, stats.refused), (LIMIT + 1, LIMIT));
}

#[test]
fn a_key_that_ended_ages_ago_starts_afresh() {
    let clock = Arc::new(ManualClock::new(1_700_000_000_000_000));
    let store = Store::memory_with_clock(100, clock.clone()).unwrap();
    let limiter = limiter("api", &store);
    for _ in 0..LIMIT {
        assert_eq!(limiter.allow("203.0.113.7", 1), Ok(true));
    }
    clock.advance(Duration::from_secs(500 * 86_400));
    assert_eq!(limiter.allow("203.0.113.7", 1), Ok(true));
}

/// A clock that asks another limiter, but not on that one's behalf.
#[derive(Default)]
struct Asking {
    whom: Mutex<Option<Arc<Limiter>>>,
    is_asking: AtomicBool,
}

impl Clock for Asking {
    fn now(&self) -> u64 {
        let whom = self.whom.lock().unwrap().clone();
        if let Some(limiter) = whom
            && !self.is_asking.swap(true, SeqCst)
        {
            limiter.allow("203.0.113.8", 1).unwrap();
            self.is_asking.store(false, SeqCst);
        }
        1_000_000
    }
}

#[test]
fn a_clock_may_ask_about_another_key_meanwhile() {
    let clock = Arc::new(Asking::default());
    let store = Store::memory_with_clock(100, clock.clone()).unwrap();
    *clock.whom.lock().unwrap() = Some(Arc::new(limiter("other", &store)));
    let limiter = limiter("api", &store);
    let count = (0..100).filter(|_| limiter.allow("203.0.113.7", 1).unwrap());
    assert_eq!(count.count(), LIMIT as usize);
    *clock.whom.lock().unwrap() = None; // the two held each other
}

#[test]
fn threads_without_counters_of_their_own_lose_no_counts() {
    const THREADS: u64 = 200; // more than there are shards
    const CALLS: u64 = 5_000;
    let store = Store::memory(1_000).unwrap();
    let barrier = Barrier::new(THREADS as usize);
    std::thread::scope(|scope| {
        for _ in 0..THREADS {
            scope.spawn(|| {
                let limiter = limiter("api", &store);
                barrier.wait();
                for _ in 0..CALLS {
                    limiter.allow("203.0.113.7", 1).unwrap();
                }
                barrier.wait(); // all keep their shards to the end
            });
        }
    });
    let stats = store.stats();
    assert_eq!(
        (stats.allowed, stats.allowed + stats.refused),
        (LIMIT, THREADS * CALLS)
    );
}

#[test]
fn parent_and_child_count_apart() {
    const CALLS: u64 = 20_000;
    let segment = Segment::anonymous(Segment::MIN_BYTES).unwrap();
    let store = Store::shared(&segment);
    let limiter = limiter("api", &store);
    let calls = |n: u64| {
        for _ in 0..n {
            limiter.allow("203.0.113.7", 1).unwrap();
        }
    };
    calls(10);
    // SAFETY: the child calls nothing but the limiter, which takes no lock and no memory.
    let child = unsafe { libc::fork() };
    calls(CALLS);
    if child == 0 {
        // SAFETY: ends the child without running the test program's ends.
        unsafe { libc::_exit(0) };
    }
    let mut status = 0;
    // SAFETY: waits for the child.
    unsafe { libc::waitpid(child, &mut status, 0) };
    assert_eq!(status, 0);
    let stats = store.stats();
    assert_eq!(
        (stats.allowed, stats.allowed + stats.refused),
        (LIMIT, 10 + 2 * CALLS)
    );
}
