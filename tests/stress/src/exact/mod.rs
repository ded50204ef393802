//! Many callers, one key, nothing refilled: exactly the limit, each time.

mod crew;
mod games;
pub mod round;

use crate::place::Place;
use crate::pool;
use crate::report::{Failure, Report};
use crate::shape::ALGORITHMS;
use crew::{Crew, MEMBERS};
use games::{DAY_US, Game};
use ratelimit_core::{Segment, Store};

/// Keys that fit in a store: each round takes a few cells.
const ROOM: usize = 1 << 17;
const SEGMENT_BYTES: usize = 16 << 20;

/// Below 20 s a store admits on exact readings of the clock only, so there is one path more. More
/// than a round takes, so that it ends before a window does.
const SECONDS_US: u64 = 19_200_000;

/// All tests of this kind.
pub fn run(report: &mut Report) {
    over(report, "processes", processes);
    over(report, "threads_memory", || {
        Store::memory(ROOM).map(Crew::Threads).map_err(text)
    });
    over(report, "threads_anonymous", || {
        let segment = Segment::anonymous(SEGMENT_BYTES).map_err(text)?;
        Ok(Crew::Threads(Store::shared(&segment)))
    });
}

/// All games with one kind of crew.
fn over(report: &mut Report, who: &str, crew: impl Fn() -> Result<Crew, Failure>) {
    let mut crew = crew();
    let mut test = |name: String, play: &dyn Fn(&mut Game<'_>) -> Result<(), Failure>| {
        report.test(&format!("exact_{who}_{name}"), || {
            let crew = crew.as_mut().map_err(|e| e.clone())?;
            let mut game = Game::new(crew, &name);
            play(&mut game)?;
            Ok(game.remark())
        });
    };
    for algorithm in ALGORITHMS {
        test(format!("allow_{algorithm}"), &|g| g.allow(algorithm));
        test(format!("fits_{algorithm}"), &|g| {
            g.fits(algorithm, SECONDS_US)
        });
        test(format!("fits_day_{algorithm}"), &|g| {
            g.fits(algorithm, DAY_US)
        });
        test(format!("costs_{algorithm}"), &|g| g.costs(algorithm));
        test(format!("consume_{algorithm}"), &|g| g.consume(algorithm));
        test(format!("consume_all_{algorithm}"), &|g| {
            g.consume_all(algorithm, algorithm)
        });
        if algorithm.is_bucket() {
            test(format!("reserve_{algorithm}"), &|g| g.reserve(algorithm));
        }
    }
    for (a, b) in ALGORITHMS.into_iter().zip(ALGORITHMS.into_iter().skip(1)) {
        test(format!("consume_all_{a}_and_{b}"), &|g| g.consume_all(a, b));
    }
}

fn processes() -> Result<Crew, Failure> {
    let place = Place::new(SEGMENT_BYTES)?;
    let pool = pool::start(&place, MEMBERS)?;
    // The mapping stays when the file goes.
    let store = place.store.clone();
    Ok(Crew::Processes { store, pool })
}

fn text(e: ratelimit_core::Error) -> Failure {
    e.to_string()
}
