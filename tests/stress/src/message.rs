//! What the test and its workers say to each other: a line of JSON each.

use crate::exact::round::{Outcome, Round};
use crate::kill::ledger::Ledger;
use crate::kill::load::Load;
use crate::kill::timings::Timings;
use crate::moving::log::{Flat, Log};
use crate::tiny::load::{Crowd, Tallies};
use serde::{Deserialize, Serialize};

/// To a worker.
#[derive(Debug, Serialize, Deserialize)]
pub enum Command {
    Round(Round),
    Flat(Flat),
    Crowd(Crowd),
    Load(Load),
}

/// From a worker. Each command is answered once, but for the ledgers of a load.
#[derive(Debug, Serialize, Deserialize)]
pub enum Answer {
    /// The segment is open.
    Ready,
    Round(Outcome),
    Flat(Log),
    Crowd(Tallies),
    Ledger(Ledger),
    Load(Timings),
    Failed(String),
}
