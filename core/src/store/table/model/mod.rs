//! Every interleaving of a few calls, by the model checker loom:
//! `RUSTFLAGS="--cfg loom" cargo test --release -p ratelimit-core --lib model`.

mod again;
mod single;
mod sliding;
mod taken_back;

use super::atom::{Atom, NEWEST};
use super::cell::Cell;
use super::{KeyHash, Memory, Raised, Shard, Table, Tag, Tally, Wide};
use crate::clock::{Clock, Reading, Source};
use loom::sync::atomic::{AtomicU64 as Modelled, Ordering::AcqRel};
use loom::thread;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, Mutex, PoisonError};

/// Two sets of two cells.
const N: usize = 2;

struct Small {
    sets: [[Wide; N]; 2],
    swept: AtomicU64,
    lowered: [Raised; 1],
    tally: Tally<Vec<Shard>>,
}

impl Memory<N> for Small {
    type Atom = Wide;
    type Shards = Vec<Shard>;

    fn sets(&self) -> &[[Wide; N]] {
        &self.sets
    }

    fn swept(&self) -> &AtomicU64 {
        &self.swept
    }

    fn lowered(&self) -> &[Raised] {
        &self.lowered
    }

    fn tally(&self) -> &Tally<Vec<Shard>> {
        &self.tally
    }
}

fn key(n: u64) -> KeyHash {
    KeyHash {
        tag: n << 19,
        place: n << 32,
    }
}

fn tag(n: u64) -> Tag {
    Tag::from_hash(n << 19)
}

/// A clock that all threads see move at once, as the system's does.
struct Time(Modelled);

impl Clock for Time {
    fn now(&self) -> u64 {
        self.0.fetch_add(0, AcqRel)
    }
}

/// A table and a clock.
#[derive(Clone)]
struct Scene {
    table: Arc<Table<Small, N>>,
    time: Arc<Time>,
    source: Source,
}

impl Scene {
    fn new(cells: [Cell; 4], now: u64) -> Scene {
        let [a, b, c, d] = cells.map(Wide::new);
        let memory = Small {
            sets: [[a, b], [c, d]],
            swept: AtomicU64::new(1),
            lowered: [Raised::new(0)],
            tally: Tally::new((0..8).map(|_| Shard::default()).collect()),
        };
        Scene::over(Arc::new(Table { memory }), now)
    }

    fn over(table: Arc<Table<Small, N>>, now: u64) -> Scene {
        let time = Arc::new(Time(Modelled::new(now)));
        Scene {
            table,
            source: Source::Given(time.clone()),
            time,
        }
    }

    /// The same table on another clock.
    fn at(&self, now: u64) -> Scene {
        Scene::over(self.table.clone(), now)
    }

    /// Moves the clock.
    fn pass(&self, by: u64) {
        self.time.0.fetch_add(by, AcqRel);
    }

    fn reading(&self) -> Reading<'_> {
        Reading::exact(&self.source)
    }

    /// The confirmed cells of a key.
    fn confirmed(&self, n: u64) -> Vec<Cell> {
        let cells = self.table.memory.sets.as_flattened().iter();
        cells
            .map(Atom::load)
            .filter(|cell| cell.has(tag(n)) && !cell.is_pending())
            .collect()
    }

    /// Two threads make one call each; returns how many were allowed.
    fn both(
        &self,
        first: impl FnOnce(&Scene) -> bool,
        second: impl FnOnce(&Scene) -> bool + 'static,
    ) -> usize {
        let other = self.spawn(second);
        usize::from(first(self)) + usize::from(other.join().unwrap())
    }

    fn spawn<R: 'static>(&self, call: impl FnOnce(&Scene) -> R + 'static) -> thread::JoinHandle<R> {
        let scene = self.clone();
        thread::spawn(move || call(&scene))
    }
}

/// Checks all interleavings of up to `preemptions`, and what weak memory adds to them.
fn explore_with(preemptions: usize, body: impl Fn() + Sync + Send + Copy + 'static) {
    static ONE_AT_A_TIME: Mutex<()> = Mutex::new(());
    let _one = ONE_AT_A_TIME.lock().unwrap_or_else(PoisonError::into_inner);
    for newest in [true, false] {
        NEWEST.store(newest, Relaxed);
        let mut builder = loom::model::Builder::new();
        builder.preemption_bound = Some(preemptions);
        builder.check(body);
    }
}

fn explore(body: impl Fn() + Sync + Send + Copy + 'static) {
    explore_with(3, body);
}

/// What a cell says survives packing for the model.
#[test]
fn states_fit_the_model() {
    let cell = Cell::charged(tag(3), 5_000, 77);
    assert_eq!((cell.until().left(1_000), cell.amount()), (4_000, 77));
}
