//! The name of a key on a server: `PREFIX NAME : TAG : {.KEY}`, without the spaces.
//!
//! The tag tells algorithms apart, versions of what a value looks like, and what else belongs to a
//! limiter's identity. The braces put all that concerns one key into one slot of a cluster; the dot
//! keeps that true for keys that are empty or begin with a brace.

use crate::policy::{Policy, Rule};

/// Slots of a cluster.
const SLOTS: u16 = 16384;

/// What all keys of a limiter begin with.
pub(super) fn stem(prefix: &[u8], name: &str, policy: &Policy) -> Vec<u8> {
    let tag = match &policy.0 {
        Rule::TokenBucket(_) => "tb1".to_owned(),
        Rule::LeakyBucket(_) => "lb1".to_owned(),
        Rule::FixedWindow(_) => "fw1".to_owned(),
        Rule::SlidingWindow(w) => format!("sw1.{}.{}", w.segment_us, w.segments),
        Rule::Unlimited => String::new(),
    };
    [prefix, name.as_bytes(), b":", tag.as_bytes(), b":{."].concat()
}

/// The whole name.
pub(super) fn whole(stem: &[u8], key: &[u8]) -> Vec<u8> {
    [stem, key, b"}"].concat()
}

/// The slot of a key, which is that of what the first pair of braces holds: all up to the first
/// closing one.
pub(super) fn slot(key: &[u8]) -> u16 {
    let tagged = key
        .iter()
        .position(|&c| c == b'}')
        .map_or(key, |end| &key[..end]);
    let hashed = [b".", tagged].concat();
    crc16::State::<crc16::XMODEM>::calculate(&hashed) % SLOTS
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    #[test]
    fn names_say_what_they_hold() {
        let second = Duration::from_secs(1);
        let bucket = Policy::token_bucket(1, 1, second).unwrap();
        let window = Policy::sliding_window(1, second, 10).unwrap();
        let name = |p: &Policy, key: &[u8]| {
            String::from_utf8(whole(&stem(b"rl:", "api", p), key)).unwrap()
        };
        assert_eq!(name(&bucket, b"10.0.0.1"), "rl:api:tb1:{.10.0.0.1}");
        assert_eq!(name(&window, b""), "rl:api:sw1.100000.10:{.}");
    }

    #[test]
    fn slots_are_those_of_the_cluster_specification() {
        // As `CLUSTER KEYSLOT "{.KEY}"` says.
        for (key, expected) in [("a", 6510), ("", 1452), ("a}b", 6510), ("{a", 13795)] {
            assert_eq!(slot(key.as_bytes()), expected, "{key}");
        }
    }
}
