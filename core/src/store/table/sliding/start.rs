//! Starting a segment: claim its cell, read the clock, close the older ones, confirm.

use super::Slide;
use super::segments::{Collect, segment};
use crate::algorithm::{Segment, Weight};
use crate::clock::Reading;
use crate::policy::SlidingWindow;
use crate::store::table::cell::Cell;
use crate::store::table::{At, Atom, KeyHash, Memory, Table};

/// A charge that starts a segment.
pub(super) struct Start<'a> {
    pub hash: KeyHash,
    pub w: &'a SlidingWindow,
    /// The segment's number.
    pub target: u64,
    /// The number of the segment that a clock which stepped back stands at.
    pub floor: u64,
    pub cost: u64,
    /// Whether to charge a segment even if it is over before that is done.
    pub hurry: bool,
}

impl Start<'_> {
    /// When the segment stops weighing.
    fn until(&self) -> u64 {
        self.target * self.w.segment_us
    }
}

/// A key's lowest claim, and what its segments weigh.
type Settled = (Option<(At, Cell)>, Weight);

/// The segment to start, or one after it, has been started.
struct Newer;

impl<M: Memory<N>, const N: usize> Table<M, N> {
    /// Starts a segment with a charge. `None`: start over.
    #[cold]
    #[inline(never)]
    pub(super) fn start_segment<L: Collect>(
        &self,
        start: &Start<'_>,
        reading: &mut Reading<'_>,
        list: &mut L,
    ) -> Option<Slide> {
        let &Start {
            hash,
            w,
            target,
            floor,
            cost,
            hurry,
        } = start;
        let place = self.group_place(hash, w, target);
        let until = start.until();
        let (begin, end) = (
            until.saturating_sub(w.life_us()),
            until - w.segment_us * u64::from(w.segments) - 1,
        );
        let mut known: Option<(At, Cell)> = None;
        loop {
            // Where the segment is shorter than this takes, it is charged as at its last moment.
            let now = reading.now().min(end);
            let at = now.max(begin);
            let number = w.number(reading.now());
            let Ok((pending, weight)) = self.settle(start, at, number, list) else {
                return self.withdraw(known);
            };
            match pending {
                Some((cell_at, claim)) if known == pending => {
                    if !w.fits(weight, cost) {
                        return self.withdraw(known);
                    }
                    let count = cost as u32;
                    list.add(Segment { until, count });
                    let done = self.swap(cell_at, claim, Cell::charged(place.tag, until, count));
                    return done.then(|| Slide::charged(now, until));
                }
                Some(_) => known = pending,
                None => known = self.claim(&place, until, at, true),
            }
            M::Atom::fence();
            reading.renew();
            // A newer segment may have been started since, and given back: who remembers that the
            // older ones were empty must be right. In a hurry nobody remembers.
            let over = w.number(reading.now()).max(floor) > target;
            if over && !hurry {
                return self.withdraw(known);
            }
        }
    }

    /// Closes the cells of the segments before the one to start, and frees all claims but that
    /// one's lowest. Returns that claim and the weight at `at`, as a look found them that had
    /// nothing left to do. `number` is that of the segment that the clock stands in.
    fn settle<L: Collect>(
        &self,
        start: &Start<'_>,
        at: u64,
        number: u64,
        list: &mut L,
    ) -> Result<Settled, Newer> {
        let &Start { hash, w, .. } = start;
        let until = start.until();
        let last = (number + 1).max(start.target);
        let numbers = w.number(at) - u64::from(w.segments)..=last;
        loop {
            let mut lowest = None;
            let mut weight = Weight::NONE;
            let mut settled = true;
            *list = L::default();
            let started = self.look_at_all(hash, w, at, numbers.clone(), |own| {
                let pending = own.cell.is_pending();
                // A claim of a segment that the clock has not reached is left over from before it
                // stepped back.
                let newer = own.until > until && own.until <= number * w.segment_us;
                if newer || !pending && own.until >= until {
                    return Some(Newer);
                }
                if pending && own.until == until && lowest.is_none() {
                    lowest = Some((own.at, own.cell));
                } else if pending {
                    self.swap(own.at, own.cell, Cell::EMPTY);
                    settled = false;
                } else if !own.cell.is_closed() {
                    self.swap(own.at, own.cell, own.cell.closed());
                    settled = false;
                } else {
                    weight.add(w, segment(own), at);
                    list.add(segment(own));
                }
                None
            });
            if let Some(newer) = started {
                return Err(newer);
            }
            if settled {
                return Ok((lowest, weight));
            }
        }
    }
}
