//! The four algorithms as pure functions: `(policy, state, now, cost) → (change, verdict)`.
//!
//! No clock, lock, allocation or I/O in here. Times are microseconds; the buckets work in ticks
//! of 2⁻³² µs.

mod bucket;
mod fixed_window;
mod leaky_bucket;
mod sliding_window;
mod token_bucket;

pub(crate) use leaky_bucket::LeakyBucket;
pub(crate) use sliding_window::{Segment, Weight};
pub(crate) use token_bucket::TokenBucket;

/// `retry_after` when no wait helps: the cost exceeds the limit.
pub(crate) const NEVER: u64 = u64::MAX;

/// What a key's state is, for the algorithms that keep it in one place. Fresh from `until` on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct State {
    pub until: u64,
    /// Buckets: ticks to subtract from `until`. Fixed window: the count.
    pub amount: u32,
}

impl State {
    /// One that has ended at any time.
    pub(crate) const ENDED: State = State {
        until: 0,
        amount: 0,
    };
}

/// What an operation does to the state.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Change {
    Keep,
    Put(State),
    /// The key is like one never seen.
    Clear,
}

/// The operations that answer with a decision.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Op {
    Consume,
    Peek,
    Reserve { max_wait: u64 },
    Refund,
}

/// A decision without the limiter's name and limit; times in microseconds, rounded up.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Verdict {
    pub allowed: bool,
    pub remaining: u64,
    pub retry_after: u64,
    pub reset_after: u64,
    pub wait: u64,
}

/// What a charge left.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Charged {
    pub state: State,
    /// Whether the key was fresh before.
    pub opened: bool,
}

/// An algorithm that keeps a key's state in one place. `None` is a key never seen.
pub(crate) trait SingleState: Copy {
    /// The state after a charge of `cost`, or `None` if it does not fit. `cost` is at least 1.
    fn admit(&self, state: Option<State>, now: u64, cost: u64) -> Option<State>;

    /// Any operation, with its verdict.
    fn apply(&self, op: Op, state: Option<State>, now: u64, cost: u64) -> (Change, Verdict);

    /// The verdict on a charge that was admitted, at `now` or lately. A fresh key's state before
    /// it is one that has ended.
    fn admitted(&self, before: State, after: State, now: u64) -> Verdict;

    /// The state without a charge of `cost` that was admitted a moment ago. What has run out of it
    /// since then is not taken back: that would be somebody else's.
    fn take_back(&self, state: State, now: u64, cost: u64, charged: Charged) -> Change;
}

#[cfg(test)]
mod tests;
