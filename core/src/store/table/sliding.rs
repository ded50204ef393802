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
//!   claim one, reads the clock after the claim and finds that its segment is over.

use super::cell::Cell;
use super::{At, Atom, KeyHash, Memory, Place, Table};
use crate::algorithm::Segment;
use crate::clock::Reading;
use crate::policy::SlidingWindow;
use arrayvec::ArrayVec;

/// Segments that may weigh at once: 60, the one before them, and one ahead of a clock that
/// stepped back.
const MOST: usize = 62;

/// Neighbouring segments that share a place.
const GROUP: u64 = 4;

pub(crate) type Segments = ArrayVec<Segment, MOST>;

/// A key's segments after a call, and the time it was decided at.
pub(crate) struct Slide {
    pub allowed: bool,
    pub segments: Segments,
    pub now: u64,
    /// The segment that was charged, for [`Table::take_back`].
    pub charged: u64,
}

/// One of the key's cells.
#[derive(Clone, Copy)]
struct Own {
    at: At,
    cell: Cell,
    until: u64,
}

/// A key's lowest claim, and its counts.
type Settled = (Option<(At, Cell)>, Segments);

/// The segment to start, or one after it, has been started.
struct Newer;

/// What a look over the cells before the current one found.
struct Look {
    segments: Segments,
    newest: u64,
    open: Option<Own>,
}

impl<M: Memory<N>, const N: usize> Table<M, N> {
    /// Charges `cost`, at least 1, if it fits.
    pub(crate) fn slide(&self, hash: KeyHash, w: &SlidingWindow, cost: u64, reading: &mut Reading<'_>) -> Slide {
        let mut floor = 0;
        let (mut newer_seen, mut closed_seen) = (0, 0);
        loop {
            let now = reading.now();
            let number = w.number(now);
            let target = number.max(floor);
            let until = target * w.segment_us;
            let current = self.segment(hash, w, target);
            let mut look = self.look(hash, w, now, number, until);
            if look.newest > until {
                // An old reading; or, seen again after a new one, a clock that stepped back.
                if look.newest == newer_seen {
                    floor = look.newest / w.segment_us;
                } else {
                    newer_seen = look.newest;
                    reading.renew();
                }
                continue;
            }
            if let Some(own) = current {
                if own.cell.is_closed() && closed_seen != target {
                    closed_seen = target;
                    reading.renew();
                    continue;
                }
                look.segments.push(segment(own));
            }
            let at = now.max(until.saturating_sub(w.life_us()));
            if !w.fits(&look.segments, at, cost) {
                if !reading.is_exact() {
                    reading.renew();
                    continue;
                }
                return Slide::refused(look.segments, now);
            }
            match current {
                Some(own) if look.open.is_none() => {
                    let count = own.cell.amount() + cost as u32;
                    if self.swap(own.at, own.cell, own.cell.reopened(count)) {
                        look.segments.pop();
                        return Slide::charged(look.segments, now, until, count);
                    }
                }
                Some(_) => self.close(look.open),
                None => {
                    if let Some(slide) = self.start_segment(hash, w, target, floor, cost, reading) {
                        return slide;
                    }
                }
            }
        }
    }

    /// The key's segments as they stand.
    pub(crate) fn segments(&self, hash: KeyHash, w: &SlidingWindow, now: u64) -> Segments {
        self.owned(hash, w, now).map(segment).collect()
    }

    /// Gives back `cost`, from the newest segments first.
    pub(crate) fn refund_segments(&self, hash: KeyHash, w: &SlidingWindow, cost: u64, now: u64) {
        let mut left = cost;
        loop {
            let newest = self.owned(hash, w, now).max_by_key(|own| own.until);
            let Some(own) = newest.filter(|_| left > 0) else {
                return;
            };
            let part = left.min(own.cell.amount().into());
            if self.lower(&own, part as u32) {
                left -= part;
            }
        }
    }

    /// Undoes a charge that [`Table::slide`] made a moment ago.
    pub(crate) fn take_back(&self, hash: KeyHash, w: &SlidingWindow, until: u64, cost: u64) {
        while let Some(own) = self.segment(hash, w, until / w.segment_us) {
            if self.lower(&own, own.cell.amount().min(cost as u32)) {
                return;
            }
        }
    }

    /// Forgets the key.
    pub(crate) fn remove_segments(&self, hash: KeyHash, w: &SlidingWindow, now: u64) {
        while !self.owned(hash, w, now).all(|o| self.swap(o.at, o.cell, Cell::EMPTY)) {}
    }

    fn lower(&self, own: &Own, by: u32) -> bool {
        let to = match own.cell.amount() - by {
            0 => Cell::EMPTY,
            count => own.cell.with_amount(count),
        };
        self.swap(own.at, own.cell, to)
    }

    /// The place of the segment's group. The window is part of the hash, so that any numbering of
    /// its segments will do; they are numbered by when they stop weighing.
    #[inline(always)]
    fn group_place(&self, hash: KeyHash, number: u64) -> Place {
        self.place(hash.group(number / GROUP))
    }

    /// The confirmed cell of one segment.
    #[inline(always)]
    fn segment(&self, hash: KeyHash, w: &SlidingWindow, number: u64) -> Option<Own> {
        let place = self.group_place(hash, number);
        let until = number * w.segment_us;
        let wanted = Cell::charged(place.tag, until, 0);
        let (at, cell) = self
            .cells(&place)
            .find(|(_, cell)| cell.matches(wanted) && !cell.is_pending())?;
        Some(Own { at, cell, until })
    }

    /// All cells of the key's segments that weigh at `now`, and of one segment ahead, pending
    /// ones included.
    #[inline(always)]
    fn all(&self, hash: KeyHash, w: &SlidingWindow, now: u64, number: u64) -> impl Iterator<Item = Own> {
        let first = number - u64::from(w.segments);
        let last = number + 1;
        (first / GROUP..=last / GROUP).flat_map(move |group| {
            let place = self.place(hash.group(group));
            let begin = group * GROUP * w.segment_us;
            self.cells(&place).filter_map(move |(at, cell)| {
                if !cell.has(place.tag) {
                    return None;
                }
                let until = begin + cell.until().since(begin);
                let ours = until - begin < GROUP * w.segment_us && until > now;
                ours.then_some(Own { at, cell, until })
            })
        })
    }

    #[inline(always)]
    fn owned(&self, hash: KeyHash, w: &SlidingWindow, now: u64) -> impl Iterator<Item = Own> {
        self.all(hash, w, now, w.number(now)).filter(|own| !own.cell.is_pending())
    }

    /// Looks over the segments other than the one until `target`.
    #[inline(always)]
    fn look(&self, hash: KeyHash, w: &SlidingWindow, now: u64, number: u64, target: u64) -> Look {
        let mut look = Look {
            segments: Segments::new(),
            newest: 0,
            open: None,
        };
        for own in self.all(hash, w, now, number) {
            if own.until == target || own.cell.is_pending() {
                continue;
            }
            look.newest = look.newest.max(own.until);
            if own.until < target && !own.cell.is_closed() {
                look.open = Some(own);
            }
            // One place is left free for the target.
            if look.segments.len() < MOST - 1 {
                look.segments.push(segment(own));
            }
        }
        look
    }

    fn close(&self, own: Option<Own>) {
        if let Some(own) = own {
            self.swap(own.at, own.cell, own.cell.closed());
        }
    }

    /// Starts the segment numbered `target` with a charge. `None`: start over.
    #[cold]
    #[inline(never)]
    fn start_segment(
        &self,
        hash: KeyHash,
        w: &SlidingWindow,
        target: u64,
        floor: u64,
        cost: u64,
        reading: &mut Reading<'_>,
    ) -> Option<Slide> {
        let place = self.group_place(hash, target);
        let until = target * w.segment_us;
        let mut known: Option<(At, Cell)> = None;
        loop {
            let now = reading.now();
            let Ok((pending, segments)) = self.settle(hash, w, now, until) else {
                return self.withdraw(known);
            };
            match pending {
                Some((at, claim)) if known == pending => {
                    let standing = now.max(until.saturating_sub(w.life_us()));
                    if !w.fits(&segments, standing, cost) {
                        self.withdraw::<()>(known);
                        return Some(Slide::refused(segments, now));
                    }
                    let cell = Cell::charged(place.tag, until, cost as u32);
                    let done = self.swap(at, claim, cell);
                    return done.then(|| Slide::charged(segments, now, until, cost as u32));
                }
                Some(_) => known = pending,
                None => known = self.claim(&place, until, now, true),
            }
            M::Atom::fence();
            reading.renew();
            if w.number(reading.now()).max(floor) != target {
                return self.withdraw(known);
            }
        }
    }

    /// Closes the cells before `target` and frees all claims but its lowest; returns that and
    /// the counts, as a look found them that had nothing left to do. 
    fn settle(&self, hash: KeyHash, w: &SlidingWindow, now: u64, target: u64) -> Result<Settled, Newer> {
        loop {
            let mut lowest = None;
            let mut segments = Segments::new();
            let mut settled = true;
            for own in self.all(hash, w, now, w.number(now)) {
                let pending = own.cell.is_pending();
                if !pending && own.until >= target {
                    return Err(Newer);
                }
                if pending && own.until == target && lowest.is_none() {
                    lowest = Some((own.at, own.cell));
                } else if pending {
                    self.swap(own.at, own.cell, Cell::EMPTY);
                    settled = false;
                } else if !own.cell.is_closed() {
                    self.close(Some(own));
                    settled = false;
                } else if segments.len() < MOST - 1 {
                    segments.push(segment(own));
                }
            }
            if settled {
                return Ok((lowest, segments));
            }
        }
    }
}

fn segment(own: Own) -> Segment {
    Segment {
        until: own.until,
        count: own.cell.amount(),
    }
}

impl Slide {
    fn refused(segments: Segments, now: u64) -> Slide {
        Slide {
            allowed: false,
            segments,
            now,
            charged: 0,
        }
    }

    fn charged(mut segments: Segments, now: u64, until: u64, count: u32) -> Slide {
        segments.push(Segment { until, count });
        Slide {
            allowed: true,
            segments,
            now,
            charged: until,
        }
    }
}
