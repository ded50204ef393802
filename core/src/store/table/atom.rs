//! A place in memory that holds a cell, shared by threads and processes.

use super::LINE;
use super::cell::{Cell, Tag};

/// Sixteen bytes that are read and replaced whole.
pub(crate) trait Atom: Send + Sync {
    /// Acquire.
    fn load(&self) -> Cell;

    /// Loads each cell of a line, and tells which may have the tag: one bit each, those that do
    /// not are mostly left out.
    #[inline(always)]
    fn suspects(line: &[Self; LINE], tag: Tag) -> u32
    where
        Self: Sized,
    {
        let mut bits = 0;
        for (i, atom) in line.iter().enumerate() {
            bits |= u32::from(atom.load().has(tag)) << i;
        }
        bits
    }

    /// Replaces `from` by `to` if it is still there. Acquire and release.
    fn swap(&self, from: Cell, to: Cell) -> bool;

    /// Orders a successful `swap` before it and a `load` after it, in one order for all.
    fn fence();
}

#[cfg(all(target_arch = "x86_64", not(loom)))]
pub(crate) use x86_64::Wide;

#[cfg(all(not(target_arch = "x86_64"), not(loom)))]
pub(crate) use portable::Wide;

#[cfg(loom)]
pub(crate) use model::{NEWEST, Wide};

/// By instruction: a library that picks one at run time would put a call into every load.
#[cfg(all(target_arch = "x86_64", not(loom)))]
mod x86_64 {
    use super::{Atom, Cell, LINE, Tag};
    use std::arch::{asm, x86_64::*};
    use std::cell::UnsafeCell;
    use std::sync::atomic::{AtomicBool, Ordering};

    /// Whether an aligned 16-byte load is atomic: Intel and AMD promise it where there is AVX.
    static LOADS_ARE_ATOMIC: AtomicBool = AtomicBool::new(false);

    #[repr(C, align(16))]
    pub(crate) struct Wide(UnsafeCell<[u64; 2]>);

    // SAFETY: the two words are only ever reached by the atomic instructions below.
    unsafe impl Send for Wide {}
    // SAFETY: as above.
    unsafe impl Sync for Wide {}

    impl Wide {
        /// Whether this CPU has what it takes. To be asked before any cell is used.
        pub(crate) fn is_supported() -> bool {
            LOADS_ARE_ATOMIC.store(is_x86_feature_detected!("avx"), Ordering::Relaxed);
            is_x86_feature_detected!("cmpxchg16b")
        }

        /// Where loads are atomic. On x86 every load acquires.
        #[inline(always)]
        fn load_register(&self) -> __m128i {
            let both;
            // SAFETY: the cell is 16-byte aligned and valid for reads.
            unsafe {
                asm!(
                    "movdqa {both}, [{cell}]",
                    both = out(xmm_reg) both,
                    cell = in(reg) self.0.get(),
                    options(nostack, preserves_flags, readonly),
                );
            }
            both
        }

        #[cold]
        #[inline(never)]
        fn load_by_exchange(&self) -> Cell {
            self.exchange(Cell::EMPTY, Cell::EMPTY).0
        }

        /// Compares and swaps; returns what was there.
        #[inline(always)]
        fn exchange(&self, from: Cell, to: Cell) -> (Cell, bool) {
            let (low, high): (u64, u64);
            let done: u64;
            // SAFETY: the cell is 16-byte aligned and valid for writes; `is_supported` was asked.
            // LLVM keeps rbx for itself, so it is put aside and brought back; the other operands
            // have fixed registers, so that none of them is rbx.
            unsafe {
                asm!(
                    "xchg rsi, rbx",
                    "lock cmpxchg16b [rdi]",
                    "sete cl",
                    "mov rbx, rsi",
                    in("rdi") self.0.get(),
                    inout("rsi") to.low => _,
                    inout("rcx") to.high => done,
                    inout("rax") from.low => low,
                    inout("rdx") from.high => high,
                    options(nostack),
                );
            }
            let done = done & 0xFF;
            (Cell { low, high }, done != 0)
        }
    }

    impl Atom for Wide {
        #[inline(always)]
        fn load(&self) -> Cell {
            if !LOADS_ARE_ATOMIC.load(Ordering::Relaxed) {
                return self.load_by_exchange();
            }
            let both = self.load_register();
            // SAFETY: SSE2 belongs to every x86-64.
            unsafe {
                Cell {
                    low: _mm_cvtsi128_si64(both) as u64,
                    high: _mm_cvtsi128_si64(_mm_unpackhi_epi64(both, both)) as u64,
                }
            }
        }

        /// Compares the upper halves of four tags at once.
        #[inline(always)]
        fn suspects(line: &[Self; LINE], tag: Tag) -> u32 {
            if !LOADS_ARE_ATOMIC.load(Ordering::Relaxed) {
                return u32::MAX >> 28;
            }
            let [a, b, c, d] = line;
            let [a, b, c, d] = [a, b, c, d].map(Wide::load_register);
            // SAFETY: SSE2 belongs to every x86-64.
            unsafe {
                let (ab, cd) = (_mm_unpacklo_epi32(a, b), _mm_unpacklo_epi32(c, d));
                let tags = _mm_unpackhi_epi64(ab, cd);
                let same = _mm_cmpeq_epi32(tags, _mm_set1_epi32(tag.high() as i32));
                _mm_movemask_ps(_mm_castsi128_ps(same)) as u32
            }
        }

        #[inline(always)]
        fn swap(&self, from: Cell, to: Cell) -> bool {
            self.exchange(from, to).1
        }

        /// The lock prefix of `swap` is the fence; only the compiler has to be told.
        #[inline(always)]
        fn fence() {
            std::sync::atomic::compiler_fence(Ordering::SeqCst);
        }
    }
}

#[cfg(all(not(target_arch = "x86_64"), not(loom)))]
mod portable {
    use super::{Atom, Cell};
    use portable_atomic::{AtomicU128, Ordering};

    #[repr(transparent)]
    pub(crate) struct Wide(AtomicU128);

    fn pack(cell: Cell) -> u128 {
        u128::from(cell.high) << 64 | u128::from(cell.low)
    }

    impl Wide {
        /// Whether this CPU has what it takes: a lock of this process would exclude no other.
        pub(crate) fn is_supported() -> bool {
            AtomicU128::is_lock_free()
        }
    }

    impl Atom for Wide {
        #[inline]
        fn load(&self) -> Cell {
            let both = self.0.load(Ordering::Acquire);
            Cell {
                low: both as u64,
                high: (both >> 64) as u64,
            }
        }

        #[inline]
        fn swap(&self, from: Cell, to: Cell) -> bool {
            self.0
                .compare_exchange(pack(from), pack(to), Ordering::AcqRel, Ordering::Acquire)
                .is_ok()
        }

        fn fence() {
            std::sync::atomic::fence(Ordering::SeqCst);
        }
    }
}

/// The model checker has no 16-byte atomics: tags of 5 bits and times of 24 have to do.
#[cfg(loom)]
mod model {
    use super::{Atom, Cell};
    use loom::sync::atomic::{AtomicU64, Ordering, fence};
    use std::sync::atomic::AtomicBool;

    pub(crate) struct Wide(AtomicU64);

    /// Whether loads read the newest value. As plain loads they may also read older ones, as the
    /// memory model permits; but the checker then skips interleavings: it remembers only the last
    /// access to a cell, so a thread's own load before its swap hides another thread's load.
    pub(crate) static NEWEST: AtomicBool = AtomicBool::new(false);

    fn pack(cell: Cell) -> u64 {
        assert!(cell.low >> 24 == 0 && cell.low & 0xFFFF == 0 && cell.high >> 56 == 0);
        cell.low >> 16 << 56 | cell.high
    }

    fn unpack(word: u64) -> Cell {
        Cell {
            low: word >> 56 << 16,
            high: word & (1 << 56) - 1,
        }
    }

    impl Wide {
        pub(crate) fn new(cell: Cell) -> Self {
            Wide(AtomicU64::new(pack(cell)))
        }

        pub(crate) fn is_supported() -> bool {
            true
        }
    }

    impl Atom for Wide {
        fn load(&self) -> Cell {
            unpack(match NEWEST.load(Ordering::Relaxed) {
                true => self.0.fetch_or(0, Ordering::AcqRel),
                false => self.0.load(Ordering::Acquire),
            })
        }

        fn swap(&self, from: Cell, to: Cell) -> bool {
            self.0
                .compare_exchange(pack(from), pack(to), Ordering::AcqRel, Ordering::Acquire)
                .is_ok()
        }

        fn fence() {
            fence(Ordering::SeqCst);
        }
    }
}
