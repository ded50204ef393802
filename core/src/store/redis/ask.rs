//! What a script is told: an operation and its numbers.

use super::script::{Script, Scripts};
use crate::algorithm::Op;
use crate::policy::{Bucket, Policy, Rule, Split};
use redis::Cmd;

/// Costs and waits beyond this give all back, or are refused without a server.
const MOST_UNITS: u64 = u32::MAX as u64;
/// Ticks of which the microseconds are exact in a script's numbers: 142 years.
const MOST_TICKS: u128 = 1 << (52 + 32);

/// What a script does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Task {
    /// Like `Consume`, with the shortest answer.
    Allow,
    Consume,
    Reserve {
        max_wait: u64,
    },
    Peek,
    Refund,
}

impl Task {
    fn name(self) -> &'static str {
        match self {
            Task::Allow => "allow",
            Task::Consume | Task::Reserve { .. } => "consume",
            Task::Peek => "peek",
            Task::Refund => "refund",
        }
    }
}

impl From<Op> for Task {
    fn from(op: Op) -> Task {
        match op {
            Op::Consume => Task::Consume,
            Op::Reserve { max_wait } => Task::Reserve { max_wait },
            Op::Peek => Task::Peek,
            Op::Refund => Task::Refund,
        }
    }
}

/// The script of a policy.
pub(super) fn script<'a>(scripts: &'a Scripts, policy: &Policy) -> &'a Script {
    match &policy.0 {
        Rule::LeakyBucket(_) => &scripts.leaky_bucket,
        Rule::FixedWindow(_) => &scripts.fixed_window,
        Rule::SlidingWindow(_) => &scripts.sliding_window,
        Rule::TokenBucket(_) | Rule::Unlimited => &scripts.token_bucket,
    }
}

/// The arguments of a policy's script, behind its key. `cost` is within the limit, but of a refund.
pub(super) fn arguments(to: &mut Cmd, policy: &Policy, task: Task, clock: Option<u64>, cost: u64) {
    to.arg(task.name());
    time(to, clock);
    match &policy.0 {
        Rule::TokenBucket(b) => {
            split(to, charge(b, cost));
            let ahead = match task {
                Task::Reserve { max_wait } => u128::from(max_wait) << 32,
                _ => 0,
            };
            split(to, b.full + ahead);
        }
        Rule::LeakyBucket(b) => {
            split(to, charge(b, cost));
            split(to, b.full);
            if let Task::Reserve { max_wait } = task {
                to.arg(max_wait);
            }
        }
        Rule::FixedWindow(w) => {
            to.arg(cost.min(MOST_UNITS)).arg(w.limit).arg(w.window_us);
        }
        Rule::SlidingWindow(w) => {
            let cost = cost.min(MOST_UNITS);
            to.arg(cost).arg(w.limit).arg(w.segment_us).arg(w.segments);
        }
        Rule::Unlimited => {}
    }
}

/// The arguments of one of several charges: `all` is what all charges on its key ask for.
pub(super) fn part(to: &mut Cmd, policy: &Policy, all: u64, own: u64) {
    match &policy.0 {
        Rule::TokenBucket(b) | Rule::LeakyBucket(b) => {
            to.arg("bucket");
            split(to, charge(b, all));
            split(to, charge(b, own));
            split(to, b.full);
        }
        Rule::FixedWindow(w) => {
            to.arg("fixed").arg(all.min(2 * MOST_UNITS)).arg(own);
            to.arg(w.limit).arg(w.window_us);
        }
        Rule::SlidingWindow(w) => {
            to.arg("sliding").arg(all.min(2 * MOST_UNITS)).arg(own);
            to.arg(w.limit).arg(w.segment_us).arg(w.segments);
        }
        Rule::Unlimited => {}
    }
}

/// An empty argument means the server's own clock.
pub(super) fn time(to: &mut Cmd, clock: Option<u64>) {
    match clock {
        Some(now) => to.arg(now),
        None => to.arg(""),
    };
}

fn charge(bucket: &Bucket, cost: u64) -> u128 {
    let unit = bucket.unit;
    unit.saturating_mul(cost.into()).min(MOST_TICKS)
}

fn split(to: &mut Cmd, ticks: u128) {
    let Split { us, less } = Split::new(ticks);
    to.arg(us).arg(less);
}
