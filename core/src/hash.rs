//! The keyed hash that places keys: SipHash-1-3, since attackers choose the keys.

use crate::store::{KeyHash, mix};
use siphasher::{sip, sip128};

/// A table's secret.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Seed {
    pub keys: [u64; 2],
    /// More cells than 64 bits of hash tell apart well enough.
    pub wide: bool,
}

/// The hash of one limiter's keys.
#[derive(Debug, Clone, Copy)]
pub(crate) enum KeyHasher {
    Narrow(sip::SipHasher13),
    Wide(sip128::SipHasher13),
}

impl KeyHasher {
    /// Limiters that differ in any of `identity` share no state. The parts are length-prefixed,
    /// so that no two identities look alike.
    pub(crate) fn new(seed: Seed, identity: &[&[u8]]) -> Self {
        let mut text = Vec::with_capacity(128);
        for part in identity {
            text.extend_from_slice(&(part.len() as u64).to_le_bytes());
            text.extend_from_slice(part);
        }
        let keys = sip128::SipHasher13::new_with_keys(seed.keys[0], seed.keys[1]).hash(&text);
        if seed.wide {
            KeyHasher::Wide(sip128::SipHasher13::new_with_keys(keys.h1, keys.h2))
        } else {
            KeyHasher::Narrow(sip::SipHasher13::new_with_keys(keys.h1, keys.h2))
        }
    }

    #[inline]
    pub(crate) fn hash(&self, key: &[u8]) -> KeyHash {
        match self {
            KeyHasher::Narrow(sip) => {
                let tag = sip.hash(key);
                KeyHash {
                    tag,
                    place: mix(tag),
                }
            }
            KeyHasher::Wide(sip) => {
                let both = sip.hash(key);
                KeyHash {
                    tag: both.h1,
                    place: both.h2,
                }
            }
        }
    }
}
