//! What a worker has got so far, told so that its death does not matter.
//!
//! Admissions are told after they happened, a refund before it does: what a worker takes to its
//! grave can only make the sums smaller.

use crate::losses::Loss;
use serde::{Deserialize, Serialize};
use std::collections::HashMap;

/// Since the last one; of long-lived keys only. Limiter, key, units.
#[derive(Debug, Default, Serialize, Deserialize)]
pub struct Ledger {
    pub admitted: Vec<(usize, u32, u64)>,
    pub refunds: Vec<(usize, u32, u64)>,
    /// By tag.
    pub losses: Vec<(u64, Loss)>,
}

/// One key's units, by all workers.
#[derive(Debug, Default, Clone, Copy)]
pub struct Units {
    pub admitted: u64,
    /// What was offered back; less may have been taken.
    pub refunded: u64,
}

/// All ledgers of a pool.
#[derive(Debug, Default)]
pub struct Books {
    pub units: HashMap<(usize, u32), Units>,
    pub losses: HashMap<u64, Loss>,
}

impl Books {
    pub fn add(&mut self, ledger: Ledger) {
        for (limiter, key, units) in ledger.admitted {
            self.units.entry((limiter, key)).or_default().admitted += units;
        }
        for (limiter, key, units) in ledger.refunds {
            self.units.entry((limiter, key)).or_default().refunded += units;
        }
        for (tag, loss) in ledger.losses {
            self.losses.entry(tag).or_default().add(loss);
        }
    }
}
