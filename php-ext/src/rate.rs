//! A rate that may be a fraction, as whole units per whole seconds.

/// Units, at most what a policy takes.
const MAX_UNITS: f64 = u32::MAX as f64;
/// Seconds: 366 days.
const MAX_SECONDS: f64 = 366.0 * 86_400.0;

/// The simplest `(units, seconds)` whose quotient is the float `per_second`: 0.5 is 1 per 2 s,
/// 2.5 is 5 per 2 s, 0.1 is 1 per 10 s.
///
/// Where units and seconds would pass 4,294,967,295 and 366 days first, the last approximation
/// that does not: off by less than one part in 10⁷. `None` if `per_second` is not a number from
/// 1 per 366 days to 4,294,967,295.
pub fn as_fraction(per_second: f64) -> Option<(u64, u64)> {
    if !(1.0 / MAX_SECONDS..=MAX_UNITS).contains(&per_second) {
        return None;
    }
    // Continued fractions: each step gives the best approximation with a denominator so small.
    let (mut before, mut last) = ((0.0, 1.0), (1.0, 0.0));
    let mut rest = per_second;
    loop {
        let whole = rest.floor();
        let next = (whole * last.0 + before.0, whole * last.1 + before.1);
        if next.0 > MAX_UNITS || next.1 > MAX_SECONDS {
            break;
        }
        (before, last) = (last, next);
        if last.0 / last.1 == per_second || rest == whole {
            break;
        }
        rest = 1.0 / (rest - whole);
    }
    Some((last.0 as u64, last.1 as u64)).filter(|(units, _)| *units > 0)
}
