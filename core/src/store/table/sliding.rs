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
//!   claim one, finds the newer ones in its look after the claim.

use super::cell::Cell;
use super::{At, Atom, KeyHash, Memory, Place, Table};
use crate::algorithm::{Segment, Weight};
use crate::clock::Reading;
use crate::policy::SlidingWindow;
use arrayvec::ArrayVec;
use std::ops::RangeInclusive;

/// Segments that may weigh at once: 60, the one before them, and one ahead of a clock that
/// stepped back.
const MOST: usize = 62;

/// How a key's segments are spread over the table.
///
/// Neighbours share a place, so that a look finds them together. But they crowd it, so there have
/// to be more sets to choose from: with these numbers a table that is in steady use, two thirds
/// full, gives up no cell in ten thousand, and at 80 % one in a thousand; and a look compares so
/// few cells that a foreign one passes for the key's with a chance of about 2⁻⁴⁰.
#[derive(Clone, Copy)]
struct Spread {
    /// Segments that share a place.
    group: u64,
    /// Sets that a place has.
    choices: usize,
}

impl Spread {
    #[inline(always)]
    fn of(w: &SlidingWindow) -> Spread {
        let (group, choices) = match w.segments {
            ..=15 => (16, 3),
            16..=30 => (8, 4),
            _ => (8, 5),
        };
        Spread { group, choices }
    }
}

/// How often to start over when a segment is over before its first charge is made.
const PATIENCE: u32 = 8;

pub(crate) type Segments = ArrayVec<Segment, MOST>;

/// What becomes of the segments that a decision was made on.
pub(crate) trait Collect: Default + From<Segments> {
    fn add(&mut self, segment: Segment);
}

/// They are reported.
impl Collect for Segments {
    fn add(&mut self, segment: Segment) {
        if !self.is_full() {
            self.push(segment);
        }
    }
}

/// Nobody asks for them.
#[derive(Default)]
pub(crate) struct Unlisted;

impl From<Segments> for Unlisted {
    fn from(_: Segments) -> Self {
        Unlisted
    }
}

impl Collect for Unlisted {
    #[inline(always)]
    fn add(&mut self, _: Segment) {}
}

/// Whether a call was allowed, and the time it was decided at.
pub(crate) struct Slide {
    pub allowed: bool,
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

/// A charge that starts a segment.
struct Start<'a> {
    hash: KeyHash,
    w: &'a SlidingWindow,
    /// The segment's number.
    target: u64,
    /// The segment that a clock which stepped back stands at.
    floor: u64,
    cost: u64,
    /// Whether to charge a segment even if it is over before that is done.
    hurry: bool,
}

/// A key's lowest claim, and what its segments weigh.
type Settled = (Option<(At, Cell)>, Weight);

/// The segment to start, or one after it, has been started.
struct Newer;

/// What a look over the cells other than the current one found.
#[derive(Default)]
struct Look {
    weight: Weight,
    newest: u64,
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
                        return Slide::charged(now, until);
                    }
                }
                None => {
                    let start = Start {
                        hash,
                        w,
                        target,
                        floor,
                        cost,
                        hurry: attempts > PATIENCE,
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

    /// Forgets the key, and what ended lately: a test's clock may step back by a segment.
    pub(crate) fn remove_segments(&self, hash: KeyHash, w: &SlidingWindow, now: u64) {
        for at in [now.saturating_sub(w.segment_us), now] {
            let remove = |own: &Own| self.swap(own.at, own.cell, Cell::EMPTY);
            while !self.owned(hash, w, at).iter().all(remove) {}
        }
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
    fn group_place(&self, hash: KeyHash, w: &SlidingWindow, number: u64) -> Place {
        let spread = Spread::of(w);
        let sets = self.memory.sets().len();
        hash.group(number / spread.group)
            .place(sets, spread.choices)
    }

    /// The confirmed cell of one segment.
    #[inline(always)]
    fn segment(&self, hash: KeyHash, w: &SlidingWindow, number: u64) -> Option<Own> {
        let place = self.group_place(hash, w, number);
        let until = number * w.segment_us;
        let wanted = Cell::charged(place.tag, until, 0);
        self.find_all(&place, |at, cell| {
            (cell.matches(wanted) && !cell.is_pending()).then_some(Own { at, cell, until })
        })
    }

    /// Shows the cells of the key's segments of these numbers that weigh after `after`, pending
    /// ones included, to `visit`, until that returns something.
    #[inline(always)]
    fn look_at_all<R>(
        &self,
        hash: KeyHash,
        w: &SlidingWindow,
        after: u64,
        numbers: RangeInclusive<u64>,
        mut visit: impl FnMut(Own) -> Option<R>,
    ) -> Option<R> {
        let Spread { group, .. } = Spread::of(w);
        let last = numbers.end() * w.segment_us;
        for begin in (numbers.start() / group..=numbers.end() / group).map(|g| g * group) {
            let place = self.group_place(hash, w, begin);
            let begin = begin * w.segment_us;
            let found = self.find_all(&place, |at, cell| {
                let until = after + cell.until().left(after);
                let in_group = until >= begin && until - begin < group * w.segment_us;
                if in_group && until > after && until <= last {
                    visit(Own { at, cell, until })
                } else {
                    None
                }
            });
            if found.is_some() {
                return found;
            }
        }
        None
    }

    /// The confirmed cells of the key's segments, in no order.
    fn owned(&self, hash: KeyHash, w: &SlidingWindow, now: u64) -> ArrayVec<Own, MOST> {
        let mut owned = ArrayVec::new();
        self.look_at_all(
            hash,
            w,
            now,
            weighing(w, w.number(now)),
            |own| -> Option<()> {
                if !own.cell.is_pending() && !owned.is_full() {
                    owned.push(own);
                }
                None
            },
        );
        owned
    }

    /// Looks over the segments other than the one until `target`.
    #[inline(always)]
    fn look<L: Collect>(
        &self,
        hash: KeyHash,
        w: &SlidingWindow,
        at: u64,
        number: u64,
        target: u64,
        list: &mut L,
    ) -> Look {
        let mut look = Look::default();
        self.look_at_all(hash, w, at, weighing(w, number), |own| -> Option<()> {
            if own.until == target || own.cell.is_pending() {
                return None;
            }
            look.newest = look.newest.max(own.until);
            look.weight.add(w, segment(own), at);
            list.add(segment(own));
            None
        });
        look
    }

    /// Starts a segment with a charge. `None`: start over.
    #[cold]
    #[inline(never)]
    fn start_segment<L: Collect>(
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
        let until = target * w.segment_us;
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
            let Ok((pending, weight)) = self.settle(hash, w, at, number, until, list) else {
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
            // Segments that were started since are seen as long as this one weighs; and somebody
            // with an old reading must not start one that nobody looks at any more.
            let over = w.number(reading.now()).max(floor) > target + u64::from(w.segments);
            if over && !hurry {
                return self.withdraw(known);
            }
        }
    }

    /// Closes the cells before `target` and frees all claims but its lowest; returns that and
    /// the weight, as a look found them that had nothing left to do.
    fn settle<L: Collect>(
        &self,
        hash: KeyHash,
        w: &SlidingWindow,
        at: u64,
        number: u64,
        target: u64,
        list: &mut L,
    ) -> Result<Settled, Newer> {
        loop {
            let mut lowest = None;
            let mut weight = Weight::default();
            let mut settled = true;
            *list = L::default();
            let last = (number + 1).max(target / w.segment_us);
            let numbers = w.number(at) - u64::from(w.segments)..=last;
            let started = self.look_at_all(hash, w, at, numbers, |own| {
                let pending = own.cell.is_pending();
                // A claim of a segment that the clock has not reached is left over from before it
                // stepped back.
                let newer = own.until > target && own.until <= number * w.segment_us;
                if newer || !pending && own.until >= target {
                    return Some(Newer);
                }
                if pending && own.until == target && lowest.is_none() {
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

/// The segments that weigh while `number` is the current one, and the one ahead.
#[inline(always)]
fn weighing(w: &SlidingWindow, number: u64) -> RangeInclusive<u64> {
    number - u64::from(w.segments)..=number + 1
}

fn segment(own: Own) -> Segment {
    Segment {
        until: own.until,
        count: own.cell.amount(),
    }
}

impl Slide {
    fn refused(now: u64) -> Slide {
        Slide {
            allowed: false,
            now,
            charged: 0,
        }
    }

    fn charged(now: u64, until: u64) -> Slide {
        Slide {
            allowed: true,
            now,
            charged: until,
        }
    }
}
