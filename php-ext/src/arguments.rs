//! What the limiters' methods take: keys, costs, units and times.

use crate::engine::call::Call;
use crate::engine::raise::{self, Php};
use crate::engine::value::Borrowed;
use crate::seconds::{Round, to_micros};
use std::time::Duration;

pub const MAX_KEY: usize = 65_536;
/// What limits, capacities and rates may be.
pub const UNITS: std::ops::RangeInclusive<i64> = 1..=u32::MAX as i64;
/// 366 days.
const MAX_MICROS: u64 = 366 * 86_400 * 1_000_000;

/// `(string $key, int $cost = 1, …)`.
#[inline(always)]
pub fn key_and_cost<'f>(call: &Call<'f>) -> Php<(&'f [u8], u64)> {
    let key = key(call)?;
    match u64::try_from(call.long_or(2, 1)?) {
        Ok(cost) => Ok((key, cost)),
        Err(_) => negative_cost(call),
    }
}

#[cold]
fn negative_cost<T>(call: &Call<'_>) -> Php<T> {
    let message = format!(
        "must be greater than or equal to 0, {} given",
        call.long_or(2, 1)?
    );
    Err(raise::argument_value(2, &message))
}

/// `(string $key, …)`.
#[inline(always)]
pub fn key<'f>(call: &Call<'f>) -> Php<&'f [u8]> {
    let key = call.text(1)?.bytes();
    if key.len() > MAX_KEY {
        return Err(long_key(1, key.len()));
    }
    Ok(key)
}

#[cold]
fn long_key(number: u32, length: usize) -> raise::Thrown {
    let message = format!("must be at most {MAX_KEY} bytes long, {length} given");
    raise::argument_value(number, &message)
}

/// A limit, capacity or rate.
pub fn units(call: &Call<'_>, number: u32) -> Php<u64> {
    in_units(call.long(number)?, number)
}

pub fn in_units(given: i64, number: u32) -> Php<u64> {
    between(given, UNITS, number)
}

pub fn between(given: i64, range: std::ops::RangeInclusive<i64>, number: u32) -> Php<u64> {
    if range.contains(&given) {
        return Ok(given as u64);
    }
    let (least, most) = (range.start(), range.end());
    let message = format!("must be between {least} and {most}, {given} given");
    Err(raise::argument_value(number, &message))
}

/// A window or period, rounded up to a microsecond.
pub fn period(seconds: f64, number: u32) -> Php<Duration> {
    match as_period(seconds) {
        Some(period) => Ok(period),
        None => {
            let given = php_float(seconds);
            let message =
                format!("must be between 0.000001 and 31622400 seconds (366 days), {given} given");
            Err(raise::argument_value(number, &message))
        }
    }
}

pub fn as_period(seconds: f64) -> Option<Duration> {
    to_micros(seconds, Round::Up)
        .filter(|us| (1..=MAX_MICROS).contains(us))
        .map(Duration::from_micros)
}

/// A time to wait, rounded down to a microsecond.
pub fn wait(seconds: f64, number: u32) -> Php<Duration> {
    match to_micros(seconds, Round::Down).filter(|us| *us <= MAX_MICROS) {
        Some(us) => Ok(Duration::from_micros(us)),
        None => {
            let given = php_float(seconds);
            let message =
                format!("must be between 0 and 31622400 seconds (366 days), {given} given");
            Err(raise::argument_value(number, &message))
        }
    }
}

/// A float as PHP prints it.
pub fn php_float(number: f64) -> String {
    match number {
        n if n.is_nan() => "NAN".into(),
        n if n.is_infinite() => if n > 0.0 { "INF" } else { "-INF" }.into(),
        n if n != 0.0 && !(1e-4..1e15).contains(&n.abs()) => {
            let text = format!("{n:E}");
            let (mantissa, exponent) = text.split_once('E').unwrap_or((&text, "0"));
            let point = if mantissa.contains('.') { "" } else { ".0" };
            let sign = if exponent.starts_with('-') { "" } else { "+" };
            format!("{mantissa}{point}E{sign}{exponent}")
        }
        n => n.to_string(),
    }
}

/// Two texts as one key, so that no other two make the same: the first begins with its length.
pub fn joined(first: Borrowed<'_>, second: Borrowed<'_>) -> Vec<u8> {
    let mut key = prefix(first.bytes());
    key.extend_from_slice(second.bytes());
    key
}

/// The first of two texts that become a key.
pub fn prefix(first: &[u8]) -> Vec<u8> {
    let mut key = Vec::with_capacity(size_of::<u64>() + first.len() + 32);
    key.extend_from_slice(&(first.len() as u64).to_le_bytes());
    key.extend_from_slice(first);
    key
}
