//! The slot table: where every local store keeps its state. No lock, and no allocation after
//! creation.
//!
//! A key's cell lies in one of two sets of [`WAYS`] cells; a sliding window has several cells. A
//! cell whose `until` has come is free for anybody, whoever's it was, so nothing has to be swept.
//! When all its sets are full of live cells the newcomer takes the cell that is closest to fresh,
//! and the loss is counted.
//!
//! Two processes that insert one key at once must end with one cell. So a cell is first claimed:
//! a pending cell carries no charge. Whoever meets pending cells resolves them, in a look over
//! its sets that began after the claim was there: a confirmed cell of the key wins over all;
//! else all pending cells but the lowest are freed, and then the lowest is confirmed, together
//! with the charge. Of two claims the later one sees the earlier (each fences between its claim
//! and its look), and every claim differs from all others by its nonce, so of several callers
//! with old knowledge only one can confirm. A process that dies at any point leaves at most a
//! pending cell, which ends by itself.

mod atom;
mod cell;
mod claim;
mod last_key;
mod lowered;
#[cfg(all(test, loom))]
mod model;
mod place;
mod single;
mod sliding;
mod sweep;
mod tally;

pub(crate) use atom::Wide;
pub(crate) use cell::Tag;
pub(crate) use lowered::{LOWERED, Raised};
pub(crate) use place::{KeyHash, Place};
pub(crate) use single::Step;
pub(crate) use sliding::{Again, Segments, Unlisted};
pub(crate) use tally::{SHARDS, Shard, Tally, Totals};

use atom::Atom;
use cell::Cell;
use std::sync::atomic::AtomicU64;

/// Cells in a set: four cache lines.
pub(crate) const WAYS: usize = 16;

/// Cells in a cache line; fewer for the model checker.
const LINE: usize = if cfg!(loom) { 2 } else { 4 };

/// A table over cells that `M` keeps alive. `N` is [`WAYS`], but for the model checker.
pub(crate) struct Table<M, const N: usize = WAYS> {
    pub(crate) memory: M,
}

/// What a table lives in.
pub(crate) trait Memory<const N: usize>: Send + Sync {
    type Atom: Atom;
    type Shards: AsRef<[Shard]>;

    /// At least two sets of cells that are searched together, each from a cache line's start.
    fn sets(&self) -> &[[Self::Atom; N]];

    /// No cell ended before this, in microseconds of the table's clock; 0 at first.
    fn swept(&self) -> &AtomicU64;

    /// At least one counter of what lowers charges.
    fn lowered(&self) -> &[Raised];

    /// The counters of decisions.
    fn tally(&self) -> &Tally<Self::Shards>;
}

/// A cell's number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct At(usize);

impl<M: Memory<N>, const N: usize> Table<M, N> {
    /// Where the cell of a key that has one may be: mostly in the first of two sets.
    #[inline(always)]
    pub(crate) fn place(&self, hash: KeyHash) -> Place {
        hash.place(self.memory.sets().len(), 2)
    }

    #[inline(always)]
    fn atom(&self, at: At) -> &M::Atom {
        &self.memory.sets().as_flattened()[at.0]
    }

    /// Shows all cells of a place to `visit`, with the number of the set among the place's choices,
    /// and whether they are in the line where the key begins.
    #[inline(always)]
    fn each(&self, place: &Place, mut visit: impl FnMut(usize, bool, At, Cell)) {
        let sets = self.memory.sets();
        let start = place.start % (N / LINE) * LINE;
        let mut s = place.first;
        for choice in 0..place.choices {
            for i in 0..N {
                let way = (start + i) % N;
                let in_first_line = choice == 0 && i < LINE;
                visit(choice, in_first_line, At(s * N + way), sets[s][way].load());
            }
            s = place.next(s);
        }
    }

    /// Shows the key's cells to `visit`, until that returns something. Always in the same order:
    /// set after set, each from the line where the key begins.
    #[inline(always)]
    fn find<R>(&self, place: &Place, mut visit: impl FnMut(At, Cell) -> Option<R>) -> Option<R> {
        let sets = self.memory.sets();
        let mut s = place.first;
        for _ in 0..place.choices {
            let (lines, _) = sets[s].as_chunks::<LINE>();
            for i in 0..N / LINE {
                let l = (place.start + i) % (N / LINE);
                let suspects = M::Atom::suspects(&lines[l], place.tag);
                let found = self.check(suspects, At(s * N + l * LINE), place, &mut visit);
                if found.is_some() {
                    return found;
                }
            }
            s = place.next(s);
        }
        None
    }

    /// Like `find`, in the line where the key begins.
    #[inline(always)]
    fn find_first<R>(
        &self,
        place: &Place,
        mut visit: impl FnMut(At, Cell) -> Option<R>,
    ) -> Option<R> {
        let (lines, _) = self.memory.sets()[place.first].as_chunks::<LINE>();
        let line = place.start % (N / LINE);
        let suspects = M::Atom::suspects(&lines[line], place.tag);
        self.check(
            suspects,
            At(place.first * N + line * LINE),
            place,
            &mut visit,
        )
    }

    /// Like `find`, for keys whose cells may be many and anywhere: looks at a set at a time.
    #[inline(always)]
    fn find_all<R>(
        &self,
        place: &Place,
        mut visit: impl FnMut(At, Cell) -> Option<R>,
    ) -> Option<R> {
        let sets = self.memory.sets();
        let mut s = place.first;
        for _ in 0..place.choices {
            let (lines, _) = sets[s].as_chunks::<LINE>();
            let mut suspects = 0;
            for (l, line) in lines.iter().enumerate() {
                suspects |= M::Atom::suspects(line, place.tag) << (l * LINE);
            }
            let found = self.check(suspects, At(s * N), place, &mut visit);
            if found.is_some() {
                return found;
            }
            s = place.next(s);
        }
        None
    }

    /// Shows those of the cells from `base` on that are suspects, and the key's, to `visit`.
    #[inline(always)]
    fn check<R>(
        &self,
        mut suspects: u32,
        base: At,
        place: &Place,
        visit: &mut impl FnMut(At, Cell) -> Option<R>,
    ) -> Option<R> {
        while suspects != 0 {
            let at = At(base.0 + suspects.trailing_zeros() as usize);
            suspects &= suspects - 1;
            let cell = self.atom(at).load();
            if cell.has(place.tag) {
                let found = visit(at, cell);
                if found.is_some() {
                    return found;
                }
            }
        }
        None
    }

    #[inline(always)]
    fn swap(&self, at: At, from: Cell, to: Cell) -> bool {
        self.atom(at).swap(from, to)
    }

    /// Asks for the first line of a place, to have it there when it is needed.
    #[inline(always)]
    pub(crate) fn prefetch(&self, place: &Place) {
        let start = place.start % (N / LINE) * LINE;
        fetch(&raw const self.memory.sets()[place.first][start]);
    }

    /// What all threads of all processes have counted.
    pub(crate) fn totals(&self) -> Totals {
        self.memory.tally().totals()
    }

    /// Counts a decision.
    #[inline]
    pub(crate) fn decided(&self, allowed: bool) {
        self.memory.tally().decided(allowed);
    }

    /// Counts a decision in the thread's own shard.
    #[inline(always)]
    pub(crate) fn decided_in(&self, own_shard: usize, allowed: bool) {
        self.memory.tally().decided_in(own_shard, allowed);
    }

    /// Whether both tables are the same cells.
    pub(crate) fn is(&self, other: &Self) -> bool {
        std::ptr::eq(self.memory.sets(), other.memory.sets())
    }

    /// Cells in all, and cells that are live. Reads the whole table.
    pub(crate) fn count(&self, now: u64) -> (u64, u64) {
        let cells = self.memory.sets().as_flattened().iter();
        let live = cells.filter(|atom| {
            let cell = atom.load();
            !cell.is_pending() && !cell.is_free(now)
        });
        let all = self.memory.sets().len() * N;
        (all as u64, live.count() as u64)
    }
}

#[inline(always)]
fn fetch<T>(at: *const T) {
    #[cfg(all(target_arch = "x86_64", not(loom)))]
    // SAFETY: a prefetch reads nothing that anybody could see, from any address.
    unsafe {
        std::arch::x86_64::_mm_prefetch::<{ std::arch::x86_64::_MM_HINT_T0 }>(at.cast());
    }
    #[cfg(not(all(target_arch = "x86_64", not(loom))))]
    let _ = at;
}
