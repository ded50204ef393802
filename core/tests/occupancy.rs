//! How full a store may be before it gives anything up, and what it gives up then.

use ratelimit_core::{Limiter, ManualClock, Policy, Segment, Stats, Store};
use std::sync::Arc;
use std::time::Duration;

const SECOND: Duration = Duration::from_secs(1);
const HOUR: Duration = Duration::from_secs(3_600);

fn one_cell_policies() -> [Policy; 3] {
    [
        Policy::token_bucket(10, 10, HOUR).unwrap(),
        Policy::leaky_bucket(10, 10, HOUR).unwrap(),
        Policy::fixed_window(10, HOUR).unwrap(),
    ]
}

/// Keys as users have them: strings, some of them alike.
fn key(n: u64) -> String {
    let mixed = n.wrapping_mul(0x9E37_79B9_7F4A_7C15);
    match n % 3 {
        0 => format!("user:{n}"),
        1 => format!(
            "10.{}.{}.{}",
            mixed >> 56,
            mixed >> 48 & 0xFF,
            n.wrapping_mul(7) & 0xFF_FFFF
        ),
        _ => format!("{mixed:016x}"),
    }
}

/// A store of about so many cells, and its clock.
fn store(cells: u64) -> (Store, Arc<ManualClock>) {
    let clock = Arc::new(ManualClock::new(1_000_000_000));
    let store = Store::memory_with_clock((cells * 2 / 3) as usize, clock.clone()).unwrap();
    (store, clock)
}

#[track_caller]
fn assert_lost_at_most(per_mille: u64, of: u64, stats: Stats) {
    assert!(
        stats.given_up * 1_000 <= of * per_mille,
        "{} of {of} lost, {stats:?}",
        stats.given_up
    );
}

/// How many per mille may be lost with so many percent of the cells in use.
const BOUNDS: [(u64, u64); 2] = [(67, 1), (80, 10)];

#[test]
fn one_cell_keys_find_room_at_two_thirds_and_at_four_fifths() {
    for policy in one_cell_policies() {
        for (percent, per_mille) in BOUNDS {
            let (store, _) = store(96_000);
            let limiter = Limiter::new("limiter", policy, &store).unwrap();
            let keys = store.stats().capacity * percent / 100;
            for n in 0..keys {
                assert!(limiter.allow(key(n), 1).unwrap());
            }
            let stats = store.stats();
            assert_eq!(stats.live + stats.given_up, keys);
            assert_lost_at_most(per_mille, keys, stats);
        }
    }
}

/// A sliding window whose every segment is in use by so many keys, on a store that they fill to so many percent.
struct Sliding {
    store: Store,
    clock: Arc<ManualClock>,
    limiter: Limiter,
    keys: u64,
    /// Of each key: those of the window, and the one before it.
    cells: u64,
}

impl Sliding {
    fn new(segments: u32, percent: u64) -> Sliding {
        let (store, clock) = store(30_000);
        let policy = Policy::sliding_window(1_000, SECOND * segments, segments).unwrap();
        let limiter = Limiter::new("limiter", policy, &store).unwrap();
        let cells = u64::from(segments) + 1;
        Sliding {
            keys: store.stats().capacity * percent / 100 / cells,
            store,
            clock,
            limiter,
            cells,
        }
    }

    /// Charges every key in each of the next segments.
    fn charge_all(&self, segments: u64) {
        for _ in 0..segments {
            self.clock.advance(SECOND);
            for n in 0..self.keys {
                assert!(self.limiter.allow(key(n), 1).unwrap());
            }
        }
    }
}

#[test]
fn sliding_windows_with_all_segments_in_use_find_room_too() {
    for segments in [10, 20, 30, 60] {
        for (percent, per_mille) in BOUNDS {
            let sliding = Sliding::new(segments, percent);
            sliding.charge_all(sliding.cells);
            let stats = sliding.store.stats();
            let all = sliding.keys * sliding.cells;
            assert_eq!(stats.live + stats.given_up, all);
            assert_lost_at_most(per_mille, all, stats);
        }
    }
}

#[test]
fn sliding_windows_find_room_for_long() {
    for segments in [10, 20, 30, 60] {
        for (percent, per_mille) in BOUNDS {
            let sliding = Sliding::new(segments, percent);
            let windows = 4;
            sliding.charge_all(windows * sliding.cells);
            let all = windows * sliding.keys * sliding.cells;
            assert_lost_at_most(per_mille, all, sliding.store.stats());
        }
    }
}

#[test]
fn live_key_takes_24_bytes_at_two_thirds() {
    let (store, _) = store(300_000);
    let limiter = Limiter::new("limiter", one_cell_policies()[0], &store).unwrap();
    let keys = store.stats().capacity * 2 / 3;
    for n in 0..keys {
        limiter.allow(key(n), 1).unwrap();
    }
    let stats = store.stats();
    // Beside the table there are 12 KiB of header and counters.
    let table = stats.bytes - 4_096 - 128 * 64;
    assert_eq!(table, stats.capacity * 16);
    let per_key = table as f64 / stats.live as f64;
    assert!((23.99..24.05).contains(&per_key), "{per_key}");
}

#[test]
fn memory_store_holds_as_many_keys_as_it_says() {
    for max_keys in [1_000, 10_000, 65_536, 250_000, 1_000_000] {
        let clock = Arc::new(ManualClock::new(1_000_000_000));
        let store = Store::memory_with_clock(max_keys as usize, clock).unwrap();
        let policy = one_cell_policies()[max_keys as usize % 3];
        let limiter = Limiter::new("limiter", policy, &store).unwrap();
        for n in 0..max_keys {
            assert!(limiter.allow(key(n), 1).unwrap());
        }
        assert_lost_at_most(1, max_keys, store.stats());
    }
}

#[test]
fn steady_churn_at_two_thirds_loses_no_more() {
    let (store, clock) = store(30_000);
    let policy = Policy::fixed_window(10, HOUR).unwrap();
    let limiter = Limiter::new("limiter", policy, &store).unwrap();
    let live = store.stats().capacity * 2 / 3;
    // Each key lives for an hour, and in that hour as many come as may be there.
    let pause = HOUR.as_micros() as u64 / live;
    let keys = live * 20;
    for n in 0..keys {
        assert!(limiter.allow(key(n), 1).unwrap());
        clock.advance(Duration::from_micros(pause));
    }
    let stats = store.stats();
    assert!(stats.live.abs_diff(live) * 100 <= live, "{stats:?}");
    assert_lost_at_most(1, keys, stats);
}

#[test]
fn million_keys_are_never_taken_for_each_other() {
    let (store, _) = store(1_500_000);
    let policy = Policy::fixed_window(10, HOUR).unwrap();
    let limiter = Limiter::new("limiter", policy, &store).unwrap();
    for n in 0..1_000_000 {
        limiter.allow(key(2 * n), 1).unwrap();
    }
    let confused = |n: &u64| limiter.peek(key(2 * n + 1), 0).unwrap().remaining != 10;
    assert_eq!((0..1_000_000).filter(confused).count(), 0);
}

#[test]
fn full_store_gives_up_those_closest_to_fresh() {
    let (store, clock) = store(6_000);
    let policy = Policy::fixed_window(10, HOUR).unwrap();
    let limiter = Limiter::new("limiter", policy, &store).unwrap();
    let capacity = store.stats().capacity;
    // Twice as many keys as cells, each to live a little longer than the one before.
    let keys = 2 * capacity;
    for n in 0..keys {
        let newcomer = limiter.consume(key(n), 1).unwrap();
        assert_eq!((newcomer.allowed, newcomer.remaining), (true, 9));
        clock.advance(Duration::from_micros(1));
    }
    let stats = store.stats();
    assert_eq!(stats.live + stats.given_up, keys, "each loss is counted");
    assert!(stats.live * 100 >= capacity * 99, "{stats:?}");

    let lives = |n: &u64| limiter.peek(key(*n), 0).unwrap().remaining == 9;
    let alive = (0..keys).filter(lives).count() as u64;
    assert_eq!(alive, stats.live, "the rest is as it was");
    let young = (keys - capacity / 2..keys).filter(lives).count() as u64;
    assert!(young * 100 >= capacity / 2 * 95, "{young} of the youngest");
    let old = (0..capacity / 2).filter(lives).count() as u64;
    assert!(old * 100 <= capacity / 2 * 5, "{old} of the oldest");
}

#[test]
fn ended_keys_make_room_before_anybody_is_given_up() {
    let (store, clock) = store(3_000);
    let limiter = |name, window| {
        let policy = Policy::fixed_window(10, window).unwrap();
        Limiter::new(name, policy, &store).unwrap()
    };
    let (short, long) = (limiter("short", SECOND), limiter("long", HOUR));
    let half = store.stats().capacity / 2;
    for n in 0..half {
        assert!(long.allow(key(n), 1).unwrap());
    }
    for round in 0..20 {
        for n in 0..half / 3 {
            assert!(short.allow(key(round * half + n), 1).unwrap());
        }
        clock.advance(SECOND);
    }
    let stats = store.stats();
    assert_eq!((stats.live, stats.given_up), (half, 0));
}

#[test]
fn segment_holds_as_much_as_its_bytes_say() {
    for bytes in [Segment::MIN_BYTES, 1 << 20, (4 << 20) + 4_321] {
        let segment = Segment::anonymous(bytes).unwrap();
        let store = Store::shared(&segment);
        let limiter = Limiter::new("limiter", one_cell_policies()[2], &store).unwrap();
        let stats = store.stats();
        assert_eq!(stats.bytes, bytes as u64);
        let keys = stats.capacity * 2 / 3;
        for n in 0..keys {
            assert!(limiter.allow(key(n), 1).unwrap());
        }
        // In so few cells, chance may take one more.
        assert_lost_at_most(1, keys.max(2_000), store.stats());
    }
}
