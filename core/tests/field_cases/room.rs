//! State that lived too long, or not long enough.

use super::*;

/// Seen in symfony 44996, laravel 59693 and cozy-stack 2250: state without an end.
#[test]
fn every_state_ends_by_itself() {
    for policy in all_policies(5, s(60)) {
        on_each_store(policy, |one| {
            for key in 0..50 {
                assert!(one.limiter.allow(format!("key {key}"), 1).unwrap());
                let state = one.limiter.peek(format!("key {key}"), 0).unwrap();
                assert!((s(12)..=s(120)).contains(&state.reset_after));
            }
            assert_eq!(one.store.stats().live, 50);
            one.pass(s(120));
            assert_eq!(one.store.stats().live, 0);
            assert_eq!(one.peek(0).remaining, 5);
        });
    }
}

/// Seen in tower-governor 29: keys used once stayed for ever, unless the user swept.
#[test]
fn million_keys_used_once_take_no_more_room() {
    let clock = Arc::new(ManualClock::new(0));
    let store = Store::memory_with_clock(10_000, clock.clone()).unwrap();
    let one = One::new(store, clock, token(1, 1, SECOND));
    let bytes = one.store.stats().bytes;
    assert!((240_000..=260_000).contains(&bytes), "{bytes}");
    for key in 0..1_000_000u32 {
        assert!(one.limiter.allow(key.to_le_bytes(), 1).unwrap());
        one.pass(us(200)); // each lives for 5,000 of them, counted before the next
    }
    let stats = one.store.stats();
    assert_eq!((stats.bytes, stats.given_up), (bytes, 0));
    assert_eq!((stats.live, stats.allowed), (4_999, 1_000_000));
}

/// Seen in apcu 508 and 401: a full cache was wiped, or took nothing more.
#[test]
fn full_store_takes_newcomers_and_counts_what_it_gives_up() {
    for policy in [token(9, 9, s(60)), leaky(9, 9, s(60)), fixed(9, s(60))] {
        on_each_store(policy, |one| {
            let capacity = one.store.stats().capacity;
            let keys = 2 * capacity;
            for key in 0..keys {
                let first = one.limiter.consume(key.to_le_bytes(), 3).unwrap();
                assert_eq!((first.allowed, first.remaining), (true, 6));
                one.pass(us(1));
            }
            let stats = one.store.stats();
            assert_eq!(stats.live + stats.given_up, keys);
            assert!(stats.live * 100 >= capacity * 99, "{stats:?}");
            let alive = |key: &u64| {
                let state = one.limiter.peek(key.to_le_bytes(), 1).unwrap();
                state.remaining == 6
            };
            assert_eq!((0..keys).filter(alive).count() as u64, stats.live);
        });
    }
}

/// Seen in frankenphp 2568: started and stopped twice in one process, something was freed twice.
#[test]
fn stores_come_and_go() {
    for _ in 0..100 {
        for store in system_stores() {
            let limiter = Limiter::new("limiter", fixed(1, s(60)), &store).unwrap();
            let clone = store.clone();
            drop(store);
            assert!(limiter.allow(KEY, 1).unwrap());
            drop(limiter);
            assert_eq!(clone.stats().live, 1);
        }
    }
}
