//! Segments whose cells and counters are garbage: what others wrote there must not harm us.

#[path = "support/dir.rs"]
mod dir;
#[path = "support/exercise.rs"]
mod exercise;

use dir::Dir;
use exercise::{exercise, limiters};
use proptest::prelude::*;
use ratelimit_core::{ManualClock, Segment, SegmentOptions, Store};
use std::fs::File;
use std::os::unix::fs::FileExt;
use std::sync::{Arc, mpsc};
use std::time::Duration;

const BYTES: usize = Segment::MIN_BYTES;
/// The header that is checked at opening ends here.
const HEADER: usize = 72;
/// Cells begin here, after a page and 128 lines of counters.
const CELLS: usize = 4_096 + 128 * 64;
const CELL: usize = 16;
const SET: usize = 16 * CELL;
/// Of a cell's low word.
const CLOSED: u64 = 1 << 17;
const PENDING: u64 = 1 << 16;
const KEYS: [&[u8]; 3] = [b"", b"key", b"another"];

/// A segment, and its file for writing garbage into it.
struct Damaged {
    segment: Segment,
    file: File,
    _dir: Dir,
}

impl Damaged {
    fn new() -> Damaged {
        let dir = Dir::new();
        let options = SegmentOptions::new(dir.path("segment"), BYTES);
        let segment = Segment::open(&options).unwrap();
        let file = File::options()
            .read(true)
            .write(true)
            .open(&options.path)
            .unwrap();
        Damaged {
            segment,
            file,
            _dir: dir,
        }
    }

    fn read(&self) -> Vec<u8> {
        let mut bytes = vec![0; BYTES];
        self.file.read_exact_at(&mut bytes, 0).unwrap();
        bytes
    }

    fn write(&self, from: usize, bytes: &[u8]) {
        self.file.write_all_at(bytes, from as u64).unwrap();
    }

    /// Every call, on both of a segment's tables, from a time on. A hang is a failure.
    fn survives(&self, now: u64) {
        let (done, answer) = mpsc::channel();
        let segment = self.segment.clone();
        let calls = move || {
            let clock = Arc::new(ManualClock::new(now));
            let given = Store::shared_with_clock(&segment, clock.clone());
            for store in [given, Store::shared(&segment)] {
                let limiters = limiters(&store);
                for cost in [0, 1, 3, u64::from(u32::MAX), i64::MAX as u64] {
                    for key in KEYS {
                        exercise(&limiters, key, cost);
                    }
                    clock.advance(Duration::from_millis(70));
                }
                store.stats();
            }
            done.send(()).unwrap();
        };
        let calling = std::thread::spawn(calls);
        let finished = answer.recv_timeout(Duration::from_secs(20));
        if finished == Err(mpsc::RecvTimeoutError::Timeout) {
            panic!("it hangs");
        }
        if let Err(panic) = calling.join() {
            std::panic::resume_unwind(panic);
        }
    }
}

fn config() -> ProptestConfig {
    ProptestConfig {
        cases: ProptestConfig::default().cases / 4,
        failure_persistence: None,
        max_shrink_iters: 0, // each hang goes on in a thread
        ..ProptestConfig::default()
    }
}

/// A source of garbage that a small seed determines.
fn garbage(seed: u64) -> impl FnMut() -> u64 {
    let mut state = seed;
    move || {
        // SplitMix64.
        state = state.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let z = (state ^ state >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let z = (z ^ z >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ z >> 31
    }
}

fn times() -> impl Strategy<Value = u64> {
    prop_oneof![Just(0), 0..1u64 << 62, Just(u64::MAX)]
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn random_bytes_harm_nobody(seed: u64, now in times()) {
        let damaged = Damaged::new();
        let mut word = garbage(seed);
        let bytes: Vec<u8> = (0..(BYTES - HEADER) / 8)
            .flat_map(|_| word().to_le_bytes())
            .collect();
        damaged.write(HEADER, &bytes);
        damaged.survives(now);
    }

    #[test]
    fn cells_of_our_own_keys_with_random_contents_harm_nobody(
        seed: u64,
        now in times(),
        keep in 0..100u64,
        near: bool,
    ) {
        let damaged = Damaged::new();
        let clock = Arc::new(ManualClock::new(now));
        for store in [
            Store::shared_with_clock(&damaged.segment, clock),
            Store::shared(&damaged.segment),
        ] {
            for limiter in limiters(&store) {
                for key in KEYS {
                    limiter.consume(key, 1).unwrap();
                }
            }
        }
        // Every cell that is in use is copied all over its set: with its tag, but closed or
        // pending or neither, of any time or one near its own, and with any amount.
        let mut word = garbage(seed);
        let mut bytes = damaged.read();
        for set in bytes[CELLS..].chunks_exact_mut(SET) {
            let used: Vec<[u8; CELL]> = set
                .chunks_exact(CELL)
                .filter(|cell| cell.iter().any(|b| *b != 0))
                .map(|cell| cell.try_into().unwrap())
                .collect();
            for cell in set.chunks_exact_mut(CELL) {
                let dice = word();
                if used.is_empty() || dice % 100 < keep {
                    continue;
                }
                let source = used[(dice >> 8) as usize % used.len()];
                let mut low = u64::from_le_bytes(source[..8].try_into().unwrap());
                let mut high = u64::from_le_bytes(source[8..].try_into().unwrap());
                low ^= word() & (CLOSED | PENDING);
                if near {
                    let until = (high >> 32) as u32;
                    let moved = until.wrapping_add(word() as u32 % 200_000);
                    high = u64::from(moved) << 32 | high & 0xFFFF_FFFF;
                } else {
                    low ^= word() & 0xFFFF;
                    high = word();
                }
                if dice & 1 << 40 != 0 {
                    high = high & !0xFFFF_FFFF | word() & 0xFFFF_FFFF;
                }
                cell[..8].copy_from_slice(&low.to_le_bytes());
                cell[8..].copy_from_slice(&high.to_le_bytes());
            }
        }
        damaged.write(CELLS, &bytes[CELLS..]);
        damaged.survives(now);
    }
}

#[test]
fn bytes_of_ones_harm_nobody() {
    let damaged = Damaged::new();
    damaged.write(HEADER, &vec![0xFF; BYTES - HEADER]);
    damaged.survives(u64::MAX);
}

#[test]
fn damaged_counters_are_wrong_and_nothing_else() {
    let damaged = Damaged::new();
    damaged.write(HEADER, &vec![0xFF; CELLS - HEADER]);
    damaged.survives(1_000_000);
    let store = Store::shared(&damaged.segment);
    let limiter = &limiters(&store)[4];
    assert_eq!(limiter.consume("key", 4).unwrap().remaining, 6);
    assert!(!limiter.allow("key", 7).unwrap());
}

#[test]
fn segment_that_was_damaged_while_closed_opens() {
    let dir = Dir::new();
    let options = SegmentOptions::new(dir.path("segment"), BYTES);
    drop(Segment::open(&options).unwrap());
    let mut bytes = std::fs::read(&options.path).unwrap();
    let mut word = garbage(7);
    bytes[HEADER..].iter_mut().for_each(|b| *b = word() as u8);
    std::fs::write(&options.path, bytes).unwrap();
    let store = Store::shared(&Segment::open(&options).unwrap());
    let limiters = limiters(&store);
    KEYS.iter().for_each(|key| exercise(&limiters, key, 1));
}
