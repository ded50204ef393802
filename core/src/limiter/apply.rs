//! From a limiter to its table: any operation, with its verdict.

use super::{Limiter, MAX_COST};
use crate::algorithm::{Change, Charged, LeakyBucket, Op, SingleState, TokenBucket, Verdict};
use crate::clock::Reading;
use crate::policy::{Rule, SlidingWindow};
use crate::store::{KeyHash, Local, Segments, Step, Tag};

/// The verdict of a limiter without a limit.
pub(super) const UNLIMITED: Verdict = Verdict {
    allowed: true,
    remaining: MAX_COST,
    retry_after: 0,
    reset_after: 0,
    wait: 0,
};

impl Limiter {
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
