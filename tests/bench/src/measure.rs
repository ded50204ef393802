//! Alternating rounds, medians, and how they are printed.

use std::time::Duration;

const ROUNDS: usize = 31;

/// The median time of two candidates per call, and the median of their ratios.
pub struct Ratio {
    ours: f64,
    theirs: f64,
    ratio: f64,
}

/// Measures two candidates in turn. Each returns its time and the number of calls it made.
pub fn ratio(
    mut ours: impl FnMut() -> (Duration, u64),
    mut theirs: impl FnMut() -> (Duration, u64),
) -> Ratio {
    let per_call = |(time, calls): (Duration, u64)| time.as_secs_f64() * 1e9 / calls as f64;
    ours();
    theirs();
    let rounds: Vec<(f64, f64)> = (0..ROUNDS)
        .map(|_| (per_call(ours()), per_call(theirs())))
        .collect();
    Ratio {
        ours: median(rounds.iter().map(|r| r.0)),
        theirs: median(rounds.iter().map(|r| r.1)),
        ratio: median(rounds.iter().map(|r| r.0 / r.1)),
    }
}

fn median(values: impl Iterator<Item = f64>) -> f64 {
    let mut values: Vec<f64> = values.collect();
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}

/// The results of a run.
pub struct Table(Vec<(&'static str, f64, Ratio)>);

impl Table {
    /// No results yet.
    pub fn new() -> Self {
        Table(Vec::new())
    }

    /// Adds a result that should be at most `bar`.
    pub fn row(&mut self, name: &'static str, bar: f64, ratio: Ratio) {
        self.0.push((name, bar, ratio));
    }

    /// Prints the table for humans, then the ratios for scripts.
    pub fn print(&self) {
        println!(
            "{:<30} {:>9} {:>9} {:>7} {:>6}",
            "measure", "ours ns", "peer ns", "ratio", "bar"
        );
        for (name, bar, r) in &self.0 {
            println!(
                "{name:<30} {:>9.1} {:>9.1} {:>7.3} {bar:>6}",
                r.ours, r.theirs, r.ratio
            );
        }
        for (name, _, r) in &self.0 {
            println!("ratio {name} {:.3}", r.ratio);
        }
    }
}
