//! Random cases: limiters, calls and the time between them, fond of edges.

use super::{Params, Who};
use proptest::prelude::*;
use proptest::sample::select;

const DAY: u64 = 86_400_000_000;
const YEAR: u64 = 365 * DAY;
const MAX_PERIOD: u64 = 366 * DAY;
const MAX_FILL: u64 = 1_461 * DAY;
const MAX_UNITS: u64 = u32::MAX as u64;
const MAX_COST: u64 = i64::MAX as u64;

pub const KEYS: [&[u8]; 3] = [b"", b"203.0.113.7", &[0, 0xFF]];

#[derive(Debug, Clone)]
pub struct Case {
    /// Where the clock begins.
    pub start: u64,
    pub limiters: Vec<Who>,
    pub steps: Vec<(Passage, Call)>,
}

/// How much time passes before a call. The offsets are −1, 0 or 1 µs.
#[derive(Debug, Clone, Copy)]
pub enum Passage {
    None,
    Micros(u64),
    /// Some units of the limiter that is called next.
    Units(u64, i64),
    /// What the last answer of all said.
    RetryAfter(i64),
    ResetAfter(i64),
    /// To the next multiple of the window, or of its segments.
    Edge(i64),
    Years(u64),
    /// Back, by so many percent of what a clock may step.
    Back(u64),
}

/// A cost, as it stands to the key's state.
#[derive(Debug, Clone, Copy)]
pub enum Cost {
    Exactly(u64),
    Remaining(i64),
    Limit(i64),
    /// So many percent of the limit.
    Share(u64),
}

/// A limiter's index, a key and a cost.
pub type Target = (usize, usize, Cost);

#[derive(Debug, Clone)]
pub enum Call {
    Consume(Target),
    Allow(Target),
    /// On the limiter and key of the last `Allow` or `Again`, which its thread then remembers.
    Again(Cost),
    Peek(Target),
    /// With how long it may take; windows refuse to.
    Reserve(Target, u64),
    Acquire(Target, u64),
    Refund(Target),
    Reset(Target),
    All(Vec<Target>),
    /// The same name goes on with other parameters.
    Change(usize, Params),
}

impl Call {
    /// The limiter that is called, or the first of them.
    pub fn limiter(&self) -> usize {
        match self {
            Call::Consume(t) | Call::Allow(t) | Call::Peek(t) | Call::Refund(t) => t.0,
            Call::Reset(t) | Call::Reserve(t, _) | Call::Acquire(t, _) => t.0,
            Call::All(targets) => targets[0].0,
            Call::Again(_) => 0,
            Call::Change(who, _) => *who,
        }
    }
}

impl Case {
    /// How far a clock may step back: a segment of the shortest.
    pub fn most_back(&self) -> u64 {
        let changes = self.steps.iter().filter_map(|(_, call)| match call {
            Call::Change(_, params) => Some(params),
            _ => None,
        });
        let all = self.limiters.iter().map(|who| &who.params).chain(changes);
        all.filter(|p| matches!(p, Params::Sliding { .. }))
            .map(Params::segment)
            .min()
            .unwrap_or(1_000_000)
    }
}

fn units() -> BoxedStrategy<u64> {
    prop_oneof![
        select(vec![1, 2, 3, 10, 100, MAX_UNITS - 1, MAX_UNITS]),
        1..1_000u64,
        (0..32u32).prop_flat_map(|bits| 1u64 << bits..=(2u64 << bits).min(MAX_UNITS)),
    ]
    .boxed()
}

fn period() -> BoxedStrategy<u64> {
    let common = vec![
        1, 2, 1_000, 100_000, 1_000_000, 60_000_000, DAY, YEAR, MAX_PERIOD,
    ];
    prop_oneof![
        select(common),
        1..1_000u64,
        (0..45u32).prop_flat_map(|bits| 1u64 << bits..=(2u64 << bits).min(MAX_PERIOD)),
    ]
    .boxed()
}

/// Any parameters that are accepted.
pub fn any_params() -> BoxedStrategy<Params> {
    let bucket = || {
        (units(), units(), period()).prop_map(|(capacity, rate, per)| {
            // Into the ranges, and often right onto their ends.
            let rate = rate.min(1_000 * per);
            let most = u128::from(MAX_FILL) * u128::from(rate) / u128::from(per);
            (capacity.min(most as u64), rate, per)
        })
    };
    let segments = prop_oneof![select(vec![1, 2, 10, 59, 60]), 1..=60u32];
    let sliding = (units(), period(), segments);
    prop_oneof![
        8 => bucket().prop_map(|(capacity, rate, per)| Params::Token { capacity, rate, per }),
        8 => bucket().prop_map(|(capacity, rate, per)| Params::Leaky { capacity, rate, per }),
        8 => (units(), period()).prop_map(|(limit, window)| Params::Fixed { limit, window }),
        8 => sliding.prop_map(|(limit, window, segments)| Params::Sliding {
            limit,
            window,
            segments,
        }),
        1 => Just(Params::Unlimited),
    ]
    .boxed()
}

/// Parameters that often share the state of the given ones.
fn related_params(p: Params) -> BoxedStrategy<Params> {
    let other =
        (any_params(), units(), 0..100u64).prop_map(move |(any, units, nudge)| match (p, any) {
            (Params::Fixed { .. }, Params::Fixed { .. }) => any,
            (
                Params::Token {
                    rate,
                    per,
                    capacity,
                },
                _,
            ) => Params::Token {
                capacity: (capacity / 2).max(1),
                rate: (rate + nudge).min(1_000 * per).min(MAX_UNITS),
                per,
            },
            (
                Params::Leaky {
                    rate,
                    per,
                    capacity,
                },
                _,
            ) => Params::Leaky {
                capacity: (capacity / 2).max(1),
                rate: (rate + nudge).min(1_000 * per).min(MAX_UNITS),
                per,
            },
            (Params::Fixed { window, .. }, _) => Params::Fixed {
                limit: units,
                window,
            },
            (
                Params::Sliding {
                    window, segments, ..
                },
                _,
            ) => Params::Sliding {
                limit: units,
                window,
                segments,
            },
            (Params::Unlimited, _) => any,
        });
    prop_oneof![3 => other, 1 => any_params()].boxed()
}

fn passage() -> BoxedStrategy<Passage> {
    let off = || -1..=1i64;
    prop_oneof![
        4 => Just(Passage::None),
        2 => (0..4u64).prop_map(Passage::Micros),
        2 => (0..42u32, 0..1_000u64).prop_map(|(bits, n)| Passage::Micros((n << bits) / 1_000)),
        3 => (1..4u64, off()).prop_map(|(n, off)| Passage::Units(n, off)),
        4 => off().prop_map(Passage::RetryAfter),
        2 => off().prop_map(Passage::ResetAfter),
        3 => off().prop_map(Passage::Edge),
        1 => (1..9u64).prop_map(Passage::Years),
        1 => (0..=100u64).prop_map(Passage::Back),
    ]
    .boxed()
}

fn cost() -> BoxedStrategy<Cost> {
    prop_oneof![
        4 => Just(Cost::Exactly(1)),
        1 => Just(Cost::Exactly(0)),
        1 => select(vec![2, 1 << 32, (1 << 53) + 1, MAX_COST - 1, MAX_COST]).prop_map(Cost::Exactly),
        3 => (-1..=1i64).prop_map(Cost::Remaining),
        2 => (-1..=1i64).prop_map(Cost::Limit),
        4 => (0..=100u64).prop_map(Cost::Share),
    ].boxed()
}

fn target() -> BoxedStrategy<Target> {
    (0..4usize, 0..KEYS.len(), cost()).boxed()
}

fn patience() -> BoxedStrategy<u64> {
    prop_oneof![
        select(vec![0, 1, 1_000, 1_000_000, MAX_PERIOD - 1, MAX_PERIOD]),
        (0..45u32).prop_map(|bits| 1 << bits),
    ]
    .boxed()
}

fn call(params: Params) -> BoxedStrategy<Call> {
    prop_oneof![
        8 => target().prop_map(Call::Consume),
        2 => target().prop_map(Call::Allow),
        8 => cost().prop_map(Call::Again),
        2 => target().prop_map(Call::Peek),
        3 => (target(), patience()).prop_map(|(t, us)| Call::Reserve(t, us)),
        2 => (target(), patience()).prop_map(|(t, us)| Call::Acquire(t, us)),
        2 => target().prop_map(Call::Refund),
        1 => target().prop_map(Call::Reset),
        4 => prop::collection::vec(target(), 1..5).prop_map(Call::All),
        1 => (0..4usize, related_params(params)).prop_map(|(who, p)| Call::Change(who, p)),
    ]
    .boxed()
}

/// Any case, of up to four limiters, some of one name.
pub fn cases() -> BoxedStrategy<Case> {
    let start = prop_oneof![
        select(vec![0, 1, 1 << 45, (1 << 48) - 1, 1 << 48, 1 << 61]),
        0..1_000_000_000_000u64,
        1_790_000_000_000_000..1_800_000_000_000_000u64,
    ];
    let who = || (select(vec!["a", "b", "c"]), any_params());
    (start, prop::collection::vec(who(), 1..4))
        .prop_flat_map(|(start, who)| {
            let first = who[0].1;
            let steps = prop::collection::vec((passage(), call(first)), 1..40);
            let limiters = who.into_iter().map(|(name, params)| Who { name, params });
            (Just(start), Just(limiters.collect()), steps).prop_map(|(start, limiters, steps)| {
                Case {
                    start,
                    limiters,
                    steps,
                }
            })
        })
        .boxed()
}
