//! Who plays a round: eight processes on a segment, or eight threads on a store.

use super::round::{Outcome, Round, play};
use crate::clock::now_us;
use crate::message::{Answer, Command};
use crate::pool::{Worker, ask};
use ratelimit_core::Store;

/// Of processes or threads.
pub const MEMBERS: usize = 8;

/// From the command to a round's beginning: enough for all to be there.
const LEAD_US: u64 = 2_000;

pub enum Crew {
    Processes { store: Store, pool: Vec<Worker> },
    Threads(Store),
}

impl Crew {
    /// A store with the state that the crew works on.
    pub fn store(&self) -> &Store {
        match self {
            Crew::Processes { store, .. } | Crew::Threads(store) => store,
        }
    }

    /// Plays the members' parts at the same time.
    pub fn play(&mut self, mut parts: Vec<Round>) -> Result<Vec<Outcome>, String> {
        let start_us = now_us() + LEAD_US;
        parts.iter_mut().for_each(|part| part.start_us = start_us);
        match self {
            Crew::Processes { pool, .. } => {
                let commands = parts.into_iter().map(Command::Round).collect();
                let answers = ask(pool, commands, start_us)?;
                answers.into_iter().map(outcome).collect()
            }
            Crew::Threads(store) => std::thread::scope(|scope| {
                let threads: Vec<_> = parts
                    .iter()
                    .map(|part| scope.spawn(|| play(store, part)))
                    .collect();
                let join = |t: std::thread::ScopedJoinHandle<'_, _>| t.join().expect("no panic");
                let played = threads.into_iter().map(join);
                played
                    .map(|p: Result<_, _>| p.map_err(|e: ratelimit_core::Error| e.to_string()))
                    .collect()
            }),
        }
    }
}

fn outcome(answer: Answer) -> Result<Outcome, String> {
    match answer {
        Answer::Round(outcome) => Ok(outcome),
        _ => Err("a worker answered something else".to_owned()),
    }
}
