//! `conformance --store memory|shared FILE…`: plays vectors, each on a store that starts empty.
//!
//! Prints what differs and ends with `N passed, M failed`; the exit status is 1 on a failure.

mod play;
mod vector;

use play::Player;
use ratelimit_core::{Clock, Error, ManualClock, Segment, Store};
use std::process::ExitCode;
use std::sync::Arc;
use vector::Vector;

const USAGE: &str = "usage: conformance --store memory|shared FILE…";
/// Room for every vector's keys without giving up any.
const KEYS: usize = 10_000;
const SEGMENT_BYTES: usize = 8 << 20;

#[derive(Clone, Copy)]
enum Kind {
    Memory,
    Shared,
}

impl Kind {
    fn open(self, clock: Arc<dyn Clock>) -> Result<Store, Error> {
        match self {
            Kind::Memory => Store::memory_with_clock(KEYS, clock),
            Kind::Shared => Ok(Store::shared_with_clock(
                &Segment::anonymous(SEGMENT_BYTES)?,
                clock,
            )),
        }
    }
}

fn main() -> ExitCode {
    match arguments().and_then(|(kind, files)| run(kind, &files)) {
        Ok((passed, failed)) => {
            println!("{passed} passed, {failed} failed");
            ExitCode::from(u8::from(failed > 0))
        }
        Err(message) => {
            eprintln!("conformance: {message}");
            ExitCode::from(2)
        }
    }
}

fn arguments() -> Result<(Kind, Vec<String>), String> {
    let mut kind = None;
    let mut files = Vec::new();
    let mut args = std::env::args().skip(1);
    while let Some(arg) = args.next() {
        match arg.as_str() {
            "--store" => {
                kind = Some(match args.next().as_deref() {
                    Some("memory") => Kind::Memory,
                    Some("shared") => Kind::Shared,
                    other => {
                        return Err(format!("--store must be memory or shared, got {other:?}"));
                    }
                });
            }
            option if option.starts_with("--") => {
                return Err(format!("unknown option {option}; {USAGE}"));
            }
            file => files.push(file.to_owned()),
        }
    }
    match kind {
        Some(kind) if !files.is_empty() => Ok((kind, files)),
        _ => Err(USAGE.into()),
    }
}

fn run(kind: Kind, files: &[String]) -> Result<(u64, u64), String> {
    let (mut passed, mut failed) = (0, 0);
    for file in files {
        let text = std::fs::read_to_string(file).map_err(|e| format!("{file}: {e}"))?;
        let vectors: Vec<Vector> =
            serde_json::from_str(&text).map_err(|e| format!("{file}: {e}"))?;
        for vector in &vectors {
            match play(kind, vector) {
                Ok(()) => passed += 1,
                Err(difference) => {
                    failed += 1;
                    println!("{file}: vector \"{}\": {difference}", vector.name);
                }
            }
        }
    }
    Ok((passed, failed))
}

fn play(kind: Kind, vector: &Vector) -> Result<(), String> {
    let start = vector.steps.first().map_or(0, |s| s.at_us);
    let clock = Arc::new(ManualClock::new(start));
    let store = kind.open(clock.clone()).map_err(|e| e.to_string())?;
    let mut player = Player::new(vector, &clock, &store)?;
    for (i, step) in vector.steps.iter().enumerate() {
        player
            .step(step)
            .map_err(|e| format!("step {i} ({} at {} µs): {e}", step.op, step.at_us))?;
    }
    Ok(())
}
