//! From a limiter to its table: which algorithm, which cell, which reading of the clock.

use super::{Limiter, MAX_COST};
use crate::algorithm::{
    Change, Charged, LeakyBucket, Op, SingleState, State, TokenBucket, Verdict,
};
use crate::clock::Reading;
use crate::hash::KeyHasher;
use crate::policy::{Rule, SlidingWindow};
use crate::store::{Again, KeyHash, Local, Segments, Step, Tag, Unlisted};
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
        let key = Key {
            local: &store.local,
            hasher: *hasher,
            key,
        };
        if cost == 0 {
            store.local.table.decided(true);
            return true;
        }
        match &self.policy.0 {
            Rule::TokenBucket(b) => self.admit_single(TokenBucket(b), key, cost),
            Rule::LeakyBucket(b) => self.admit_single(LeakyBucket(b), key, cost),
            Rule::FixedWindow(w) => self.admit_single(*w, key, cost),
            Rule::SlidingWindow(w) => {
                let allowed = self.admit_sliding(w, key, cost);
                store.local.table.decided(allowed);
                allowed
            }
            Rule::Unlimited => true,
        }
    }

    #[inline(always)]
    fn admit_single(&self, algorithm: impl SingleState, key: Key<'_>, cost: u64) -> bool {
        self.charge_single(key, |state, reading| {
            match algorithm.admit(state, reading.now(), cost) {
                Some(state) => Step::Done(Change::Put(state), true),
                None if reading.is_good() => Step::Done(Change::Keep, false),
                None => match algorithm.admit(state, reading.latest(), cost) {
                    Some(_) => Step::Renew,
                    None if reading.is_late() => Step::Done(Change::Keep, false),
                    None => Step::Repeat,
                },
            }
        })
    }

    /// Updates a key's only cell, which this thread may have come to the last time, too; counts
    /// the decision.
    #[inline(always)]
    pub(super) fn charge_single<R: Answer>(
        &self,
        key: Key<'_>,
        mut step: impl FnMut(Option<State>, &Reading<'_>) -> Step<R>,
    ) -> R {
        let table = &key.local.table;
        if let Some(near) = table.recall(key.hasher.tweak, key.key) {
            let mut reading = self.reading(key.local);
            if let Some(answer) = table.update_at(near.at, near.tag, &mut reading, &mut step) {
                table.decided_in(near.shard, answer.is_allowed());
                return answer;
            }
        }
        self.charge_anywhere(key, step)
    }

    /// Asks for the cell's line before it reads the clock, since an exact reading waits for every
    /// load under way.
    #[inline(never)]
    fn charge_anywhere<R: Answer>(
        &self,
        key: Key<'_>,
        step: impl FnMut(Option<State>, &Reading<'_>) -> Step<R>,
    ) -> R {
        let table = &key.local.table;
        let hash = key.hash();
        let place = table.place(hash);
        table.prefetch(&place);
        let mut reading = self.reading(key.local);
        let (answer, at) = table.update_found(&place, &mut reading, step);
        if let Some(at) = at {
            table.remember(key.hasher.tweak, key.key, hash, at);
        }
        table.decided(answer.is_allowed());
        answer
    }

    #[inline(never)]
    fn admit_sliding(&self, w: &SlidingWindow, key: Key<'_>, cost: u64) -> bool {
        thread_local! {
            /// What this thread's last charge left.
            static LAST: Cell<Again> = const { Cell::new(Again::NONE) };
        }
        let (local, hash) = (key.local, key.hash());
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

/// What comes of a call.
pub(super) trait Answer {
    fn is_allowed(&self) -> bool;
}

impl Answer for bool {
    #[inline(always)]
    fn is_allowed(&self) -> bool {
        *self
    }
}

/// A limiter's key in a table.
#[derive(Clone, Copy)]
pub(super) struct Key<'a> {
    pub local: &'a Local,
    pub hasher: KeyHasher,
    pub key: &'a [u8],
}

impl Key<'_> {
    #[inline(always)]
    fn hash(self) -> KeyHash {
        self.hasher.hash(&self.local.seed, self.key)
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
