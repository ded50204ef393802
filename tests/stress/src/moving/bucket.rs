//! The buckets' log against their definition.
//!
//! A bucket has an instant f at which it is fresh again; a charge makes it max(f, now) + T, and
//! must find it at most (B − 1)·T ahead of now. Only how many calls lie where matters, not which:
//!
//! * Too much: all calls that began from the j-th beginning on and ended by the i-th end, at least
//!   i − j + 1 of them, were decided in between, the first not before that beginning, the last
//!   not after that end. So f was at least the beginning + (i − j + 1)·T at a time not after the
//!   end, and was allowed to be B·T ahead. Running over all i, the worst j is kept by a queue
//!   that is charged at the beginnings.
//! * Too little: a refusal between b and a saw an f that is no later than if each call that had
//!   begun by a had been decided at its end, or at a if that comes first.

use super::log::{Instants, Log};
use crate::report::{Failure, ensure};
use crate::shape::Shape;

/// Checks the log; returns what the definition would grant.
pub fn check(shape: Shape, log: &Log) -> Result<u64, Failure> {
    let instants = log.instants();
    not_too_much(shape, &instants)?;
    let latest = queue(shape, &instants.afters);
    for refused in &log.refused {
        not_too_little(shape, &instants, &latest, refused.before, refused.after)?;
    }
    let first = instants.befores.first().copied().unwrap_or(0);
    let last = instants.afters.last().copied().unwrap_or(0);
    Ok(shape.limit + (last - first) / shape.unit_us())
}

/// When the bucket is fresh again after each of the charges at these instants.
fn queue(shape: Shape, charges: &[u64]) -> Vec<u64> {
    let charge = |fresh: &mut u64, at: &u64| {
        *fresh = shape.unit_us() + *at.max(fresh);
        Some(*fresh)
    };
    charges.iter().scan(0, charge).collect()
}

fn not_too_much(shape: Shape, all: &Instants) -> Result<(), Failure> {
    for (fresh, after) in queue(shape, &all.befores).iter().zip(&all.afters) {
        ensure(*fresh <= after + shape.span_us, || {
            let ahead = fresh - after;
            format!(
                "at {after} µs the bucket was {ahead} of {} µs ahead",
                shape.span_us
            )
        })?;
    }
    Ok(())
}

fn not_too_little(
    shape: Shape,
    all: &Instants,
    latest: &[u64],
    before: u64,
    after: u64,
) -> Result<(), Failure> {
    let ended = all.ended_before(after + 1);
    let under_way = all.began_before(after + 1) - ended;
    let mut fresh = ended.checked_sub(1).map_or(0, |last| latest[last as usize]);
    if under_way > 0 {
        fresh = fresh.max(after) + under_way * shape.unit_us();
    }
    ensure(fresh + shape.unit_us() > before + shape.span_us, || {
        let ahead = fresh.saturating_sub(before);
        format!("at {before} µs a call was refused with the bucket at most {ahead} µs ahead")
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::moving::log::made_at as log;
    use crate::shape::Algorithm;

    const SHAPE: Shape = Shape {
        algorithm: Algorithm::TokenBucket,
        limit: 2,
        span_us: 200,
    };

    #[test]
    fn one_admission_too_many_is_noticed() {
        assert!(check(SHAPE, &log(&[1000, 1010, 1100], &[])).is_ok());
        assert!(check(SHAPE, &log(&[1000, 1010, 1090], &[])).is_err());
        assert!(check(SHAPE, &log(&[1000, 1010, 1100, 1190], &[])).is_err());
    }

    #[test]
    fn refusal_that_had_room_is_noticed() {
        assert!(check(SHAPE, &log(&[1000, 1010], &[1020, 1099])).is_ok());
        assert!(check(SHAPE, &log(&[1000, 1010], &[1103])).is_err());
        assert!(check(SHAPE, &log(&[1000], &[1010])).is_err());
    }
}
