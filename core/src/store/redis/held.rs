//! What a key holds on a server, and what a call makes of it: by the same functions that decide on
//! a local store.

use super::failure::{Failure, Kind};
use crate::algorithm::{
    Change, LeakyBucket, Op, Segment, SingleState, State, TokenBucket, Verdict,
};
use crate::policy::{Policy, Rule, SlidingWindow};

/// Bytes of a sliding window's value before its counts.
const COUNTS_AT: usize = 14;

/// A key's state.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Held {
    Single(Option<State>),
    Segments(Vec<Segment>),
}

impl Held {
    /// Reads a value; `None` is a key that is not there.
    pub(crate) fn read(policy: &Policy, value: Option<&[u8]>) -> Result<Held, Failure> {
        let Some(value) = value else {
            return Ok(match &policy.0 {
                Rule::SlidingWindow(_) => Held::Segments(Vec::new()),
                _ => Held::Single(None),
            });
        };
        let read = match &policy.0 {
            Rule::TokenBucket(_) | Rule::LeakyBucket(_) => instant(value).map(single),
            Rule::FixedWindow(_) => window(value).map(single),
            Rule::SlidingWindow(w) => segments(w, value).map(Held::Segments),
            Rule::Unlimited => None,
        };
        read.ok_or_else(|| Failure::new(Kind::Foreign, "the key holds something else"))
    }

    /// Does what the script did, or would do, at `now`.
    pub(crate) fn apply(&mut self, policy: &Policy, op: Op, now: u64, cost: u64) -> Verdict {
        match (&policy.0, self) {
            (Rule::TokenBucket(b), Held::Single(s)) => {
                apply_single(TokenBucket(b), s, op, now, cost)
            }
            (Rule::LeakyBucket(b), Held::Single(s)) => {
                apply_single(LeakyBucket(b), s, op, now, cost)
            }
            (Rule::FixedWindow(w), Held::Single(s)) => apply_single(*w, s, op, now, cost),
            (Rule::SlidingWindow(w), Held::Segments(s)) => apply_sliding(w, s, op, now, cost),
            // `read` gives each policy its own.
            _ => crate::limiter::UNLIMITED,
        }
    }
}

fn single(state: State) -> Held {
    Held::Single(Some(state))
}

fn apply_single(
    algorithm: impl SingleState,
    held: &mut Option<State>,
    op: Op,
    now: u64,
    cost: u64,
) -> Verdict {
    let (change, verdict) = algorithm.apply(op, *held, now, cost);
    match change {
        Change::Keep => {}
        Change::Clear => *held = None,
        Change::Put(state) => *held = Some(state),
    }
    verdict
}

fn apply_sliding(
    w: &SlidingWindow,
    held: &mut Vec<Segment>,
    op: Op,
    now: u64,
    cost: u64,
) -> Verdict {
    let at = w.standing(held, now);
    held.retain(|s| s.until > at);
    let fits = w.fits(w.weigh(held, at), cost);
    match op {
        Op::Refund => {
            give_back(held, cost);
            return w.verdict(true, held, now, cost);
        }
        Op::Consume if fits && cost > 0 => charge(held, w.number(at) * w.segment_us, cost as u32),
        _ => {}
    }
    w.verdict(cost == 0 || fits, held, now, cost)
}

fn charge(held: &mut Vec<Segment>, until: u64, cost: u32) {
    match held.iter_mut().find(|s| s.until == until) {
        Some(segment) => segment.count += cost,
        None => held.push(Segment { until, count: cost }),
    }
}

/// From the newest first.
fn give_back(held: &mut [Segment], mut cost: u64) {
    held.sort_by_key(|s| std::cmp::Reverse(s.until));
    for segment in held {
        let back = cost.min(segment.count.into());
        segment.count -= back as u32;
        cost -= back;
    }
}

/// `U`, or `U-P`: an instant of U − P · 2⁻³² µs.
fn instant(value: &[u8]) -> Option<State> {
    let text = str::from_utf8(value).ok()?;
    let (until, amount) = text.split_once('-').unwrap_or((text, "0"));
    Some(State {
        until: until.parse().ok()?,
        amount: amount.parse().ok()?,
    })
}

/// `END COUNT`.
fn window(value: &[u8]) -> Option<State> {
    let (until, amount) = str::from_utf8(value).ok()?.split_once(' ')?;
    Some(State {
        until: until.parse().ok()?,
        amount: amount.parse().ok()?,
    })
}

/// Two letters, the number of the newest segment, what weighs in full, and counts, newest first.
fn segments(w: &SlidingWindow, value: &[u8]) -> Option<Vec<Segment>> {
    let (head, counts) = value.split_at_checked(COUNTS_AT)?;
    let newest = head.strip_prefix(b"sw")?.first_chunk::<6>()?;
    let newest = newest.iter().fold(0, |n, byte| n << 8 | u64::from(*byte));
    let (counts, rest) = counts.as_chunks::<4>();
    let most = w.segments as usize + 1;
    if !rest.is_empty() || counts.len() > most {
        return None;
    }
    let end = (newest + most as u64) * w.segment_us;
    let all = counts.iter().enumerate().map(|(i, count)| Segment {
        until: end.saturating_sub(i as u64 * w.segment_us),
        count: u32::from_be_bytes(*count),
    });
    Some(all.filter(|s| s.count > 0).collect())
}
