//! The fixed window's log against its definition.
//!
//! Every decision says when its window ends, counted from its own reading of the clock, which
//! lies between the instants before and after the call. Ends of different windows are at least W
//! apart, so calls shorter than W/4 fall into clearly separate heaps. Longer calls are laid aside:
//! that can only make too much look like less; a refusal is only judged where they could not have
//! made up the difference.

use super::log::{Log, Seen};
use crate::report::{Failure, ensure};
use crate::shape::Shape;

/// The calls of one window: its end is within these bounds, ends included.
struct Heap {
    earliest_end: u64,
    latest_end: u64,
    admitted: Vec<Seen>,
}

/// Checks the log; returns what the definition would grant.
pub fn check(shape: Shape, log: &Log) -> Result<u64, Failure> {
    let short = |s: &&Seen| s.after - s.before < shape.span_us / 4;
    let laid_aside = log.admitted.iter().filter(|s| !short(s)).count() as u64;
    let heaps = heaps(shape, log.admitted.iter().filter(short).copied().collect())?;
    for heap in &heaps {
        not_too_much(shape, heap)?;
    }
    for pair in heaps.windows(2) {
        ensure(
            pair[1].latest_end >= pair[0].earliest_end + shape.span_us,
            || {
                format!(
                    "windows end at {} and {} µs",
                    pair[0].earliest_end, pair[1].latest_end
                )
            },
        )?;
    }
    for refused in log.refused.iter().filter(short) {
        not_too_little(shape, &heaps, laid_aside, *refused)?;
    }
    let first = log.admitted.iter().map(|s| s.before).min().unwrap_or(0);
    let last = log.admitted.iter().map(|s| s.after).max().unwrap_or(0);
    Ok((last - first).div_ceil(shape.span_us) * shape.limit)
}

fn heaps(shape: Shape, mut admitted: Vec<Seen>) -> Result<Vec<Heap>, Failure> {
    admitted.sort_unstable_by_key(|s| s.before + s.said);
    let mut heaps: Vec<Heap> = Vec::new();
    for seen in admitted {
        let (from, to) = (seen.before + seen.said, seen.after + seen.said);
        match heaps.last_mut() {
            Some(heap) if from < heap.earliest_end + shape.span_us / 2 => {
                heap.earliest_end = heap.earliest_end.max(from);
                heap.latest_end = heap.latest_end.min(to);
                heap.admitted.push(seen);
            }
            _ => heaps.push(Heap {
                earliest_end: from,
                latest_end: to,
                admitted: vec![seen],
            }),
        }
    }
    for heap in &heaps {
        ensure(heap.earliest_end <= heap.latest_end, || {
            format!("no end fits all calls around {} µs", heap.latest_end)
        })?;
    }
    Ok(heaps)
}

fn not_too_much(shape: Shape, heap: &Heap) -> Result<(), Failure> {
    let count = heap.admitted.len() as u64;
    ensure(count <= shape.limit, || {
        format!(
            "{count} of {} in the window until {} µs",
            shape.limit, heap.latest_end
        )
    })
}

fn not_too_little(
    shape: Shape,
    heaps: &[Heap],
    laid_aside: u64,
    refused: Seen,
) -> Result<(), Failure> {
    let (from, to) = (refused.before + refused.said, refused.after + refused.said);
    let nth = heaps.partition_point(|heap| heap.latest_end < from);
    let full = heaps.get(nth).filter(|heap| heap.earliest_end <= to);
    let count = full.map_or(0, |heap| {
        let begun = heap.admitted.iter().filter(|s| s.before <= refused.after);
        begun.count() as u64
    });
    ensure(count + laid_aside >= shape.limit, || {
        let at = refused.before;
        format!("at {at} µs a call was refused with {count} in its window")
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::shape::Algorithm;

    const SHAPE: Shape = Shape {
        algorithm: Algorithm::FixedWindow,
        limit: 2,
        span_us: 1000,
    };

    fn calls(at: &[(u64, u64)]) -> Vec<Seen> {
        let call = |&(before, end): &(u64, u64)| Seen {
            before,
            after: before + 2,
            said: end - before - 1,
        };
        at.iter().map(call).collect()
    }

    fn judge(admitted: &[(u64, u64)], refused: &[(u64, u64)]) -> bool {
        let log = Log {
            calls: 0,
            admitted: calls(admitted),
            refused: calls(refused),
        };
        check(SHAPE, &log).is_ok()
    }

    #[test]
    fn one_admission_too_many_is_noticed() {
        assert!(judge(&[(100, 1101), (200, 1101), (1200, 2201)], &[]));
        assert!(!judge(&[(100, 1101), (200, 1101), (300, 1101)], &[]));
        // A window that opens before the last has ended.
        assert!(!judge(&[(100, 1101), (200, 1101), (900, 1901)], &[]));
    }

    #[test]
    fn refusal_that_had_room_is_noticed() {
        assert!(judge(&[(100, 1101), (200, 1101)], &[(300, 1101)]));
        assert!(!judge(&[(100, 1101)], &[(300, 1101)]));
    }
}
