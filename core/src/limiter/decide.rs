//! From a limiter to its table: which algorithm, which cell, which reading of the clock.

use super::{Limiter, MAX_COST};
use crate::algorithm::{
    Change, Charged, LeakyBucket, Op, SingleState, State, TokenBucket, Verdict,
};
use crate::clock::Reading;
use crate::policy::{Rule, SlidingWindow};
use crate::store::{Again, KeyHash, Local, Near, Segments, Step, Tag, Unlisted};
use std::cell::Cell;

/// The verdict of a limiter without a limit.
pub(super) const UNLIMITED: Verdict = Verdict {
    allowed: true,
    remaining: MAX_COST,
    retry_after: 0,
    reset_after: 0,
    wait: 0,
};

impl Limiter {
    /// Charges `cost` if it fits.
    #[inline]
    pub(super) fn admit(&self, key: &[u8], cost: u64) -> bool {
        let Some((store, hasher)) = &self.place else {
            return true;
        };
        let local = &*store.local;
        let hash = hasher.hash(&local.seed, key);
        let allowed = cost == 0
            || match &self.policy.0 {
                Rule::TokenBucket(b) => self.admit_single(TokenBucket(b), local, hash, cost),
                Rule::LeakyBucket(b) => self.admit_single(LeakyBucket(b), local, hash, cost),
                Rule::FixedWindow(w) => self.admit_single(*w, local, hash, cost),
                Rule::SlidingWindow(w) => self.admit_sliding(w, local, hash, cost),
                Rule::Unlimited => true,
            };
        local.table.decided(allowed);
        allowed
    }

    #[inline(always)]
    fn admit_single(
        &self,
        algorithm: impl SingleState,
        local: &Local,
        hash: KeyHash,
        cost: u64,
    ) -> bool {
        self.charge_single(local, hash, |state, reading| {
            match algorithm.admit(state, reading.now(), cost) {
                Some(state) => Step::Done(Change::Put(state), true),
                None if !reading.is_good() => Step::Renew,
                None => Step::Done(Change::Keep, false),
            }
        })
    }

    /// Updates a key's only cell, which this thread may have come to the last time, too.
    ///
    /// Looks there first; else asks for the cell's line before it reads the clock, since an exact
    /// reading waits for every load under way.
    #[inline(always)]
    pub(super) fn charge_single<R>(
        &self,
        local: &Local,
        hash: KeyHash,
        step: impl FnMut(Option<State>, &Reading<'_>) -> Step<R>,
    ) -> R {
        thread_local! {
            /// Where this thread found the last key.
            static LAST: Cell<Near> = const { Cell::new(Near::NONE) };
        }
        let table = &local.table;
        let place = table.place(hash);
        let before = table.recall(&LAST.get(), hash);
        if before.is_none() {
            table.prefetch(&place);
        }
        let mut reading = self.reading(local);
        let mut near = before;
        let answer = table.update_near(&place, &mut near, &mut reading, step);
        if near != before {
            LAST.set(table.remember(hash, near));
        }
        answer
    }

    #[inline]
    fn admit_sliding(&self, w: &SlidingWindow, local: &Local, hash: KeyHash, cost: u64) -> bool {
        thread_local! {
            /// What this thread's last charge left.
            static LAST: Cell<Again> = const { Cell::new(Again::NONE) };
        }
        let mut reading = self.reading(local);
        let steady = local.source.is_steady();
        if steady
            && local
                .table
                .slide_again(&LAST.get(), hash, w, cost, reading.now())
        {
            return true;
        }
        let slide = local
            .table
            .slide(hash, w, cost, &mut reading, &mut Unlisted);
        if let Some(again) = slide.again {
            LAST.set(again);
        }
        slide.allowed
    }

    /// A reading to admit on.
    #[inline]
    pub(super) fn reading<'a>(&self, local: &'a Local) -> Reading<'a> {
        let reading = match self.lenient {
            true => Reading::lenient(&local.source),
            false => Reading::exact(&local.source),
        };
        local.table.turn(reading.now());
        reading
    }

    /// Any operation, with its verdict.
    pub(super) fn apply(&self, op: Op, key: &[u8], cost: u64) -> Verdict {
        self.apply_inline(op, key, cost)
    }

    /// The same where it has to be fast.
    #[inline(always)]
    pub(super) fn apply_inline(&self, op: Op, key: &[u8], cost: u64) -> Verdict {
        let Some((store, hasher)) = &self.place else {
            return UNLIMITED;
        };
        let local = &*store.local;
        let hash = hasher.hash(&local.seed, key);
        local.table.prefetch(&local.table.place(hash));
        let mut reading = Reading::lenient(&local.source);
        local.table.turn(reading.now());
        let ask = Ask { local, hash, cost };
        self.apply_hashed(op, ask, &mut reading).verdict
    }

    /// Any operation on a key whose hash is known, with what is needed to take it back.
    #[inline(always)]
    pub(super) fn apply_hashed(&self, op: Op, ask: Ask<'_>, reading: &mut Reading<'_>) -> Applied {
        match &self.policy.0 {
            Rule::TokenBucket(b) => apply_single(TokenBucket(b), op, ask, reading),
            Rule::LeakyBucket(b) => apply_single(LeakyBucket(b), op, ask, reading),
            Rule::FixedWindow(w) => apply_single(*w, op, ask, reading),
            Rule::SlidingWindow(w) => {
                // One by one they go in registers; as one value they would go through memory.
                let Ask { local, hash, cost } = ask;
                apply_sliding(w, op, local, hash, reading, cost)
            }
            Rule::Unlimited => Applied {
                verdict: UNLIMITED,
                trace: Trace::None,
            },
        }
    }

    /// Undoes a charge that `apply_hashed` made a moment ago.
    ///
    /// `lowered` is [`Ask::lowered`] from before the charge.
    pub(super) fn take_back(
        &self,
        ask: Ask<'_>,
        reading: &mut Reading<'_>,
        trace: Trace,
        lowered: u32,
    ) {
        match (&self.policy.0, trace) {
            (Rule::TokenBucket(b), Trace::State(charged)) => {
                take_back_single(TokenBucket(b), ask, reading, charged, lowered)
            }
            (Rule::LeakyBucket(b), Trace::State(charged)) => {
                take_back_single(LeakyBucket(b), ask, reading, charged, lowered)
            }
            (Rule::FixedWindow(w), Trace::State(charged)) => {
                take_back_single(*w, ask, reading, charged, lowered)
            }
            (Rule::SlidingWindow(w), Trace::Segment(until)) => {
                let Ask { local, hash, cost } = ask;
                local.table.take_back_segment(hash, w, until, cost, lowered)
            }
            _ => {}
        }
    }

    pub(super) fn forget(&self, key: &[u8]) {
        let Some((store, hasher)) = &self.place else {
            return;
        };
        let table = &store.local.table;
        match &self.policy.0 {
            Rule::SlidingWindow(w) => {
                let now = Reading::exact(&store.local.source).now();
                table.turn(now);
                table.remove_segments(hasher.hash(&store.local.seed, key), w, now);
            }
            _ => table.remove(hasher.hash(&store.local.seed, key)),
        }
    }

    #[cfg(feature = "test-hooks")]
    pub(crate) fn tag_of(&self, key: &[u8]) -> u64 {
        let hash = self
            .place
            .as_ref()
            .map(|(store, hasher)| hasher.hash(&store.local.seed, key));
        hash.map_or(0, |h| h.cell_tag())
    }

    #[inline]
    pub(super) fn count(&self, allowed: bool) {
        if let Some((store, _)) = &self.place {
            store.local.table.decided(allowed);
        }
    }
}

/// What is asked of a table: so many units for a key.
#[derive(Clone, Copy)]
pub(super) struct Ask<'a> {
    pub local: &'a Local,
    pub hash: KeyHash,
    pub cost: u64,
}

impl Ask<'_> {
    /// Moves when a charge of the key may have been lowered.
    pub(super) fn lowered(self) -> u32 {
        self.local.table.lowered(Tag::from_hash(self.hash.tag))
    }

    fn lower_soon(self) {
        self.local.table.lower_soon(Tag::from_hash(self.hash.tag));
    }
}

/// A verdict, and what its charge left.
pub(super) struct Applied {
    pub verdict: Verdict,
    pub trace: Trace,
}

/// What to undo when a charge is taken back.
#[derive(Clone, Copy)]
pub(super) enum Trace {
    /// Nothing was charged.
    None,
    /// What the key's only cell was set to.
    State(Charged),
    /// When the segment that was charged stops weighing.
    Segment(u64),
}

#[inline(always)]
fn apply_single(
    algorithm: impl SingleState,
    op: Op,
    ask: Ask<'_>,
    reading: &mut Reading<'_>,
) -> Applied {
    let Ask { local, hash, cost } = ask;
    local
        .table
        .update(&local.table.place(hash), reading, |state, reading| {
            if !reading.is_good() {
                return Step::Renew;
            }
            let (change, verdict) = algorithm.apply(op, state, reading.now(), cost);
            if op == Op::Refund && change != Change::Keep {
                ask.lower_soon();
            }
            let trace = match change {
                Change::Keep | Change::Clear => Trace::None,
                Change::Put(after) => Trace::State(Charged {
                    state: after,
                    opened: state.is_none(),
                }),
            };
            Step::Done(change, Applied { verdict, trace })
        })
}

fn take_back_single(
    algorithm: impl SingleState,
    ask: Ask<'_>,
    reading: &mut Reading<'_>,
    charged: Charged,
    lowered: u32,
) {
    let Ask { local, hash, cost } = ask;
    let step = |state, now| algorithm.take_back(state, now, cost, charged);
    local.table.take_back(hash, lowered, reading, step);
}

#[inline(never)]
fn apply_sliding(
    w: &SlidingWindow,
    op: Op,
    local: &Local,
    hash: KeyHash,
    reading: &mut Reading<'_>,
    cost: u64,
) -> Applied {
    let table = &local.table;
    reading.renew();
    if op == Op::Consume && cost > 0 {
        let mut segments = Segments::new();
        let slide = table.slide(hash, w, cost, reading, &mut segments);
        let trace = match slide.allowed {
            true => Trace::Segment(slide.charged),
            false => Trace::None,
        };
        return Applied {
            verdict: w.verdict(slide.allowed, &segments, slide.now, cost),
            trace,
        };
    }
    if op == Op::Refund {
        table.refund_segments(hash, w, cost, reading.now());
    }
    let segments = table.segments(hash, w, reading);
    let now = reading.now();
    let at = w.standing(&segments, now);
    let allowed = cost == 0 || op == Op::Refund || w.fits(w.weigh(&segments, at), cost);
    Applied {
        verdict: w.verdict(allowed, &segments, now, cost),
        trace: Trace::None,
    }
}
