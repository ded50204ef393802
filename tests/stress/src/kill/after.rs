//! What is left on the segment when a pool is done.

use super::load::{Load, MOST_RESERVED_US, is_refunded, key};
use super::pools::Seen;
use crate::clock::now_us;
use crate::losses::Loss;
use crate::place::Place;
use crate::report::{Failure, ensure};
use crate::shape::{Algorithm, Shape};
use ratelimit_core::{Decision, Limiter, Store};
use std::time::Duration;

/// How old a reading of the clock may be that a long bucket admits on.
const LENIENT_US: u64 = 20_000;
const DAY_US: u64 = 86_400_000_000;
/// How full the table is made again, in percent.
const REFILLED: u64 = 60;

/// Nothing was admitted beyond what is there or was given up, and to keys that nothing was given
/// back to not more than their limit.
pub fn nothing_over_admitted(place: &Place, load: &Load, seen: &Seen) -> Result<String, Failure> {
    let (mut admitted, mut refunded, mut lost_cells, mut full) = (0, 0, 0, 0);
    for (nth, limiter) in long(load, &place.store)?.iter().enumerate() {
        for number in 0..load.long_keys() {
            let units = seen
                .books
                .units
                .get(&(nth, number))
                .copied()
                .unwrap_or_default();
            let tag = limiter.tag(key(number));
            let lost = seen.books.losses.get(&tag).copied().unwrap_or_default();
            let state = peek(limiter, number)?;
            let shape = load.long[nth];
            let kept = units.admitted.saturating_sub(units.refunded);
            let there = most_there(shape, &state, lost, now_us() - load.start_us);
            let most = shape.limit + lost_units(shape, lost);
            ensure(
                kept <= there && (is_refunded(number) || units.admitted <= most),
                || {
                    format!(
                        "key {number} of {}: {units:?} where {there} are there, {lost:?}",
                        shape.algorithm
                    )
                },
            )?;
            admitted += units.admitted;
            refunded += units.refunded;
            lost_cells += lost.cells;
            full += u32::from(state.remaining == 0);
        }
    }
    let given_up = place.store.stats().given_up;
    ensure(full > 0, || "no key reached its limit".to_owned())?;
    Ok(format!(
        "{admitted} units told, {refunded} offered back, {lost_cells} of {given_up} cells given up were theirs; {full} keys full"
    ))
}

/// How many units may be there, or have been given up. See the accounts of the small table: a
/// bucket's instant is never before the start plus its charges.
fn most_there(shape: Shape, state: &Decision<'_>, lost: Loss, elapsed_us: u64) -> u64 {
    if !shape.algorithm.is_bucket() {
        return state.limit - state.remaining + lost.units;
    }
    let ahead = state.reset_after.as_micros() + (lost.ticks >> 32) + 1;
    let most = ahead + u128::from(elapsed_us + LENIENT_US);
    (most / u128::from(shape.unit_us())) as u64
}

fn lost_units(shape: Shape, lost: Loss) -> u64 {
    match shape.algorithm.is_bucket() {
        true => (lost.ticks >> 32).div_ceil(shape.unit_us().into()) as u64 + 1,
        false => lost.units,
    }
}

/// When the short-lived keys have ended, the live cells are those of the long-lived keys.
pub fn no_cell_lost(place: &Place, load: &Load) -> Result<String, Failure> {
    let longest = load.short.iter().map(|s| s.span_us + s.segment_us()).max();
    let gone = load.end_us + longest.unwrap_or(0) + MOST_RESERVED_US;
    let wait = gone.saturating_sub(now_us());
    std::thread::sleep(Duration::from_micros(wait + 50_000));
    let mut known = 0;
    for limiter in long(load, &place.store)? {
        for number in 0..load.long_keys() {
            known += u64::from(!peek(&limiter, number)?.reset_after.is_zero());
        }
    }
    let live = place.store.stats().live;
    // A sliding window has a cell for each segment; no test lasts for more than two of them.
    let boundary = load.long.iter().any(|shape| {
        let segment = |us: u64| us / shape.segment_us();
        let slides = matches!(shape.algorithm, Algorithm::SlidingWindow { .. });
        slides && segment(load.start_us) != segment(load.end_us)
    });
    ensure(live == known || boundary && live > known, || {
        format!("{live} cells are live, {known} keys")
    })?;
    Ok(format!("{live} live, all known"))
}

/// The table can be filled again.
pub fn room_for_all(place: &Place) -> Result<String, Failure> {
    let before = place.store.stats();
    let fresh = (before.capacity * REFILLED / 100).saturating_sub(before.live);
    let day = Shape {
        algorithm: Algorithm::FixedWindow,
        limit: 1,
        span_us: DAY_US,
    };
    let limiter = day
        .limiter("fresh", &place.store)
        .map_err(|e| e.to_string())?;
    for number in 0..fresh {
        let allowed = limiter.allow(number.to_le_bytes(), 1);
        ensure(allowed == Ok(true), || {
            format!("fresh key {number}: {allowed:?}")
        })?;
    }
    let after = place.store.stats();
    let lost = after.given_up - before.given_up;
    ensure(lost * 1000 <= fresh, || {
        format!("{lost} given up of {fresh} fresh keys")
    })?;
    Ok(format!(
        "{fresh} fresh keys beside {} live ones in {} cells, {lost} given up",
        before.live, before.capacity
    ))
}

fn long(load: &Load, store: &Store) -> Result<Vec<Limiter>, Failure> {
    load.long_limiters(store).map_err(|e| e.to_string())
}

fn peek(limiter: &Limiter, number: u32) -> Result<Decision<'_>, Failure> {
    limiter.peek(key(number), 0).map_err(|e| e.to_string())
}
