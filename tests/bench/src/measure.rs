//! Alternating rounds, medians, and how they are printed.

use std::time::Duration;

const ROUNDS: usize = 31;

/// Makes calls; returns how long they took and how many they were.
type Run<'a> = Box<dyn Fn() -> (Duration, u64) + 'a>;

/// What is measured: pairs of candidates. All take part in every round, so that whatever else the
/// machine does meets all of them.
#[derive(Default)]
pub struct Table<'a>(Vec<Row<'a>>);

struct Row<'a> {
    name: &'static str,
    bar: f64,
    ours: Run<'a>,
    theirs: Run<'a>,
    /// Nanoseconds per call of both, by round.
    rounds: Vec<(f64, f64)>,
}

impl<'a> Table<'a> {
    /// Adds a pair whose ratio should be at most `bar`.
    pub fn row(
        &mut self,
        name: &'static str,
        bar: f64,
        ours: impl Fn() -> (Duration, u64) + 'a,
        theirs: impl Fn() -> (Duration, u64) + 'a,
    ) {
        self.0.push(Row {
            name,
            bar,
            ours: Box::new(ours),
            theirs: Box::new(theirs),
            rounds: Vec::new(),
        });
    }

    /// Measures all; prints the table for people, then the ratios for scripts.
    pub fn run(mut self) {
        for _ in 0..ROUNDS {
            self.0.iter_mut().for_each(Row::round);
        }
        let [ours, peer] = ["ours ns", "peer ns"];
        println!(
            "{:<30} {ours:>9} {peer:>9} {:>7} {:>6}",
            "measure", "ratio", "bar"
        );
        for row in &self.0 {
            let (ours, theirs) = (row.median(|r| r.0), row.median(|r| r.1));
            let (name, ratio, bar) = (row.name, row.ratio(), row.bar);
            println!("{name:<30} {ours:>9.1} {theirs:>9.1} {ratio:>7.3} {bar:>6}");
        }
        for row in &self.0 {
            println!("ratio {} {:.3}", row.name, row.ratio());
        }
    }
}

impl Row<'_> {
    fn round(&mut self) {
        let per_call = |run: &Run<'_>| {
            let (time, calls) = run();
            time.as_secs_f64() * 1e9 / calls as f64
        };
        self.rounds
            .push((per_call(&self.ours), per_call(&self.theirs)));
    }

    fn median(&self, of: impl Fn(&(f64, f64)) -> f64) -> f64 {
        let mut values: Vec<f64> = self.rounds.iter().map(of).collect();
        values.sort_by(f64::total_cmp);
        values[values.len() / 2]
    }

    /// The median of the rounds' ratios.
    fn ratio(&self) -> f64 {
        self.median(|r| r.0 / r.1)
    }
}
