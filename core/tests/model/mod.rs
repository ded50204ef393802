//! A naive limiter, written from the definitions alone: what every store has to answer.

mod case;
mod history;
mod params;
mod play;

pub use case::{any_params, cases};
use history::{Ask, History, least};
use params::Identity;
pub use params::Params;
pub use play::{limiter, play, stores};
use ratelimit_core::Decision;
use std::collections::HashMap;
use std::time::Duration;

/// A decision in plain numbers; times in microseconds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Answer {
    pub allowed: bool,
    pub limit: u64,
    pub remaining: u64,
    pub retry_after: Option<u64>,
    pub reset_after: u64,
    pub wait: u64,
    pub degraded: bool,
    pub limiter: String,
}

impl From<Decision<'_>> for Answer {
    fn from(d: Decision<'_>) -> Answer {
        let us = |d: Duration| u64::try_from(d.as_micros()).expect("times fit into 64 bits");
        assert_eq!(d.reset_after.subsec_nanos() % 1000, 0);
        Answer {
            allowed: d.allowed,
            limit: d.limit,
            remaining: d.remaining,
            retry_after: d.retry_after.map(us),
            reset_after: us(d.reset_after),
            wait: us(d.wait),
            degraded: d.degraded,
            limiter: d.limiter.to_owned(),
        }
    }
}

/// A limiter of the model.
#[derive(Debug, Clone)]
pub struct Who {
    pub name: &'static str,
    pub params: Params,
}

/// A key's state belongs to a name, an identity and the key.
type Place = (&'static str, Identity, Vec<u8>);

/// All keys of all limiters, and the time.
#[derive(Debug, Default)]
pub struct World {
    pub now: u64,
    histories: HashMap<Place, History>,
}

impl World {
    pub fn consume(&mut self, who: &Who, key: &[u8], cost: u64) -> Answer {
        self.ask(who, key, cost, Ask::Consume, true)
    }

    pub fn reserve(&mut self, who: &Who, key: &[u8], cost: u64, max_wait: u64) -> Answer {
        self.ask(who, key, cost, Ask::Reserve(max_wait), true)
    }

    pub fn peek(&mut self, who: &Who, key: &[u8], cost: u64) -> Answer {
        self.ask(who, key, cost, Ask::Consume, false)
    }

    pub fn refund(&mut self, who: &Who, key: &[u8], cost: u64) -> Answer {
        let now = self.now;
        self.history(who, key).refund(&who.params, now, cost);
        self.peek(who, key, 0)
    }

    pub fn reset(&mut self, who: &Who, key: &[u8]) {
        self.histories.remove(&place(who, key));
    }

    /// Waits until its turn has come, if that is soon enough.
    pub fn acquire(&mut self, who: &Who, key: &[u8], cost: u64, timeout: u64) -> Answer {
        let started = self.now;
        let turn = match who.params {
            // To be charged now, and to wait for the debt, or for the water ahead, to run out.
            Params::Token { .. } => {
                let asked = self.reserve(who, key, cost, timeout);
                asked.allowed.then_some(asked.wait)
            }
            Params::Leaky { .. } if cost > who.params.limit() => None,
            Params::Leaky { .. } => {
                let ahead = if cost == 0 {
                    0
                } else {
                    self.peek(who, key, 0).reset_after
                };
                (ahead <= timeout).then(|| {
                    let room = self.peek(who, key, cost).retry_after;
                    self.now += room.expect("it is not above the capacity");
                    assert!(self.consume(who, key, cost).allowed);
                    ahead
                })
            }
            // To come back when there is room.
            _ => {
                let room = self.peek(who, key, cost).retry_after;
                room.filter(|room| *room <= timeout).inspect(|room| {
                    self.now += room;
                    assert!(self.consume(who, key, cost).allowed);
                })
            }
        };
        if let Some(turn) = turn {
            self.now = started + turn;
            return self.peek(who, key, 0);
        }
        let refused = self.peek(who, key, cost);
        if refused.allowed {
            // There is room in the leaky bucket, but the turn would come too late.
            return self.ask(who, key, cost, Ask::Reserve(timeout), false);
        }
        refused
    }

    pub fn consume_all(&mut self, charges: &[(Who, Vec<u8>, u64)]) -> Answer {
        let mut sums: Vec<(Who, Vec<u8>, u64)> = Vec::new();
        for (who, key, cost) in charges {
            match sums
                .iter_mut()
                .find(|(w, k, _)| place(w, k) == place(who, key))
            {
                Some((_, _, sum)) => *sum = sum.saturating_add(*cost),
                None => sums.push((who.clone(), key.clone(), *cost)),
            }
        }
        let mut refused: Option<Answer> = None;
        for answer in sums.iter().map(|(w, k, c)| self.peek(w, k, *c)) {
            let never = |a: &Answer| a.retry_after.unwrap_or(u64::MAX);
            let longer = refused.as_ref().is_none_or(|r| never(&answer) > never(r));
            if !answer.allowed && longer {
                refused = Some(answer);
            }
        }
        if let Some(answer) = refused {
            return answer;
        }
        let answers: Vec<Answer> = sums
            .iter()
            .map(|(w, k, c)| self.consume(w, k, *c))
            .collect();
        let wait = answers.iter().map(|a| a.wait).max();
        let least = answers.into_iter().min_by_key(|a| a.remaining);
        Answer {
            wait: wait.expect("there are charges"),
            ..least.expect("there are charges")
        }
    }

    /// The last moment until `now` at which something ended. Its place is free since then, so a
    /// clock that steps back beyond it may find the state or not.
    pub fn last_end(&self, now: u64) -> u64 {
        let ends = self.histories.iter().flat_map(|(place, h)| h.ends(place.1));
        ends.filter(|end| *end <= now).max().unwrap_or(0)
    }

    fn history(&mut self, who: &Who, key: &[u8]) -> &mut History {
        self.histories.entry(place(who, key)).or_default()
    }

    fn ask(&mut self, who: &Who, key: &[u8], cost: u64, ask: Ask, charge: bool) -> Answer {
        let (now, p) = (self.now, &who.params);
        let history = self.history(who, key);
        let allowed = history.fits(p, now, cost, ask);
        let wait = if allowed {
            history.wait(p, now, cost)
        } else {
            0
        };
        let retry_after = match allowed || cost <= p.limit() {
            true => Some(least(|t| history.fits(p, now + t, cost, ask))),
            false => None,
        };
        if allowed && charge {
            history.charge(p, now, cost);
        }
        let refused = |cost| cost > p.limit() || !history.fits(p, now, cost, Ask::Consume);
        Answer {
            allowed,
            limit: p.limit(),
            remaining: match p {
                Params::Unlimited => p.limit(),
                _ => least(refused) - 1,
            },
            retry_after,
            reset_after: least(|t| history.is_fresh(p, now + t)),
            wait,
            degraded: false,
            limiter: who.name.to_owned(),
        }
    }
}

fn place(who: &Who, key: &[u8]) -> Place {
    (who.name, who.params.identity(), key.to_vec())
}
