//! Many processes on one segment at once.
//!
//! `stress exact` proves that exactly the limit is admitted, `stress tiny` accounts for every key
//! of a table that is far too small, `stress kill` kills and stops workers all the time. Each
//! prints a line per test and exits with 1 if one failed. `--seconds N` says how long the loads
//! last.

mod clock;
mod exact;
mod kill;
mod losses;
mod message;
mod moving;
mod place;
mod pool;
mod report;
mod shape;
mod tiny;
mod worker;

use report::Report;
use std::path::Path;
use std::process::ExitCode;

const USAGE: &str = "usage: stress exact|tiny|kill [--seconds N]";

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let mut report = Report::default();
    match (words.first(), seconds(&words)) {
        (Some(&"worker"), _) => return work(&words),
        (Some(&"exact"), Ok(seconds)) => {
            exact::run(&mut report);
            moving::run(&mut report, seconds.unwrap_or(3));
        }
        (Some(&"tiny"), Ok(seconds)) => tiny::run(&mut report, seconds.unwrap_or(30)),
        (Some(&"kill"), Ok(seconds)) => kill::run(&mut report, seconds.unwrap_or(20)),
        _ => {
            eprintln!("{USAGE}");
            return ExitCode::from(2);
        }
    }
    match report.close() {
        true => ExitCode::SUCCESS,
        false => ExitCode::FAILURE,
    }
}

/// `worker PATH BYTES`: how the tests start this program again.
fn work(words: &[&str]) -> ExitCode {
    let [_, path, bytes] = words else {
        return ExitCode::from(2);
    };
    let Ok(bytes) = bytes.parse() else {
        return ExitCode::from(2);
    };
    worker::run(Path::new(path), bytes);
    ExitCode::SUCCESS
}

/// What `--seconds` says, if it is there. Nothing else may follow the first word.
fn seconds(words: &[&str]) -> Result<Option<u64>, ()> {
    match words {
        [_] => Ok(None),
        [_, "--seconds", n] => n.parse().ok().filter(|n| *n > 0).map(Some).ok_or(()),
        _ => Err(()),
    }
}
