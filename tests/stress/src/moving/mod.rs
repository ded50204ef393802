//! Windows that move while everybody calls: the logs of all calls against the definition.

mod bucket;
mod fixed;
pub mod log;
mod sliding;

use crate::clock::now_us;
use crate::message::{Answer, Command};
use crate::place::Place;
use crate::pool::{self, Worker};
use crate::report::{Failure, Report, ensure};
use crate::shape::{Algorithm, Shape};
use log::{Flat, Log};

const WORKERS: usize = 8;
const SEGMENT_BYTES: usize = 1 << 20;
/// From the command to the first call.
const LEAD_US: u64 = 20_000;

/// All tests of this kind, each of so many seconds.
pub fn run(report: &mut Report, seconds: u64) {
    let sliding = |segments| Algorithm::SlidingWindow { segments };
    let (token, leaky) = (Algorithm::TokenBucket, Algorithm::LeakyBucket);
    let shapes = [
        (sliding(10), 1000, 100_000),
        (sliding(1), 1000, 100_000),
        (sliding(60), 1000, 120_000),
        (sliding(1), 20, 2_000),
        (sliding(10), 20, 5_000),
        (token, 50, 50_000),
        (token, 1, 1_000),
        (leaky, 50, 50_000),
        (leaky, 10, 1_000),
        (Algorithm::FixedWindow, 500, 50_000),
        (Algorithm::FixedWindow, 5, 1_000),
    ];
    for (algorithm, limit, span_us) in shapes {
        let shape = Shape {
            algorithm,
            limit,
            span_us,
        };
        let name = format!("moving_{algorithm}_{limit}_per_{span_us}_us");
        report.test(&name, || moving(shape, seconds));
    }
}

fn moving(shape: Shape, seconds: u64) -> Result<String, Failure> {
    let place = Place::new(SEGMENT_BYTES)?;
    let mut pool = pool::start(&place, WORKERS)?;
    let start_us = now_us() + LEAD_US;
    let end_us = start_us + seconds * 1_000_000;
    let flat = Flat {
        shape,
        start_us,
        end_us,
    };
    let log = collect(&mut pool, &flat)?;
    let granted = match shape.algorithm {
        Algorithm::FixedWindow => fixed::check(shape, &log)?,
        Algorithm::SlidingWindow { .. } => sliding::check(shape, &log)?,
        _ => bucket::check(shape, &log)?,
    };
    let admitted = log.admitted.len() as u64;
    // What is missing of what was to be granted says how long nobody asked, which is not the
    // limiter's fault; that every refusal was right is what counts.
    ensure(admitted > 0 && !log.refused.is_empty(), || {
        format!("{admitted} admitted, {} refusals", log.refused.len())
    })?;
    let percent = 100.0 * admitted as f64 / granted as f64;
    let refused = log.refused.len();
    Ok(format!(
        "{admitted} admitted, {percent:.2} % of {granted}; {refused} of {} refusals checked",
        log.calls - admitted
    ))
}

/// Lets all call, and merges what they saw.
fn collect(pool: &mut [Worker], flat: &Flat) -> Result<Log, Failure> {
    let commands = pool.iter().map(|_| Command::Flat(flat.clone())).collect();
    let mut merged = Log::default();
    for answer in pool::ask(pool, commands, flat.end_us)? {
        match answer {
            Answer::Flat(log) => merged.append(log),
            _ => return Err("a worker answered something else".to_owned()),
        }
    }
    Ok(merged)
}
