//! Sliding window: counts of equal segments of time, numbered from the clock's zero.
//!
//! A segment weighs in full while the window covers it and, when it is the oldest, by the part
//! that the window still covers: by `min(until − now, segment) / segment`, where `until` is when
//! it stops weighing. So a key's state is just its segments' ends and counts.

use super::{NEVER, Verdict};
use crate::policy::SlidingWindow;

/// A segment that has counts. It stops weighing at `until`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Segment {
    pub until: u64,
    pub count: u32,
}

/// What segments weigh at some time.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Weight {
    /// Units that weigh in full.
    full: u64,
    /// What the oldest segment adds, in units times microseconds.
    partial: u128,
}

impl Weight {
    pub(crate) const NONE: Weight = Weight {
        full: 0,
        partial: 0,
    };

    #[inline]
    pub(crate) fn add(&mut self, w: &SlidingWindow, segment: Segment, at: u64) {
        let left = segment.until.saturating_sub(at);
        if left >= w.segment_us {
            self.full += u64::from(segment.count);
        } else {
            self.partial += u128::from(segment.count) * u128::from(left);
        }
    }
}

impl SlidingWindow {
    /// The number of the segment that contains `now`: times its length, when it stops weighing.
    pub(crate) fn number(&self, now: u64) -> u64 {
        now / self.segment_us + u64::from(self.segments) + 1
    }

    /// From the start of a segment until it stops weighing.
    pub(crate) fn life_us(&self) -> u64 {
        (u64::from(self.segments) + 1) * self.segment_us
    }

    /// The time to decide at: a clock behind the newest segment stands at that segment's start.
    pub(crate) fn standing(&self, segments: &[Segment], now: u64) -> u64 {
        segments
            .iter()
            .map(|s| s.until.saturating_sub(self.life_us()))
            .fold(now, u64::max)
    }

    /// Whether `cost` fits on top of what weighs, compared without rounding.
    #[inline]
    pub(crate) fn fits(&self, weight: Weight, cost: u64) -> bool {
        match self
            .limit
            .checked_sub(weight.full)
            .and_then(|l| l.checked_sub(cost))
        {
            None => false,
            Some(room) => weight.partial <= u128::from(room) * u128::from(self.segment_us),
        }
    }

    /// What the segments weigh at `at`.
    pub(crate) fn weigh(&self, segments: &[Segment], at: u64) -> Weight {
        let mut weight = Weight::NONE;
        segments.iter().for_each(|s| weight.add(self, *s, at));
        weight
    }

    /// The decision on a charge of `cost`, given the state after it if it was admitted.
    pub(crate) fn verdict(
        &self,
        allowed: bool,
        segments: &[Segment],
        now: u64,
        cost: u64,
    ) -> Verdict {
        let at = self.standing(segments, now);
        let weight = self.weigh(segments, at);
        let used = weight.full + weight.partial.div_ceil(self.segment_us.into()) as u64;
        let newest = segments
            .iter()
            .filter(|s| s.count > 0)
            .map(|s| s.until)
            .max();
        Verdict {
            allowed,
            remaining: self.limit.saturating_sub(used),
            retry_after: if allowed {
                0
            } else {
                self.retry_after(segments, now, at, cost)
            },
            reset_after: newest.map_or(0, |until| until.saturating_sub(now)),
            wait: 0,
        }
    }

    /// Walks through the segments in the order in which they stop weighing.
    fn retry_after(&self, segments: &[Segment], now: u64, at: u64, cost: u64) -> u64 {
        let Some(room) = self.limit.checked_sub(cost) else {
            return NEVER;
        };
        let mut passed = at;
        loop {
            let weighing = segments.iter().filter(|s| s.until > passed && s.count > 0);
            let Some(oldest) = weighing.min_by_key(|s| s.until) else {
                return passed - now; // nothing weighs any more
            };
            let younger = segments.iter().filter(|s| s.until > oldest.until);
            let younger: u64 = younger.map(|s| u64::from(s.count)).sum();
            if let Some(spare) = room.checked_sub(younger) {
                let spare = u128::from(spare) * u128::from(self.segment_us);
                let share = spare / u128::from(oldest.count);
                let left = share.min(self.segment_us.into()) as u64;
                let free = (oldest.until - left).max(at);
                // It always is, but for the segments of a damaged table.
                if self.fits(self.weigh(segments, free), cost) {
                    return free - now;
                }
            }
            passed = oldest.until;
        }
    }
}
