//! Ridding a table of cells that are so old that the ring of time would show them as live.

use super::cell::{Cell, STALE};
use super::{Atom, Memory, Table};
use std::sync::atomic::Ordering;

impl<M: Memory<N>, const N: usize> Table<M, N> {
    /// Sweeps the table if it is time to: twice in 407 days of its clock, or when that jumps.
    #[inline]
    pub(crate) fn turn(&self, now: u64) {
        let swept = self.memory.swept().load(Ordering::Acquire);
        if now.wrapping_sub(swept) >= STALE {
            self.sweep(swept, now);
        }
    }

    /// To be called before a table is used.
    pub(crate) fn start(&self, now: u64) {
        match self.memory.swept().load(Ordering::Acquire) {
            0 => self.sweep(0, now),
            _ => self.turn(now),
        }
    }

    #[cold]
    fn sweep(&self, swept: u64, now: u64) {
        // A test's clock may step back: cells that ended lately stay. If it went further back than
        // that, all cells are from its future.
        let until = now.saturating_sub(STALE / 2).max(1);
        let forward = until.saturating_sub(swept);
        if swept != 0 && forward > 0 {
            for atom in self.memory.sets().as_flattened() {
                let cell = atom.load();
                // Since the last time nothing was written that ended before it.
                if cell != Cell::EMPTY && cell.until().since(swept) <= forward {
                    atom.swap(cell, Cell::EMPTY);
                }
            }
        }
        let swept_at = self.memory.swept();
        let _ = swept_at.compare_exchange(swept, until, Ordering::AcqRel, Ordering::Relaxed);
    }
}
