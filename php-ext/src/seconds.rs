//! Seconds, as PHP's floats have them, to and from whole microseconds.

const MICROS: f64 = 1e6;

/// A float `s` such that `(int)($s * 1e6)` is `us`, for any `us` up to 2⁵¹ (71 years).
///
/// The quotient `us / 1e6` is off by up to 2⁻⁵³ of itself, and times 1e6 that may be half a
/// step of the floats at `us` or more, so the product may round to the float below `us`, which
/// `(int)` cuts to `us - 1`. The next float up is never below the true quotient, so its product
/// is not below `us`; it is above it by less than 2⁻⁵¹ · `us`, under one microsecond.
#[inline]
pub fn from_micros(us: u64) -> f64 {
    // Of a signed number, this is one instruction.
    let us = us as i64 as f64;
    if us == 0.0 {
        return us;
    }
    let seconds = us / MICROS;
    if seconds * MICROS < us {
        seconds.next_up()
    } else {
        seconds
    }
}

/// Which way a time that is no whole number of microseconds goes.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Round {
    Up,
    Down,
}

/// Whole microseconds of `seconds`; `None` for NAN, INF and negative numbers.
///
/// A float that is the nearest to a whole number of microseconds, or that `from_micros` made of
/// it, is that number: 0.1 is 100,000 µs, though it is a little more. Times that do not fit are
/// the largest that does.
pub fn to_micros(seconds: f64, round: Round) -> Option<u64> {
    if !seconds.is_finite() || seconds < 0.0 {
        return None;
    }
    let (below, exact) = times_million(seconds);
    let above = below.saturating_add(1);
    let means = |us: u64| us as f64 / MICROS == seconds || from_micros(us) == seconds;
    Some(match round {
        _ if exact || means(below) => below,
        _ if means(above) => above,
        Round::Up => above,
        Round::Down => below,
    })
}

/// `seconds` times a million without rounding: the whole part, and whether that is all.
fn times_million(seconds: f64) -> (u64, bool) {
    let bits = seconds.abs().to_bits(); // without the sign of -0.0
    let exponent = (bits >> 52) as i32;
    let fraction = bits & ((1 << 52) - 1);
    let (mantissa, power) = match exponent {
        0 => (fraction, -1074),
        _ => (fraction | 1 << 52, exponent - 1075),
    };
    let product = u128::from(mantissa) * 1_000_000; // below 2^73
    if power >= 0 {
        let fits = power < 54 && product << power <= u128::from(u64::MAX);
        return (
            if fits {
                (product << power) as u64
            } else {
                u64::MAX
            },
            true,
        );
    }
    let cut = power.unsigned_abs();
    if cut > 73 {
        return (0, product == 0);
    }
    let whole = product >> cut;
    (
        u64::try_from(whole).unwrap_or(u64::MAX),
        whole << cut == product,
    )
}
