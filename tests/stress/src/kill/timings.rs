//! How long calls took.

use serde::{Deserialize, Serialize};

/// Sizes of which each is at most an eighth larger than the one before.
const SIZES: usize = 64 * 8;

/// A histogram, and how many calls were made in each second.
#[derive(Debug, Serialize, Deserialize)]
pub struct Timings {
    sizes: Vec<u64>,
    pub longest_ns: u64,
    pub per_second: Vec<u64>,
}

impl Default for Timings {
    fn default() -> Self {
        Timings {
            sizes: vec![0; SIZES],
            longest_ns: 0,
            per_second: Vec::new(),
        }
    }
}

impl Timings {
    /// Adds a call of that length in that second.
    pub fn add(&mut self, ns: u64, second: usize) {
        let (power, eighth) = size(ns);
        self.sizes[power * 8 + eighth] += 1;
        self.longest_ns = self.longest_ns.max(ns);
        if self.per_second.len() <= second {
            self.per_second.resize(second + 1, 0);
        }
        self.per_second[second] += 1;
    }

    /// Adds another worker's lengths; the seconds stay its own.
    pub fn merge(&mut self, other: &Timings) {
        let both = self.sizes.iter_mut().zip(&other.sizes);
        both.for_each(|(mine, other)| *mine += other);
        self.longest_ns = self.longest_ns.max(other.longest_ns);
    }

    pub fn calls(&self) -> u64 {
        self.sizes.iter().sum()
    }

    /// What so many of a thousand calls did not exceed, rounded up to a size.
    pub fn permille_ns(&self, permille: u64) -> u64 {
        let wanted = (self.calls() * permille).div_ceil(1000);
        let mut seen = 0;
        let reached = self.sizes.iter().position(|count| {
            seen += count;
            seen >= wanted
        });
        reached.map_or(0, |size| {
            let (power, eighth) = (size as u64 / 8, size as u64 % 8);
            (8 + eighth + 1) << power >> 3
        })
    }
}

/// The power of two below, and how many eighths of it lie between.
fn size(ns: u64) -> (usize, usize) {
    let ns = ns.max(8);
    let power = ns.ilog2();
    (power as usize, (ns >> (power - 3)) as usize & 7)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn permille_is_at_most_an_eighth_too_large() {
        let mut timings = Timings::default();
        (1..=1000).for_each(|us| timings.add(us * 1000, 0));
        let p999 = timings.permille_ns(999);
        assert!((999_000..=1_124_000).contains(&p999), "{p999}");
        assert_eq!(timings.longest_ns, 1_000_000);
        assert_eq!(timings.per_second, [1000]);
    }
}
