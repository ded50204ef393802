//! A table that is far too small, and an account for every key of what was admitted, what was
//! given up and what is there.

mod account;
pub mod load;

use crate::clock::now_us;
use crate::losses::Loss;
use crate::message::{Answer, Command};
use crate::place::Place;
use crate::pool::{self, Worker};
use crate::report::{Failure, Report, ensure};
use crate::shape::{Algorithm, Shape};
use account::Account;
use load::{Crowd, Tallies};
use ratelimit_core::{Segment, Stats};
use std::collections::HashMap;

const WORKERS: usize = 8;
/// Keys of each limiter; the first few get most of the calls.
const KEYS: u32 = 4_000;
const LIMIT: u64 = 20;
/// From the command to the first call.
const LEAD_US: u64 = 20_000;

/// All tests of this kind.
pub fn run(report: &mut Report, seconds: u64) {
    let result = outcome(seconds);
    let mut test = |name: &str, test: &dyn Fn(&Outcome) -> Result<String, Failure>| {
        report.test(name, || test(result.as_ref().map_err(Clone::clone)?));
    };
    test("tiny_every_key_is_accounted_for", &accounts);
    test("tiny_hot_and_random_keys_were_given_up", &both_kinds);
    test("tiny_given_up_counts_every_loss", &given_up);
    test("tiny_counters_count_every_decision", &counters);
}

/// The limiters, all on one segment. Nothing of a window expires while the test lasts.
fn shapes(seconds: u64) -> Vec<Shape> {
    let long = 1_000_000 * (seconds * 8).max(240);
    let sliding = |segments| Algorithm::SlidingWindow { segments };
    let shape = |algorithm, span_us| Shape {
        algorithm,
        limit: LIMIT,
        span_us,
    };
    vec![
        shape(Algorithm::TokenBucket, long),
        shape(Algorithm::LeakyBucket, long / 2),
        shape(Algorithm::FixedWindow, long),
        shape(sliding(10), long),
        shape(sliding(60), long),
        shape(sliding(1), long),
    ]
}

/// What is known when all is over.
struct Outcome {
    shapes: Vec<Shape>,
    accounts: Vec<Account>,
    tallies: Tallies,
    /// Of all keys, also such as nobody has.
    lost: Loss,
    stats: Stats,
}

fn outcome(seconds: u64) -> Result<Outcome, Failure> {
    let place = Place::new(Segment::MIN_BYTES)?;
    let mut pool = pool::start(&place, WORKERS)?;
    let start_us = now_us() + LEAD_US;
    let crowd = Crowd {
        shapes: shapes(seconds),
        keys: KEYS,
        start_us,
        end_us: start_us + seconds * 1_000_000,
    };
    let tallies = collect(&mut pool, &crowd)?;
    let stats = place.store.stats();
    let losses: HashMap<u64, Loss> = tallies.losses.iter().copied().collect();
    let accounts = account::all(&place.store, &crowd, &tallies, &losses);
    let mut lost = Loss::default();
    losses.values().for_each(|loss| lost.add(*loss));
    Ok(Outcome {
        shapes: crowd.shapes,
        accounts: accounts.map_err(|e| e.to_string())?,
        tallies,
        lost,
        stats,
    })
}

fn collect(pool: &mut [Worker], crowd: &Crowd) -> Result<Tallies, Failure> {
    let commands = pool.iter().map(|_| Command::Crowd(crowd.clone())).collect();
    let mut sum = Tallies::default();
    for answer in pool::ask(pool, commands, crowd.end_us)? {
        match answer {
            Answer::Crowd(tallies) => sum.add(tallies),
            _ => return Err("a worker answered something else".to_owned()),
        }
    }
    Ok(sum)
}

fn accounts(outcome: &Outcome) -> Result<String, Failure> {
    let wrong: Vec<String> = outcome
        .accounts
        .iter()
        .filter_map(|account| account.check().err())
        .collect();
    ensure(wrong.is_empty(), || {
        format!("{} keys, such as {}", wrong.len(), wrong[0])
    })?;
    let admitted: u64 = outcome.accounts.iter().map(|a| a.admitted).sum();
    let beyond = outcome.accounts.iter().filter(|a| a.admitted > LIMIT);
    Ok(format!(
        "{} keys, {} of them beyond their limit by what they lost; {admitted} units admitted, {} calls refused",
        outcome.accounts.len(),
        beyond.count(),
        outcome.tallies.refused
    ))
}

/// Every limiter has lost cells, and keys that are in use all the time have: of buckets as well
/// as of windows. (A single hot bucket may hold its cell: while it is full, it is as far from
/// fresh as can be.)
fn both_kinds(outcome: &Outcome) -> Result<String, Failure> {
    let cells = |wanted: &dyn Fn(&Account) -> bool| -> u64 {
        let accounts = outcome.accounts.iter().filter(|a| wanted(a));
        accounts.map(|a| a.lost.cells).sum()
    };
    let mut remark = Vec::new();
    for (limiter, shape) in outcome.shapes.iter().enumerate() {
        let hot = cells(&|a| a.limiter == limiter && a.is_hot());
        let random = cells(&|a| a.limiter == limiter && !a.is_hot());
        let algorithm = shape.algorithm;
        ensure(random > 0, || format!("no key of {algorithm} was given up"))?;
        remark.push(format!("{algorithm} {hot} + {random}"));
    }
    for buckets in [true, false] {
        let hot = cells(&|a| a.is_hot() && a.shape.algorithm.is_bucket() == buckets);
        ensure(hot > 0, || "no hot key was given up".to_owned())?;
    }
    Ok(format!("cells of hot + random keys: {}", remark.join(", ")))
}

fn given_up(outcome: &Outcome) -> Result<String, Failure> {
    let (lost, counted) = (outcome.lost.cells, outcome.stats.given_up);
    let known: u64 = outcome.accounts.iter().map(|a| a.lost.cells).sum();
    ensure(lost == counted && lost == known && lost > 0, || {
        format!("{lost} cells lost, {known} of them of known keys; {counted} counted")
    })?;
    Ok(format!("{counted} cells"))
}

fn counters(outcome: &Outcome) -> Result<String, Failure> {
    let (stats, tallies) = (outcome.stats, &outcome.tallies);
    let counted = (stats.allowed, stats.refused);
    let seen = (tallies.allowed, tallies.refused);
    ensure(counted == seen, || {
        format!("{counted:?} allowed and refused were counted, {seen:?} seen")
    })?;
    Ok(format!("{} allowed, {} refused", seen.0, seen.1))
}
