//! `allow`: whether a call may go on, and nothing else.

use super::Limiter;
use super::charge::Known;
use crate::algorithm::{LeakyBucket, SingleState, TokenBucket};
use crate::clock::Reading;
use crate::policy::{Rule, SlidingWindow};
use crate::store::{Again, KeyHash, Local, Step, Unlisted};
use std::cell::Cell;

impl Limiter {
    /// Charges `cost` if it fits.
    #[inline]
    pub(super) fn admit(&self, key: &[u8], cost: u64) -> bool {
        if let Rule::SlidingWindow(w) = &self.policy.0 {
            return self.admit_sliding(w, key, cost);
        }
        match self.charge_at_once(key, cost) {
            Ok(_) => true,
            Err(Known::Full) => self.refuse(key, cost),
            Err(known) => self.admit_with_care(key, cost, known),
        }
    }

    #[inline(never)] // as is all that does not admit at once
    fn refuse(&self, key: &[u8], cost: u64) -> bool {
        !self.refuse_at_once(key, cost) && self.admit_with_care(key, cost, Known::Full)
    }

    #[inline(never)]
    fn admit_with_care(&self, key: &[u8], cost: u64, known: Known) -> bool {
        if cost == 0 {
            self.count(true);
            return true;
        }
        match &self.policy.0 {
            Rule::TokenBucket(b) => self.admit_single(TokenBucket(b), key, cost, known),
            Rule::LeakyBucket(b) => self.admit_single(LeakyBucket(b), key, cost, known),
            Rule::FixedWindow(w) => self.admit_single(*w, key, cost, known),
            // The former has been dealt with.
            Rule::SlidingWindow(_) | Rule::Unlimited => true,
        }
    }

    #[inline(never)] // so that what calls it needs no frame
    fn admit_single(
        &self,
        algorithm: impl SingleState,
        key: &[u8],
        cost: u64,
        known: Known,
    ) -> bool {
        let answer = self.charge_with_care(key, known, |state, reading| {
            Step::admit(algorithm, state, reading, cost)
        });
        answer.unwrap_or(true)
    }

    #[inline(never)]
    fn admit_sliding(&self, w: &SlidingWindow, key: &[u8], cost: u64) -> bool {
        let Some((store, hasher)) = &self.place else {
            return true;
        };
        let local = &*store.local;
        if cost == 0 {
            self.count(true);
            return true;
        }
        let hash = hasher.hash(&local.seed, key);
        let reading = self.reading(local);
        let (steady, now) = (local.source.is_steady(), reading.now());
        if steady
            && local
                .table
                .slide_again(&LAST_SLIDE.get(), hash, w, cost, now)
        {
            local.table.decided(true);
            return true;
        }
        slide(local, w, hash, cost, reading)
    }
}

thread_local! {
    /// What this thread's last charge of a sliding window left.
    static LAST_SLIDE: Cell<Again> = const { Cell::new(Again::NONE) };
}

#[inline(never)] // so that what calls it needs a small frame
fn slide(
    local: &Local,
    w: &SlidingWindow,
    hash: KeyHash,
    cost: u64,
    mut reading: Reading<'_>,
) -> bool {
    let slide = local
        .table
        .slide(hash, w, cost, &mut reading, &mut Unlisted);
    if let Some(again) = slide.again {
        LAST_SLIDE.set(again);
    }
    local.table.decided(slide.allowed);
    slide.allowed
}
