//! Sliding windows: a cell for each segment that has counts, found by key and group of segments.
//!
//! What makes a charge exact although it reads many cells and writes one: only the newest
//! segment is ever charged. Whoever starts a newer one first claims its cell, then reads the
//! clock, then closes every older cell and frees every older claim, and only then confirms, with
//! the counts as they stood when all were closed. So
//!
//! * whoever reads a confirmed newest cell *first* and the older ones after it, reads counts that
//!   can only have gone down when its swap of the newest cell succeeds;
//! * a caller with an old reading of the clock finds its segment's cell closed, or, if it has to
//!   claim one, sees by its reading after the claim that the segment is over. So none is started
//!   behind a newer one, even if that is gone again; but where segments are so short that this
//!   might go on for ever, it relies on its look after the claim.

mod again;
mod segments;
mod start;

pub(crate) use again::Again;
pub(crate) use segments::{Segments, Unlisted};

use super::cell::Cell;
use super::{KeyHash, Memory, Table, Tag};
use crate::algorithm::Segment;
use crate::clock::Reading;
use crate::policy::SlidingWindow;
use segments::{Collect, Own, segment};
use start::Start;

/// How often to start over when a segment is over before its first charge is made.
const PATIENCE: u32 = 8;

/// A segment shorter than this, in microseconds, may be over each time.
const SHORT: u64 = 1_000;

/// Whether a call was allowed, and the time it was decided at.
pub(crate) struct Slide {
    pub allowed: bool,
    pub now: u64,
    /// When the segment that was charged stops weighing, for [`Table::take_back_segment`]; 0 if none was.
    pub charged: u64,
    /// What the thread's next charge may go by.
    pub again: Option<Again>,
}

impl<M: Memory<N>, const N: usize> Table<M, N> {
    /// Charges `cost`, at least 1, if it fits. `list` gets the segments as they are then.
    #[inline]
    pub(crate) fn slide<L: Collect>(
        &self,
        hash: KeyHash,
        w: &SlidingWindow,
        cost: u64,
        reading: &mut Reading<'_>,
        list: &mut L,
    ) -> Slide {
        let mut floor = 0;
        let (mut newer_seen, mut closed_seen) = (0, 0);
        let mut attempts = 0_u32;
        let short = w.segment_us < SHORT;
        loop {
            attempts = attempts.saturating_add(1);
            let now = reading.now();
            let number = w.number(now);
            let target = number.max(floor);
            let until = target * w.segment_us;
            let at = now.max(until.saturating_sub(w.life_us()));
            let current = self.segment(hash, w, target);
            *list = L::default();
            let mut look = self.look(hash, w, at, number, until, list);
            if look.newest > until {
                // An old reading; or, seen again after a new one, a clock that stepped back.
                if look.newest == newer_seen {
                    floor = look.newest.div_ceil(w.segment_us);
                } else {
                    newer_seen = look.newest;
                    reading.renew();
                }
                continue;
            }
            let older = look.weight;
            if let Some(own) = current {
                if own.cell.is_closed() && closed_seen != target {
                    closed_seen = target;
                    reading.renew();
                    continue;
                }
                look.weight.add(w, segment(own), at);
            }
            match current {
                _ if !w.fits(look.weight, cost) => {
                    // It has to be full at a time from after the look, too.
                    let segments = self.segments(hash, w, reading);
                    let at = w.standing(&segments, reading.now());
                    if !w.fits(w.weigh(&segments, at), cost) {
                        *list = L::from(segments);
                        return Slide::refused(reading.now());
                    }
                }
                Some(own) => {
                    let count = own.cell.amount() + cost as u32;
                    if self.swap(own.at, own.cell, own.cell.reopened(count)) {
                        list.add(Segment { until, count });
                        let again = || self.again(hash, own.at, until, at, older);
                        return Slide {
                            again: (!short).then(again),
                            ..Slide::charged(now, until)
                        };
                    }
                }
                None => {
                    let start = Start {
                        hash,
                        w,
                        target,
                        floor,
                        cost,
                        hurry: attempts > PATIENCE && (short || !reading.is_steady()),
                    };
                    if let Some(slide) = self.start_segment(&start, reading, list) {
                        return slide;
                    }
                }
            }
        }
    }

    /// The key's segments as they stand, the current one read first; the reading is then good.
    pub(crate) fn segments(
        &self,
        hash: KeyHash,
        w: &SlidingWindow,
        reading: &mut Reading<'_>,
    ) -> Segments {
        let now = reading.now();
        let number = w.number(now);
        let current = self.segment(hash, w, number);
        let mut segments = Segments::new();
        self.look(hash, w, now, number, number * w.segment_us, &mut segments);
        current
            .into_iter()
            .for_each(|own| segments.add(segment(own)));
        reading.renew();
        segments
    }

    /// Gives back `cost`, from the newest segments first.
    pub(crate) fn refund_segments(&self, hash: KeyHash, w: &SlidingWindow, cost: u64, now: u64) {
        let mut left = cost;
        loop {
            let newest = self
                .owned(hash, w, now)
                .into_iter()
                .max_by_key(|own| own.until);
            let Some(own) = newest.filter(|_| left > 0) else {
                return;
            };
            let part = left.min(own.cell.amount().into());
            self.lower_soon(Tag::from_hash(hash.tag));
            if self.lower(&own, part as u32) {
                left -= part;
            }
        }
    }

    /// Undoes a charge that [`Table::slide`] made a moment ago, of the segment that weighs until
    /// `until`; `lowered` was read before it.
    pub(crate) fn take_back_segment(
        &self,
        hash: KeyHash,
        w: &SlidingWindow,
        until: u64,
        cost: u64,
        lowered: u32,
    ) {
        while let Some(own) = self.segment(hash, w, until / w.segment_us) {
            let Some(cell) = self.mark(own.at, own.cell) else {
                continue;
            };
            if self.lowered(Tag::from_hash(hash.tag)) != lowered {
                return;
            }
            let own = Own { cell, ..own };
            if self.lower(&own, own.cell.amount().min(cost as u32)) {
                return;
            }
        }
    }

    /// Forgets the key, and what ended lately: a test's clock may step back by a segment.
    pub(crate) fn remove_segments(&self, hash: KeyHash, w: &SlidingWindow, now: u64) {
        for at in [now.saturating_sub(w.segment_us), now] {
            let remove = |own: &Own| self.swap(own.at, own.cell, Cell::EMPTY);
            loop {
                let owned = self.owned(hash, w, at);
                if owned.is_empty() {
                    break;
                }
                self.lower_soon(Tag::from_hash(hash.tag));
                if owned.iter().all(remove) {
                    break;
                }
            }
        }
    }

    fn lower(&self, own: &Own, by: u32) -> bool {
        let to = match own.cell.amount() - by {
            0 => Cell::EMPTY,
            count => own.cell.with_amount(count),
        };
        self.swap(own.at, own.cell, to)
    }
}

impl Slide {
    fn refused(now: u64) -> Slide {
        Slide {
            allowed: false,
            now,
            charged: 0,
            again: None,
        }
    }

    fn charged(now: u64, until: u64) -> Slide {
        Slide {
            allowed: true,
            now,
            charged: until,
            again: None,
        }
    }
}
