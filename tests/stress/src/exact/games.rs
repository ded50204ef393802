//! The kinds of rounds, and what has to come out of them.

use super::crew::{Crew, MEMBERS};
use super::round::{Call, Outcome, Round};
use crate::report::{Failure, ensure};
use crate::shape::{Algorithm, Shape};

const ROUNDS: usize = 100;
const CALLS: usize = 50;
const LIMIT: u64 = 100;
/// So long that a bucket does not get a unit back while the test lasts: one takes 864 s.
pub const DAY_US: u64 = 86_400_000_000;
/// More than the test lasts.
const LONG_US: u64 = 600_000_000;

/// One test's rounds.
pub struct Game<'c> {
    crew: &'c mut Crew,
    name: String,
    rounds: usize,
    /// Rounds in which more than one member was admitted.
    shared: usize,
}

impl<'c> Game<'c> {
    pub fn new(crew: &'c mut Crew, name: &str) -> Self {
        // A limiter's name has at most 64 characters.
        let name = name.chars().take(60).collect();
        Game {
            crew,
            name,
            rounds: 0,
            shared: 0,
        }
    }

    pub fn remark(&self) -> String {
        format!("{} of {} rounds shared", self.shared, self.rounds)
    }

    /// Exactly the limit is admitted.
    pub fn allow(&mut self, algorithm: Algorithm) -> Result<(), Failure> {
        for round in 0..ROUNDS {
            let part = self.part(algorithm, round, Call::Allow, vec![1; CALLS]);
            self.exactly(vec![part; MEMBERS], LIMIT)?;
        }
        Ok(())
    }

    /// When the limit is enough for all, nobody is refused: two members with one call each, who
    /// both find a fresh key, or all with two.
    pub fn fits(&mut self, algorithm: Algorithm, span_us: u64) -> Result<(), Failure> {
        let calls = [Call::Allow, Call::Consume].into_iter().cycle();
        for (round, call) in (0..4 * ROUNDS).zip(calls) {
            let (members, each) = [(2, 1), (MEMBERS, 2)][usize::from(round % 8 == 0)];
            let limit = (members * each) as u64;
            let mut part = self.part(algorithm, round, call, vec![1; each]);
            part.limiters[0].1 = Shape {
                algorithm,
                limit,
                span_us,
            };
            self.exactly(vec![part; members], limit)?;
        }
        Ok(())
    }

    /// With costs above one less may be admitted, but only what the smallest refused cost did
    /// not fit in; ones then fill it up to exactly the limit.
    pub fn costs(&mut self, algorithm: Algorithm) -> Result<(), Failure> {
        for round in 0..ROUNDS {
            let least = [1, 3][round % 2];
            let parts = (0..MEMBERS).map(|member| {
                let cost = |call: usize| least + ((call + member) % 5) as u64;
                let costs = (0..CALLS).map(cost).collect();
                self.part(algorithm, round, Call::Allow, costs)
            });
            let outcomes = self.play(parts.collect())?;
            let mixed = units(&outcomes);
            let refused = outcomes.iter().filter_map(|o| o.least_refused).min();
            let refused = refused.ok_or("nothing was refused")?;
            ensure(mixed <= LIMIT && LIMIT - mixed < refused, || {
                format!("round {round}: {mixed} of {LIMIT} admitted, {refused} refused")
            })?;
            let ones = self.part(algorithm, round, Call::Consume, vec![1; CALLS]);
            self.exactly(vec![ones; MEMBERS], LIMIT - mixed)?;
        }
        Ok(())
    }

    /// Exactly the limit is admitted, and each that was saw another number remain.
    pub fn consume(&mut self, algorithm: Algorithm) -> Result<(), Failure> {
        for round in 0..ROUNDS {
            let part = self.part(algorithm, round, Call::Consume, vec![1; CALLS]);
            let outcomes = self.exactly(vec![part; MEMBERS], LIMIT)?;
            let mut remaining: Vec<u64> = outcomes.into_iter().flat_map(|o| o.remaining).collect();
            remaining.sort_unstable();
            ensure(remaining.iter().copied().eq(0..LIMIT), || {
                format!("round {round}: remaining was {remaining:?}")
            })?;
        }
        Ok(())
    }

    /// Reservations go exactly as far as allowed, and each gets a turn of its own.
    pub fn reserve(&mut self, algorithm: Algorithm) -> Result<(), Failure> {
        let unit = DAY_US / LIMIT;
        let ahead = 50;
        // A token bucket lends that much more; a leaky one has to have room, and makes all wait.
        let (most, at_once) = match algorithm {
            Algorithm::TokenBucket => (LIMIT + ahead, LIMIT),
            _ => (ahead + 1, 1),
        };
        let call = Call::Reserve {
            max_wait_us: ahead * unit,
        };
        for round in 0..ROUNDS {
            let part = self.part(algorithm, round, call, vec![1; CALLS]);
            let outcomes = self.exactly(vec![part; MEMBERS], most)?;
            let mut waits: Vec<u64> = outcomes.into_iter().flat_map(|o| o.waits_us).collect();
            waits.sort_unstable();
            let turns = waits.iter().enumerate().all(|(nth, wait)| {
                let turn = (nth as u64 + 1).saturating_sub(at_once) * unit;
                *wait <= turn && turn - wait < LONG_US
            });
            ensure(turns, || format!("round {round}: waits were {waits:?}"))?;
        }
        Ok(())
    }

    /// Two limiters, half of the members in the opposite order. While they take back from one
    /// another more may be refused than need be; who asks last gets what is left.
    pub fn consume_all(&mut self, a: Algorithm, b: Algorithm) -> Result<(), Failure> {
        for round in 0..ROUNDS {
            let part = |reversed| {
                let mut part = self.part(a, round, Call::All { reversed }, vec![1; CALLS]);
                part.limiters[0].0.push_str(".a");
                part.limiters
                    .push((format!("{}.b", self.name), shape(b, LIMIT + 20)));
                part
            };
            let parts: Vec<Round> = (0..MEMBERS).map(|m| part(m % 2 == 1)).collect();
            let last = parts[0].clone();
            let together = units(&self.play(parts)?);
            let after = self.play(vec![last.clone()])?;
            let total = together + units(&after);
            ensure(total == LIMIT, || {
                format!("round {round}: {total} of {LIMIT} admitted")
            })?;
            for (name, shape) in &last.limiters {
                let limiter = shape.limiter(name, self.crew.store());
                let peek = limiter.and_then(|l| l.peek(&last.key, 0).map(|d| d.remaining));
                let remaining = peek.map_err(|e| e.to_string())?;
                ensure(shape.limit - remaining == LIMIT, || {
                    format!(
                        "round {round}: {remaining} of {} remain on {name}",
                        shape.limit
                    )
                })?;
            }
        }
        Ok(())
    }

    /// A member's part of a round on a key of its own.
    fn part(&self, algorithm: Algorithm, round: usize, call: Call, costs: Vec<u64>) -> Round {
        Round {
            limiters: vec![(self.name.clone(), shape(algorithm, LIMIT))],
            key: format!("round {round}"),
            call,
            costs,
            start_us: 0,
        }
    }

    fn play(&mut self, parts: Vec<Round>) -> Result<Vec<Outcome>, Failure> {
        let alone = parts.len() == 1;
        let outcomes = self.crew.play(parts)?;
        self.rounds += usize::from(!alone);
        self.shared += usize::from(outcomes.iter().filter(|o| o.admitted > 0).count() > 1);
        Ok(outcomes)
    }

    fn exactly(&mut self, parts: Vec<Round>, limit: u64) -> Result<Vec<Outcome>, Failure> {
        let key = parts[0].key.clone();
        let outcomes = self.play(parts)?;
        let total = units(&outcomes);
        ensure(total == limit, || {
            format!("{key}: {total} of {limit} admitted")
        })?;
        Ok(outcomes)
    }
}

fn shape(algorithm: Algorithm, limit: u64) -> Shape {
    Shape {
        algorithm,
        limit,
        span_us: DAY_US,
    }
}

fn units(outcomes: &[Outcome]) -> u64 {
    outcomes.iter().map(|o| o.admitted).sum()
}
