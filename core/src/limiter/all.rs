//! Several limiters at once: all or nothing.

use super::apply::{Ask, Trace, UNLIMITED};
use super::{Limiter, MAX_COST, check};
use crate::algorithm::{Op, Verdict};
use crate::clock::Reading;
use crate::decision::Decision;
use crate::error::{ArgumentError, Error};
use crate::store::{KeyHash, Local, Store};

/// How often to start over when others take what was there a moment ago.
const TRIES: u32 = 100;

/// One of the charges of [`Limiter::consume_all`].
#[derive(Debug, Clone, Copy)]
pub struct Charge<'l, 'k> {
    /// Who decides.
    pub limiter: &'l Limiter,
    /// On what key.
    pub key: &'k [u8],
    /// How many units.
    pub cost: u64,
}

/// A charge, or several on the same state added up.
struct Item<'a> {
    limiter: &'a Limiter,
    hash: KeyHash,
    cost: u64,
}

impl Item<'_> {
    fn ask<'s>(&self, local: &'s Local) -> Ask<'s> {
        Ask {
            local,
            hash: self.hash,
            cost: self.cost,
        }
    }
}

impl Limiter {
    /// Makes all charges, or none of them.
    ///
    /// If they are allowed, the decision is that of the limiter with the least remaining, with
    /// the longest `wait` of all. If not, it is that of the limiter with the longest
    /// `retry_after`, the first of several. A pair of limiter and key that comes twice adds up.
    /// While charges are made that are then taken back, since another does not fit any more,
    /// other calls may be refused. Of a key that is reset or refunded in that moment they stay.
    ///
    /// # Errors
    /// [`Error::Argument`] if there is no charge, if the limiters are on different stores, or if
    /// a key is too long or a cost too large.
    pub fn consume_all<'l>(charges: &[Charge<'l, '_>]) -> Result<Decision<'l>, Error> {
        let Some(first) = charges.first() else {
            return Err(ArgumentError::new("charges", "an empty list", "at least one").into());
        };
        let mut store: Option<&'l Store> = None;
        let mut items: Vec<Item<'l>> = Vec::with_capacity(charges.len());
        for charge in charges {
            check(charge.key, charge.cost)?;
            let Some((place, hasher)) = &charge.limiter.place else {
                continue;
            };
            if store.is_some_and(|s| !s.is(place)) {
                let accepted = "on limiters of one store";
                return Err(ArgumentError::new("charges", "several stores", accepted).into());
            }
            store = Some(place);
            add(
                &mut items,
                charge.limiter,
                hasher.hash(&place.local.seed, charge.key),
                charge.cost,
            );
        }
        let (limiter, verdict) = match store {
            Some(store) => decide(store, &items),
            None => (first.limiter, UNLIMITED),
        };
        limiter.count(verdict.allowed);
        Ok(limiter.decision(verdict))
    }
}

fn add<'a>(items: &mut Vec<Item<'a>>, limiter: &'a Limiter, hash: KeyHash, cost: u64) {
    let same = |i: &&mut Item<'a>| i.hash == hash && i.limiter.policy == limiter.policy;
    match items.iter_mut().find(same) {
        Some(item) => item.cost = item.cost.saturating_add(cost).min(MAX_COST),
        None => items.push(Item {
            limiter,
            hash,
            cost,
        }),
    }
}

/// Asks all first, so that a refusal leaves no trace; only a race is taken back.
fn decide<'a>(store: &Store, items: &[Item<'a>]) -> (&'a Limiter, Verdict) {
    let local = &store.local;
    let mut last = None;
    for _ in 0..TRIES {
        let mut reading = Reading::exact(&local.source);
        local.table.turn(reading.now());
        let asked = items.iter().map(|i| {
            // All that is to be charged on the same state, be it by another policy.
            let costs = items.iter().filter(|o| o.hash == i.hash).map(|o| o.cost);
            let ask = Ask {
                cost: costs.fold(0, u64::saturating_add).min(MAX_COST),
                ..i.ask(local)
            };
            let peek = i.limiter.apply_hashed(Op::Peek, ask, &mut reading);
            (i.limiter, peek.verdict)
        });
        let refused = asked.filter(|(_, v)| !v.allowed);
        // The first of the longest: `max_by_key` would take the last.
        let longest = refused.reduce(|a, b| {
            if b.1.retry_after > a.1.retry_after {
                b
            } else {
                a
            }
        });
        if let Some(answer) = longest {
            return answer;
        }
        match charge(store, items, &mut reading) {
            Ok(answer) => return answer,
            Err(refused) => last = Some(refused),
        }
    }
    last.unwrap_or((items[0].limiter, UNLIMITED))
}

/// Charges one after the other; takes all back if one does not fit any more.
fn charge<'a>(
    store: &Store,
    items: &[Item<'a>],
    reading: &mut Reading<'_>,
) -> Result<(&'a Limiter, Verdict), (&'a Limiter, Verdict)> {
    let local = &store.local;
    let mut made: Vec<(Trace, u32)> = Vec::with_capacity(items.len());
    let mut answer: Option<(&'a Limiter, Verdict)> = None;
    let mut wait = 0;
    for item in items {
        let lowered = item.ask(local).lowered();
        let applied = item
            .limiter
            .apply_hashed(Op::Consume, item.ask(local), reading);
        if !applied.verdict.allowed {
            for (done, (trace, lowered)) in items.iter().zip(made).rev() {
                let ask = done.ask(local);
                done.limiter.take_back(ask, reading, trace, lowered);
            }
            return Err((item.limiter, applied.verdict));
        }
        made.push((applied.trace, lowered));
        wait = wait.max(applied.verdict.wait);
        if answer.is_none_or(|(_, least)| applied.verdict.remaining < least.remaining) {
            answer = Some((item.limiter, applied.verdict));
        }
    }
    let (limiter, verdict) = answer.unwrap_or((items[0].limiter, UNLIMITED));
    Ok((limiter, Verdict { wait, ..verdict }))
}
