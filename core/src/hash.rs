//! The keyed hash that places keys; attackers choose the keys.
//!
//! PolymurHash is universal: of two keys of n bytes, whoever chose them without the seed, all 64
//! bits are the same with a chance of at most n · 2⁻⁶⁰ (as <https://github.com/orlp/polymur-hash>
//! proves). It takes a third of the time of SipHash, which is left to shorten long keys and to
//! tell limiters apart.

use crate::store::KeyHash;
use polymur_hash::PolymurHash;
use siphasher::{sip, sip128};

/// Keys longer than this many bytes are shortened first.
const LONG: usize = 256;
/// Keeps a shortened key from a key that reads the same. Any bits will do that leave tweaks below
/// [`TWEAK`].
const SHORTENED: u64 = 0x1E37_79B9_7F4A_7C15;
/// The crate adds tweaks without wrapping; up to 63 bits there is room.
const TWEAK: u64 = u64::MAX >> 1;

/// A table's secret, made ready for hashing.
pub(crate) struct Seed {
    keys: [u64; 2],
    first: PolymurHash,
    /// Where there are so many cells that 64 bits would not tell their keys apart well enough.
    second: Option<PolymurHash>,
}

impl Seed {
    pub(crate) fn new(keys: [u64; 2], wide: bool) -> Seed {
        let sip = sip128::SipHasher13::new_with_keys(keys[0], keys[1]);
        let hash = |purpose: &[u8]| {
            let seed = sip.hash(purpose);
            PolymurHash::from_u64x2_seed(seed.h1, seed.h2)
        };
        Seed {
            keys,
            first: hash(b"first"),
            second: wide.then(|| hash(b"second")),
        }
    }

    #[inline(always)]
    fn hash(&self, key: &[u8], tweak: u64) -> KeyHash {
        let tag = self.first.hash_with_tweak(key, tweak);
        let place = match &self.second {
            None => spread(tag),
            Some(second) => hash_again(second, key, tweak),
        };
        KeyHash { tag, place }
    }

    #[cold]
    #[inline(never)]
    fn hash_long(&self, key: &[u8], tweak: u64) -> KeyHash {
        let short = sip128::SipHasher13::new_with_keys(self.keys[0], self.keys[1]).hash(key);
        self.hash(&short.as_bytes(), tweak ^ SHORTENED)
    }
}

/// The upper half, which chooses the first set, depends on all bits; hashes with one tag, which
/// differ in their low bits alone, lie as far apart as can be (by the golden ratio).
#[inline(always)]
fn spread(hash: u64) -> u64 {
    hash.wrapping_mul(0x9E37_79B9_7F4A_7C15)
}

#[inline(never)]
fn hash_again(hash: &PolymurHash, key: &[u8], tweak: u64) -> u64 {
    hash.hash_with_tweak(key, tweak)
}

/// The hash of one limiter's keys.
#[derive(Debug, Clone, Copy)]
pub(crate) struct KeyHasher {
    /// Not that of another limiter, but for a chance of 2⁻⁶³.
    pub tweak: u64,
}

impl KeyHasher {
    /// Limiters that differ in any of `identity` share no state. The parts are length-prefixed,
    /// so that no two identities look alike.
    pub(crate) fn new(seed: &Seed, identity: &[&[u8]]) -> Self {
        let mut text = Vec::with_capacity(128);
        for part in identity {
            text.extend_from_slice(&(part.len() as u64).to_le_bytes());
            text.extend_from_slice(part);
        }
        let sip = sip::SipHasher13::new_with_keys(seed.keys[0], seed.keys[1]);
        KeyHasher {
            tweak: sip.hash(&text) & TWEAK,
        }
    }

    #[inline]
    pub(crate) fn hash(&self, seed: &Seed, key: &[u8]) -> KeyHash {
        if key.len() > LONG {
            return seed.hash_long(key, self.tweak);
        }
        seed.hash(key, self.tweak)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_of_all_lengths_and_limiters_are_apart() {
        for wide in [false, true] {
            let seed = Seed::new([1, 2], wide);
            let hashers = [&b"a"[..], b"b"].map(|name| KeyHasher::new(&seed, &[name]));
            let mut seen = std::collections::HashSet::new();
            for length in 0..1_000 {
                for hasher in &hashers {
                    let key = vec![0; length];
                    let hash = hasher.hash(&seed, &key);
                    assert!(seen.insert((hash.tag, hash.place)), "{length} bytes");
                }
            }
        }
    }

    #[test]
    fn the_largest_tweak_fits() {
        let seed = Seed::new([3, 4], false);
        for length in [0, 7, 8, 21, 22, 49, 50, 256, 257] {
            let tweak = |tweak| KeyHasher { tweak }.hash(&seed, &vec![0xFF; length]);
            assert_ne!(tweak(TWEAK), tweak(TWEAK - 1));
        }
    }
}
