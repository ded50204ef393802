//! The other end of the pipe: a process that does what it is told on a segment.

use crate::message::{Answer, Command};
use crate::{exact, kill, losses, moving, place, tiny};
use ratelimit_core::Store;
use std::io::{BufRead, Write, stdin, stdout};
use std::path::Path;

/// Obeys until nobody talks to it any more.
pub fn run(path: &Path, bytes: usize) {
    losses::watch();
    let store = match place::open(path, bytes) {
        Ok(store) => store,
        Err(e) => return say(&Answer::Failed(e.to_string())),
    };
    say(&Answer::Ready);
    for line in stdin().lock().lines().map_while(Result::ok) {
        let answer = serde_json::from_str(&line)
            .map_err(|e| e.to_string())
            .and_then(|command| obey(&store, command));
        say(&answer.unwrap_or_else(Answer::Failed));
    }
}

fn obey(store: &Store, command: Command) -> Result<Answer, String> {
    match command {
        Command::Round(round) => exact::round::play(store, &round).map(Answer::Round),
        Command::Flat(flat) => moving::log::record(store, &flat).map(Answer::Flat),
        Command::Crowd(crowd) => tiny::load::run(store, &crowd).map(Answer::Crowd),
        Command::Load(load) => kill::load::run(store, &load).map(Answer::Load),
    }
    .map_err(|e| e.to_string())
}

/// Says a line in one write. One of up to 4,096 bytes is heard whole or not at all, even if this
/// process dies in the midst of it.
pub fn say(answer: &Answer) {
    let mut line = serde_json::to_vec(answer).expect("plain data");
    line.push(b'\n');
    let mut out = stdout().lock();
    if out.write_all(&line).and_then(|()| out.flush()).is_err() {
        std::process::exit(0); // nobody listens any more
    }
}
