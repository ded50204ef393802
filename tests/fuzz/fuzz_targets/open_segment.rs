//! Any bytes as a segment's file: refused with an error that names it, or usable.

#![no_main]

#[path = "../../../core/tests/support/exercise.rs"]
mod exercise;

use arbitrary::Arbitrary;
use exercise::{exercise, limiters};
use libfuzzer_sys::fuzz_target;
use ratelimit_core::{ManualClock, Segment, SegmentOptions, Store};
use std::path::PathBuf;
use std::sync::{Arc, LazyLock};

const BYTES: usize = Segment::MIN_BYTES;

/// How a file comes about.
#[derive(Debug, Arbitrary)]
enum Contents<'a> {
    /// These bytes and nothing else.
    Raw(&'a [u8]),
    /// A good segment, cut or lengthened.
    Cut(u16),
    /// A good segment with bytes written over it, again and again from a place on.
    Overwritten { at: u16, times: u8, with: &'a [u8] },
}

#[derive(Debug, Arbitrary)]
struct Input<'a> {
    now: u64,
    cost: u64,
    key: &'a [u8],
    contents: Contents<'a>,
}

static PATH: LazyLock<PathBuf> = LazyLock::new(|| {
    let base = PathBuf::from("/dev/shm");
    let base = if base.is_dir() {
        base
    } else {
        std::env::temp_dir()
    };
    base.join(format!("ratelimit-fuzz-{}", std::process::id()))
});

/// The file of a segment with state of every algorithm in it.
static GOOD: LazyLock<Vec<u8>> = LazyLock::new(|| {
    let segment = Segment::open(&SegmentOptions::new(&*PATH, BYTES)).unwrap();
    let clock = Arc::new(ManualClock::new(1_000_000));
    for store in [
        Store::shared(&segment),
        Store::shared_with_clock(&segment, clock),
    ] {
        for limiter in limiters(&store) {
            limiter.consume("", 1).unwrap();
        }
    }
    std::fs::read(&*PATH).unwrap()
});

fn bytes(contents: &Contents<'_>) -> Vec<u8> {
    let mut bytes = GOOD.clone();
    match contents {
        Contents::Raw(raw) => return raw.to_vec(),
        Contents::Cut(length) => bytes.resize(usize::from(*length) + 1, 0),
        Contents::Overwritten { at, times, with } => {
            let over = with.repeat(usize::from(*times) + 1);
            let places = bytes[usize::from(*at)..].iter_mut();
            places.zip(over).for_each(|(place, byte)| *place = byte);
        }
    }
    bytes
}

fuzz_target!(|input: Input<'_>| {
    std::fs::write(&*PATH, bytes(&input.contents)).unwrap();
    match Segment::open(&SegmentOptions::new(&*PATH, BYTES)) {
        Err(error) => {
            let text = error.to_string();
            assert!(text.starts_with("segment /"), "{text}");
        }
        Ok(segment) => {
            let clock = Arc::new(ManualClock::new(input.now));
            let cost = input.cost >> 1;
            for store in [
                Store::shared_with_clock(&segment, clock),
                Store::shared(&segment),
            ] {
                let limiters = limiters(&store);
                exercise(&limiters, b"", cost);
                exercise(&limiters, input.key, cost);
                store.stats();
            }
        }
    }
});
