//! Workers that die and stop at any moment, and others that must not notice.

mod after;
pub mod ledger;
pub mod load;
mod pools;
pub mod timings;

use crate::clock::now_us;
use crate::place::Place;
use crate::report::{Failure, Report, ensure};
use crate::shape::{Algorithm, Shape};
use load::Load;
use pools::Seen;
use timings::Timings;

/// Small enough to be full of short-lived keys all the time.
const SEGMENT_BYTES: usize = 256 << 10;
/// From the start of the pool to the first call.
const LEAD_US: u64 = 300_000;
const SECOND_US: u64 = 1_000_000;
/// 30 days: nothing of a long-lived key comes back while the test lasts.
const LONG_US: u64 = 30 * 86_400 * SECOND_US;
/// How much longer than in peace a call may take: no less than what a machine may do to any
/// process that has others beside it.
const TOLERANCE_NS: u64 = 1_000_000_000;

/// All tests of this kind: a pool in peace, then one whose victims are killed, so many seconds
/// each.
pub fn run(report: &mut Report, seconds: u64) {
    let peace = Pool::run(seconds, false);
    let kill = Pool::run(seconds, true);
    for (name, pool) in [("peace", &peace), ("kill", &kill)] {
        let mut test = |what: &str, test: &dyn Fn(&Pool) -> Result<String, Failure>| {
            report.test(&format!("{name}_{what}"), || {
                test(pool.as_ref().map_err(Clone::clone)?)
            });
        };
        test("nothing_over_admitted", &|p| {
            after::nothing_over_admitted(&p.place, &p.load, &p.seen)
        });
        test("every_second_has_calls", &|p| p.progress(seconds));
        test("no_cell_lost", &|p| after::no_cell_lost(&p.place, &p.load));
        test("room_for_all", &|p| after::room_for_all(&p.place));
    }
    report.test("kill_does_not_hold_up_survivors", || {
        let (peace, kill) = (peace.as_ref(), kill.as_ref());
        in_time(peace.map_err(Clone::clone)?, kill.map_err(Clone::clone)?)
    });
}

/// A pool that has done its work, and its segment.
struct Pool {
    place: Place,
    load: Load,
    seen: Seen,
}

impl Pool {
    fn run(seconds: u64, harm: bool) -> Result<Pool, Failure> {
        let place = Place::new(SEGMENT_BYTES)?;
        let load = load(seconds);
        let seen = pools::run(&place, &load, harm)?;
        Ok(Pool { place, load, seen })
    }

    /// All survivors were served all the time.
    fn progress(&self, seconds: u64) -> Result<String, Failure> {
        let mut least = u64::MAX;
        for (nth, survivor) in self.seen.survivors.iter().enumerate() {
            for second in 0..seconds as usize {
                let calls = survivor.per_second.get(second).copied().unwrap_or(0);
                ensure(calls > 0, || {
                    format!("survivor {nth} made no call in second {second}")
                })?;
                least = least.min(calls);
            }
        }
        Ok(format!("at least {least} each"))
    }

    fn timings(&self) -> Timings {
        let mut all = Timings::default();
        self.seen.survivors.iter().for_each(|one| all.merge(one));
        all
    }
}

fn in_time(peace: &Pool, kill: &Pool) -> Result<String, Failure> {
    let (before, after) = (peace.timings(), kill.timings());
    let remark = format!(
        "{} killed, {} stopped; calls {} and {}, p99.9 {} and {} ns, longest {} and {} ns",
        kill.seen.kills,
        kill.seen.stops,
        before.calls(),
        after.calls(),
        before.permille_ns(999),
        after.permille_ns(999),
        before.longest_ns,
        after.longest_ns
    );
    ensure(kill.seen.kills > 0, || "nobody was killed".to_owned())?;
    ensure(after.longest_ns <= before.longest_ns + TOLERANCE_NS, || {
        remark.clone()
    })?;
    Ok(remark)
}

fn load(seconds: u64) -> Load {
    let shapes = |limit, span_us, segments| {
        [
            Algorithm::TokenBucket,
            Algorithm::LeakyBucket,
            Algorithm::FixedWindow,
            Algorithm::SlidingWindow { segments },
        ]
        .map(|algorithm| Shape {
            algorithm,
            limit,
            span_us,
        })
        .to_vec()
    };
    let start_us = now_us() + LEAD_US;
    Load {
        long: shapes(500, LONG_US, 10),
        short: shapes(10, SECOND_US, 5),
        buckets: 2,
        start_us,
        end_us: start_us + seconds * SECOND_US,
        // Not more keys than a fraction of the table.
        epoch_us: (seconds * SECOND_US / 100).max(SECOND_US / 5),
    }
}
