//! The header of a segment's file, written and read by the test's own code.

use siphasher::sip::SipHasher13;
use std::path::Path;

pub const BYTES: usize = 72;
pub const LAYOUT: usize = 0;
pub const BOOT: usize = 4;
pub const TIME_NAMESPACE: usize = 6;

/// Changes one word of the header and makes its checksum right again.
pub fn patch(path: &Path, word: usize, change: impl Fn(u64) -> u64) {
    let mut raw = std::fs::read(path).unwrap();
    let at = 8 + 8 * word;
    let old = u64::from_le_bytes(raw[at..at + 8].try_into().unwrap());
    raw[at..at + 8].copy_from_slice(&change(old).to_le_bytes());
    let sum = SipHasher13::new_with_keys(0, 0).hash(&raw[8..64]);
    raw[64..BYTES].copy_from_slice(&sum.to_le_bytes());
    std::fs::write(path, raw).unwrap();
}

#[test]
fn a_header_is_a_mark_seven_words_and_their_checksum() {
    let dir = crate::Dir::new();
    let path = dir.path("segment");
    crate::open(&ratelimit_core::SegmentOptions::new(&path, crate::BYTES));
    let before = std::fs::read(&path).unwrap();
    assert_eq!(before[..8], *b"rlimit\r\n");
    patch(&path, LAYOUT, |layout| layout);
    assert_eq!(std::fs::read(&path).unwrap(), before);
}
