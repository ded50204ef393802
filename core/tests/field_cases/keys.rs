//! Keys and names that got into each other's way.

use super::*;

/// Seen in symfony (id `login`, key `ip-1` is id `login-ip`, key `1`) and in laravel
/// (`md5(name.key)`).
#[test]
fn names_and_keys_that_join_alike_are_apart() {
    let pairs = [
        ("login", "ip-1"),
        ("login-ip", "1"),
        ("login-ip-", "1"),
        ("login-", "ip-1"),
        ("l", "oginip-1"),
        ("login", "-ip-1"),
    ];
    for policy in all_policies(1, s(60)) {
        on_each_store(policy, |one| {
            for (name, key) in pairs {
                let limiter = Limiter::new(name, policy, &one.store).unwrap();
                assert!(limiter.allow(key, 1).unwrap(), "{name} {key}");
                assert!(!limiter.allow(key, 1).unwrap(), "{name} {key}");
            }
        });
    }
}

/// Algorithms of one name are no exception, nor are namespaces of a store.
#[test]
fn algorithms_and_namespaces_are_apart() {
    on_each_store(fixed(1, s(60)), |one| {
        let spaces = [&b""[..], b"a", b"b", b"ab"].map(|space| one.store.in_namespace(space));
        for store in &spaces {
            for policy in all_policies(1, s(60)) {
                let limiter = Limiter::new("limiter", policy, store).unwrap();
                assert!(limiter.allow(KEY, 1).unwrap(), "{policy:?}");
            }
        }
    });
}

/// Seen in laravel 39375: keys were cleaned up until different ones were the same.
#[test]
fn any_bytes_are_a_key_of_its_own() {
    let long = vec![b'k'; 65_536];
    let mut other = long.clone();
    other[65_535] = b'l';
    let keys: [&[u8]; 18] = [
        b"john'doe",
        b"johndoe",
        b"a&b",
        b"aab",
        "é".as_bytes(),
        "e\u{301}".as_bytes(),
        b"e",
        b"E",
        b"\xFF",
        b"\xFF\xFF",
        b"\0",
        b"\0\0",
        b"",
        b" ",
        b"a\0b",
        b"a\0c",
        &long,
        &other,
    ];
    for policy in all_policies(2, s(60)) {
        on_each_store(policy, |one| {
            for left in [1, 0] {
                for key in keys {
                    let decision = one.limiter.consume(key, 1).unwrap();
                    assert_eq!((decision.allowed, decision.remaining), (true, left));
                }
            }
            for key in keys {
                assert!(!one.limiter.allow(key, 1).unwrap());
            }
        });
    }
}

/// Seen in octane 889: workers that live long mixed their users up.
#[test]
fn fourteen_hundred_keys_do_not_talk_to_each_other() {
    for policy in all_policies(5, s(60)) {
        let clock = Arc::new(ManualClock::new(0));
        let store = Store::memory_with_clock(20_000, clock.clone()).unwrap();
        let one = One::new(store, clock, policy);
        for round in 1..=5 {
            for key in 0..1_400 {
                let cost = u64::from(key % 5 >= round - 1);
                one.limiter.consume(format!("user {key}"), cost).unwrap();
            }
        }
        for key in 0..1_400 {
            let decision = one.limiter.peek(format!("user {key}"), 1).unwrap();
            assert_eq!(decision.remaining, 5 - (key % 5 + 1));
        }
    }
}
