//! What this process has given up of other keys, by tag.

use ratelimit_core::hooks::{GivenUp, on_given_up};
use serde::{Deserialize, Serialize};
use std::collections::HashMap;
use std::sync::{LazyLock, Mutex};

/// What was lost of one key.
#[derive(Debug, Default, Clone, Copy, Serialize, Deserialize)]
pub struct Loss {
    /// How many cells.
    pub cells: u64,
    /// A window's units.
    pub units: u64,
    /// A bucket's time until it would have been fresh, in ticks of 2⁻³² µs.
    pub ticks: u128,
}

impl Loss {
    pub fn add(&mut self, other: Loss) {
        self.cells += other.cells;
        self.units += other.units;
        self.ticks += other.ticks;
    }
}

static LOSSES: LazyLock<Mutex<HashMap<u64, Loss>>> = LazyLock::new(Mutex::default);

/// Starts to write down losses.
pub fn watch() {
    on_given_up(note);
}

fn note(cell: GivenUp) {
    let loss = Loss {
        cells: 1,
        units: cell.amount.into(),
        ticks: (u128::from(cell.left) << 32).saturating_sub(cell.amount.into()),
    };
    let mut losses = LOSSES.lock().expect("no panic while it is held");
    losses.entry(cell.tag).or_default().add(loss);
}

/// The losses since this was last asked.
pub fn take() -> HashMap<u64, Loss> {
    std::mem::take(&mut LOSSES.lock().expect("no panic while it is held"))
}
