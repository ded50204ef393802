//! What is known of one key, and what that means at any time.
//!
//! Nothing here is clever: windows keep every charge, buckets an exact fraction, and all times
//! and amounts that a decision reports are found by search for where the answer changes.

use super::Params;
use super::params::Identity;
use num_bigint::BigInt;
use num_rational::BigRational;

/// A key's past under one limiter.
#[derive(Debug, Clone, Default)]
pub struct History {
    /// Buckets: when it is full, or empty, again.
    instant: Option<BigRational>,
    /// Fixed window: when the window opened last ends.
    end: u64,
    /// Windows: the end of the window, or the number of the segment, and the units.
    charges: Vec<(u64, u64)>,
}

/// How a cost is asked for.
#[derive(Debug, Clone, Copy)]
pub enum Ask {
    Consume,
    /// To be told to wait at most that long.
    Reserve(u64),
}

impl History {
    pub fn fits(&self, p: &Params, now: u64, cost: u64, ask: Ask) -> bool {
        if cost == 0 || *p == Params::Unlimited {
            return true;
        }
        if cost > p.limit() {
            return false;
        }
        let within = |time: BigRational| match ask {
            Ask::Consume => true,
            Ask::Reserve(most) => time <= whole(most),
        };
        let room = whole(p.limit()) - self.used(p, now);
        match p {
            Params::Token { .. } => match ask {
                Ask::Consume => room >= whole(cost),
                Ask::Reserve(_) => within((whole(cost) - room) * p.unit()),
            },
            Params::Leaky { .. } => room >= whole(cost) && within(self.ahead(now)),
            _ => room >= whole(cost),
        }
    }

    pub fn is_fresh(&self, p: &Params, now: u64) -> bool {
        match p {
            Params::Token { .. } | Params::Leaky { .. } => self.ahead(now) == whole(0),
            Params::Fixed { .. } => self.end <= now,
            Params::Sliding { .. } => self.used(p, now) == whole(0),
            Params::Unlimited => true,
        }
    }

    /// How long somebody whose cost fits has to wait before acting.
    pub fn wait(&self, p: &Params, now: u64, cost: u64) -> u64 {
        let wait = match p {
            _ if cost == 0 => whole(0),
            Params::Token { .. } => {
                let missing = whole(cost) + self.used(p, now) - whole(p.limit());
                missing * p.unit()
            }
            Params::Leaky { .. } => self.ahead(now),
            _ => whole(0),
        };
        up(&wait.max(whole(0)))
    }

    pub fn charge(&mut self, p: &Params, now: u64, cost: u64) {
        if cost == 0 {
            return;
        }
        match p {
            Params::Token { .. } | Params::Leaky { .. } => {
                self.instant = Some(whole(now) + self.ahead(now) + whole(cost) * p.unit());
            }
            Params::Fixed { window, .. } => {
                if self.end <= now {
                    self.end = now + window;
                }
                self.charges.push((self.end, cost));
            }
            Params::Sliding { .. } => {
                let segment = self.standing(p, now) / p.segment();
                self.charges.push((segment, cost));
            }
            Params::Unlimited => {}
        }
    }

    pub fn refund(&mut self, p: &Params, now: u64, cost: u64) {
        if p.is_bucket() {
            let left = self.ahead(now) - whole(cost) * p.unit();
            if cost > 0 && self.ahead(now) > whole(0) {
                self.instant = (left > whole(0)).then(|| whole(now) + left);
            }
            return;
        }
        let mut left = cost;
        self.charges.sort_by_key(|(place, _)| *place);
        for (place, units) in self.charges.iter_mut().rev() {
            let weighs = match p {
                Params::Fixed { .. } => self.end == *place && self.end > now,
                Params::Sliding { segments, .. } => {
                    (*place + u64::from(*segments) + 1) * p.segment() > now
                }
                _ => false,
            };
            let part = if weighs { left.min(*units) } else { 0 };
            *units -= part;
            left -= part;
        }
        self.charges.retain(|(_, units)| *units > 0);
    }

    /// When what is kept stops to count.
    pub fn ends(&self, (_, segment, segments): Identity) -> Vec<u64> {
        let ends = self.charges.iter().map(|(place, _)| match segments {
            0 => *place,
            _ => (place + u64::from(segments) + 1) * segment,
        });
        ends.chain([self.end])
            .chain(self.instant.as_ref().map(up))
            .collect()
    }

    /// Units that count at `now`, exactly.
    fn used(&self, p: &Params, now: u64) -> BigRational {
        match *p {
            Params::Token { .. } | Params::Leaky { .. } => self.ahead(now) / p.unit(),
            Params::Fixed { .. } if self.end > now => {
                let counted = self.charges.iter().filter(|(end, _)| *end == self.end);
                counted.map(|(_, units)| whole(*units)).sum()
            }
            Params::Sliding { segments, .. } => {
                let at = self.standing(p, now);
                let current = at / p.segment();
                let mut full = 0;
                let mut oldest = 0;
                for (segment, units) in &self.charges {
                    match current - segment {
                        age if age < segments.into() => full += u128::from(*units),
                        age if age == segments.into() => oldest += u128::from(*units),
                        _ => {}
                    }
                }
                let covered = p.segment() - at % p.segment();
                let weight = BigRational::new(covered.into(), p.segment().into());
                BigRational::from_integer(full.into())
                    + weight * BigRational::from_integer(oldest.into())
            }
            _ => whole(0),
        }
    }

    /// How far a bucket's instant lies ahead.
    fn ahead(&self, now: u64) -> BigRational {
        match &self.instant {
            Some(instant) => (instant - whole(now)).max(whole(0)),
            None => whole(0),
        }
    }

    /// A clock behind the newest segment that has counts stands at its start.
    fn standing(&self, p: &Params, now: u64) -> u64 {
        let newest = self.charges.iter().map(|(segment, _)| *segment).max();
        newest.map_or(now, |segment| now.max(segment * p.segment()))
    }
}

pub fn whole(n: u64) -> BigRational {
    BigRational::from_integer(BigInt::from(n))
}

fn up(n: &BigRational) -> u64 {
    u64::try_from(n.ceil().to_integer()).expect("times fit into 64 bits")
}

/// The least number from which on `holds`, which stays true once it is.
pub fn least(holds: impl Fn(u64) -> bool) -> u64 {
    if holds(0) {
        return 0;
    }
    let (mut no, mut yes) = (0, 1);
    while !holds(yes) {
        (no, yes) = (yes, yes * 2);
    }
    while yes - no > 1 {
        let middle = no + (yes - no) / 2;
        if holds(middle) {
            yes = middle;
        } else {
            no = middle;
        }
    }
    yes
}
