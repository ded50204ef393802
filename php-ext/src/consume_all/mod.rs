//! `Limiter::consumeAll()`: a list of `[Limiter, key, cost = 1]`, all or nothing.
//!
//! Entries count in the array's order, whatever its keys; inside an entry 0, 1 and 2 are what
//! counts. Keys and costs are coerced as arguments are, but for null, which is neither.

mod entry;

use crate::clock::Clock;
use crate::decision;
use crate::engine::call::Call;
use crate::engine::raise::{self, Php};
use crate::failure::Failure;
use crate::gate::{Gate, Mode};
use crate::limiter::Limiter;
use crate::moment::Moment;
use entry::{Entry, collect};
use ext_php_rs::types::Zval;
use ratelimit_core::{Charge, Decision};
use std::mem::ManuallyDrop;

pub fn consume_all(call: &Call<'_>, result: &mut Zval) -> Php<()> {
    let charges = call.array(1)?;
    // Coercion and clocks run PHP code, and a fatal error there jumps over this frame.
    let mut entries = ManuallyDrop::new(Vec::with_capacity(charges.len()));
    let outcome = collect(charges, &mut entries).and_then(|()| charge(&entries, result));
    drop(ManuallyDrop::into_inner(entries));
    outcome
}

fn charge(entries: &[Entry], result: &mut Zval) -> Php<()> {
    let limiters: Vec<&Limiter> = entries.iter().filter_map(Entry::limiter).collect();
    // Nothing but references is in there, and a fatal error in the clock loses only its memory.
    let limiters = ManuallyDrop::new(limiters);
    let outcome = decide(entries, &limiters, result);
    drop(ManuallyDrop::into_inner(limiters));
    outcome
}

fn decide(entries: &[Entry], limiters: &[&Limiter], result: &mut Zval) -> Php<()> {
    if limiters.is_empty() {
        return Err(raise::argument_value(1, "must not be empty"));
    }
    let mut counted = limiters.iter().filter(|l| l.gate.policy().span().is_some());
    let first = counted.next().unwrap_or(&limiters[0]);
    if counted.clone().any(|other| !on_one_store(first, other)) {
        return Err(raise::argument_value(1, "must be limiters on one store"));
    }
    let made = first.now()?;
    if let Moment::Clock(micros) = made {
        for clock in counted.filter_map(|l| l.clock()) {
            clock.manual().set(micros);
        }
    }
    let decision = together(entries, limiters).map_err(|e| e.raise(&["charges"]))?;
    let decider = decider(limiters, &decision);
    decision::give(result, &decider.gate.marked(decision), decider, made);
    Ok(())
}

/// As far as PHP's side goes: the same clock, and both on the store asked for or neither. The
/// rest the core knows.
fn on_one_store(one: &Limiter, other: &Limiter) -> bool {
    let live = |limiter: &Limiter| limiter.gate.mode == Mode::Live;
    let clock = |limiter: &Limiter| limiter.clock().map(Clock::object);
    live(one) == live(other) && clock(one) == clock(other)
}

/// The strictest answer to a missing segment holds for all.
fn together<'a>(entries: &'a [Entry], limiters: &[&'a Limiter]) -> Result<Decision<'a>, Failure> {
    let mode = limiters
        .iter()
        .map(|l| l.gate.mode)
        .max_by_key(|mode| match mode {
            Mode::Live => 0,
            Mode::Off => 1,
            Mode::Allow => 2,
            Mode::Fallback => 3,
            Mode::Deny => 4,
            Mode::Fail => 5,
        });
    let mode = mode.unwrap_or(Mode::Live);
    if matches!(mode, Mode::Live | Mode::Fallback) {
        let charges: Vec<Charge<'_, '_>> = entries
            .iter()
            .zip(limiters)
            .map(|(entry, limiter)| Charge {
                limiter: &limiter.gate.core,
                key: entry.key.borrow().bytes(),
                cost: entry.cost,
            })
            .collect();
        return Ok(ratelimit_core::Limiter::consume_all(&charges)?);
    }
    uncounted(entries, limiters, mode)
}

/// The decision when nobody counts: a refusal that never ends before one that does, and among
/// those that are allowed the least that remains.
fn uncounted<'a>(
    entries: &[Entry],
    limiters: &[&'a Limiter],
    mode: Mode,
) -> Result<Decision<'a>, Failure> {
    let answer = |(entry, limiter): (&Entry, &&'a Limiter)| {
        let gate: &'a Gate = &limiter.gate;
        let mode = if gate.policy().span().is_some() {
            mode
        } else {
            Mode::Off
        };
        gate.answer(mode, entry.cost)
    };
    let answers: Vec<Decision<'a>> = entries
        .iter()
        .zip(limiters)
        .map(answer)
        .collect::<Result<_, _>>()?;
    let rank = |d: &Decision<'_>| match (d.allowed, d.retry_after) {
        (false, None) => (0, 0),
        (false, Some(_)) => (1, 0),
        (true, _) => (2, d.remaining),
    };
    answers
        .into_iter()
        .min_by_key(rank)
        .ok_or(Failure::NoSegment)
}

/// Whose decision it is. Names may be the same; the core answers with one's own.
fn decider<'a>(limiters: &[&'a Limiter], decision: &Decision<'_>) -> &'a Limiter {
    let same = |l: &&&'a Limiter| std::ptr::eq(l.gate.core.name(), decision.limiter);
    let alike = |l: &&&'a Limiter| {
        l.gate.core.name() == decision.limiter && l.gate.policy().limit() == decision.limit
    };
    limiters
        .iter()
        .find(same)
        .or_else(|| limiters.iter().find(alike))
        .unwrap_or(&limiters[0])
}
