//! The sliding window's log against its definition.
//!
//! Segments are counted from the clock's zero, so the instants around a call tell which segment
//! it was decided in, but for the few that a boundary falls into. Counting those where they help
//! the limiter makes a bound that holds for sure:
//!
//! * Too much: of the calls that ended by x, in a segment k where at least one of them began,
//!   somebody was the last to be decided, in segment k and not after x. Then all others weighed,
//!   and what segment k − N weighed has only gone down until x.
//! * Too little: a refusal between b and a in segment k saw no more than the calls that had begun
//!   by a, and weighed segment k − N no heavier than at b.

use super::log::{Instants, Log};
use crate::report::{Failure, ensure};
use crate::shape::{Algorithm, Shape};

/// How often a caller who never sleeps would ask, in the run that says what would be granted.
const STEP_US: u64 = 20;

/// Checks the log; returns what the definition would grant.
pub fn check(shape: Shape, log: &Log) -> Result<u64, Failure> {
    let w = Window::new(shape);
    let instants = log.instants();
    for x in &instants.afters {
        w.not_too_much(&instants, *x)?;
    }
    for refused in &log.refused {
        w.not_too_little(&instants, refused.before, refused.after)?;
    }
    let first = instants.befores.first().copied().unwrap_or(0);
    let last = instants.afters.last().copied().unwrap_or(0);
    Ok(w.granted(first, last))
}

struct Window {
    limit: u64,
    segments: u64,
    segment_us: u64,
}

impl Window {
    fn new(shape: Shape) -> Window {
        let segments = match shape.algorithm {
            Algorithm::SlidingWindow { segments } => segments.into(),
            _ => 1,
        };
        Window {
            limit: shape.limit,
            segments,
            segment_us: shape.segment_us(),
        }
    }

    /// The start of the segment `back` before the one that contains `at`.
    fn start(&self, at: u64, back: u64) -> u64 {
        (at / self.segment_us - back) * self.segment_us
    }

    /// Units times the length of a segment: exact.
    fn scaled(&self, full: u64, oldest: u64, at: u64) -> u64 {
        full * self.segment_us + oldest * (self.segment_us - at % self.segment_us)
    }

    fn not_too_much(&self, all: &Instants, x: u64) -> Result<(), Failure> {
        let ended = |us| all.ended_before(us);
        // Whether at least one call lies within the segment as a whole.
        if ended(x + 1) <= all.began_before(self.start(x, 0)) {
            return Ok(());
        }
        let first = self.start(x, self.segments - 1);
        let full = ended(x + 1).saturating_sub(all.began_before(first));
        let oldest = ended(first).saturating_sub(all.began_before(first - self.segment_us));
        let used = self.scaled(full, oldest, x);
        ensure(used <= self.limit * self.segment_us, || {
            let used = used as f64 / self.segment_us as f64;
            format!("at {x} µs {used:.3} of {} were in use", self.limit)
        })
    }

    fn not_too_little(&self, all: &Instants, before: u64, after: u64) -> Result<(), Failure> {
        if self.start(before, 0) != self.start(after, 0) {
            return Ok(());
        }
        let first = self.start(after, self.segments - 1);
        let full = all.began_before(after + 1) - all.ended_before(first);
        let oldest = all.began_before(first) - all.ended_before(first - self.segment_us);
        let used = self.scaled(full, oldest, before);
        ensure(
            used + self.segment_us > self.limit * self.segment_us,
            || {
                let used = used as f64 / self.segment_us as f64;
                format!("at {before} µs a call was refused with at most {used:.3} in use")
            },
        )
    }

    /// What a caller gets who asks all the time.
    fn granted(&self, first: u64, last: u64) -> u64 {
        let mut counts = std::collections::HashMap::new();
        let mut total = 0;
        for now in (first..=last).step_by(STEP_US as usize) {
            let segment = now / self.segment_us;
            let count = |back: u64| counts.get(&(segment - back)).copied().unwrap_or(0);
            let full = (0..self.segments).map(count).sum();
            let used = self.scaled(full, count(self.segments), now);
            let room = (self.limit * self.segment_us).saturating_sub(used) / self.segment_us;
            *counts.entry(segment).or_default() += room;
            total += room;
        }
        total
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::moving::log::made_at as log;

    const SHAPE: Shape = Shape {
        algorithm: Algorithm::SlidingWindow { segments: 10 },
        limit: 2,
        span_us: 1000,
    };

    #[test]
    fn one_admission_too_many_is_noticed() {
        assert!(check(SHAPE, &log(&[10_010, 10_020], &[])).is_ok());
        assert!(check(SHAPE, &log(&[10_010, 10_020, 10_110], &[])).is_err());
        // Two weigh until 11,000 in full, then one less by 11,050.
        assert!(check(SHAPE, &log(&[10_010, 10_020, 11_040], &[])).is_err());
        assert!(check(SHAPE, &log(&[10_010, 10_020, 11_050], &[])).is_ok());
    }

    #[test]
    fn refusal_that_had_room_is_noticed() {
        assert!(check(SHAPE, &log(&[10_010, 10_020], &[10_030, 11_020])).is_ok());
        assert!(check(SHAPE, &log(&[10_010, 10_020], &[11_060])).is_err());
        assert!(check(SHAPE, &log(&[10_010], &[10_030])).is_err());
    }
}
