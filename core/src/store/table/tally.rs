//! Counters that cost a call next to nothing: every thread writes a cache line of its own.
//!
//! A thread takes a shard at its first call and keeps it; shards whose thread is gone are taken
//! over when none is free. Counts stay with their shard, so the sums lose nothing. Threads that
//! find no shard share the first one. (Processes that cannot see each other's thread ids, in
//! containers that share a segment, may take over each other's shards and then lose counts.)

use std::cell::Cell;
use std::sync::atomic::Ordering::{Acquire, Relaxed, Release};
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64};

/// Shards of a table.
pub(crate) const SHARDS: usize = 128;
/// The shard of the threads that have none to themselves.
const EVERYBODYS: usize = 0;

/// One thread's counters, on a cache line of their own.
#[derive(Default)]
#[repr(C, align(64))]
pub(crate) struct Shard {
    /// The thread id, 0 for none.
    owner: AtomicU32,
    claims: AtomicU32,
    allowed: AtomicU64,
    refused: AtomicU64,
    given_up: AtomicU64,
}

impl Shard {
    #[inline(always)]
    fn counter(&self, allowed: bool) -> &AtomicU64 {
        if allowed {
            &self.allowed
        } else {
            &self.refused
        }
    }
}

/// What is counted.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Totals {
    pub allowed: u64,
    pub refused: u64,
    pub given_up: u64,
}

/// This process's view of a table's shards.
pub(crate) struct Tally<S> {
    shards: S,
    /// Tells tables apart in `MINE`.
    id: u64,
}

thread_local! {
    /// The shards this thread has taken: table and index.
    static MINE: [Cell<(u64, usize)>; 4] = const { [const { Cell::new((0, 0)) }; 4] };
}

impl<S: AsRef<[Shard]>> Tally<S> {
    pub(crate) fn new(shards: S) -> Self {
        static NEXT: AtomicU64 = AtomicU64::new(1);
        Tally {
            shards,
            id: NEXT.fetch_add(1, Relaxed),
        }
    }

    #[inline]
    pub(crate) fn decided(&self, allowed: bool) {
        match self.index() {
            EVERYBODYS => {
                let shard = &self.shards.as_ref()[EVERYBODYS];
                shard.counter(allowed).fetch_add(1, Relaxed);
            }
            own => self.decided_in(own, allowed),
        }
    }

    /// Counts in the thread's own shard.
    #[inline(always)]
    pub(crate) fn decided_in(&self, own_shard: usize, allowed: bool) {
        if let Some(shard) = self.shards.as_ref().get(own_shard) {
            let counter = shard.counter(allowed);
            counter.store(counter.load(Relaxed).wrapping_add(1), Relaxed);
        }
    }

    /// This thread's shard, if it has one to itself.
    pub(super) fn own_shard(&self) -> Option<usize> {
        Some(self.index()).filter(|&index| index != EVERYBODYS)
    }

    pub(super) fn given_up(&self) {
        let shard = &self.shards.as_ref()[self.index()];
        shard.given_up.fetch_add(1, Relaxed);
    }

    /// A number that no other claim of this table has, until a shard has made 2²⁴ of them.
    pub(super) fn nonce(&self) -> u32 {
        let index = self.index();
        let count = self.shards.as_ref()[index].claims.fetch_add(1, Relaxed);
        (index as u32) << 24 | count & 0x00FF_FFFF
    }

    pub(crate) fn totals(&self) -> Totals {
        let mut sum = Totals::default();
        for shard in self.shards.as_ref() {
            sum.allowed = sum.allowed.wrapping_add(shard.allowed.load(Relaxed));
            sum.refused = sum.refused.wrapping_add(shard.refused.load(Relaxed));
            sum.given_up = sum.given_up.wrapping_add(shard.given_up.load(Relaxed));
        }
        sum
    }

    #[inline]
    fn index(&self) -> usize {
        let slot = (self.id % 4) as usize;
        let (id, index) = MINE.with(|mine| mine[slot].get());
        if id == self.id {
            index
        } else {
            self.take(slot)
        }
    }

    #[cold]
    fn take(&self, slot: usize) -> usize {
        forget_after_fork();
        let me = thread_id();
        let shards = self.shards.as_ref();
        let owners = || {
            shards
                .iter()
                .enumerate()
                .skip(1)
                .map(|(i, s)| (i, s.owner.load(Relaxed), s))
        };
        let take =
            |s: &Shard, from: u32| s.owner.compare_exchange(from, me, Relaxed, Relaxed).is_ok();
        let index = owners()
            .find(|&(_, owner, _)| owner == me)
            .or_else(|| owners().find(|&(_, owner, s)| owner == 0 && take(s, 0)))
            .or_else(|| owners().find(|&(_, owner, s)| !is_alive(owner) && take(s, owner)))
            .map_or(EVERYBODYS, |(i, _, _)| i);
        MINE.with(|mine| mine[slot].set((self.id, index)));
        index
    }
}

fn thread_id() -> u32 {
    // SAFETY: gettid has no arguments and cannot fail.
    unsafe { libc::syscall(libc::SYS_gettid) as u32 }
}

/// Whether a thread of that id exists; one that we may not signal does.
fn is_alive(id: u32) -> bool {
    // SAFETY: signal 0 only asks.
    let asked = unsafe { libc::kill(id as libc::pid_t, 0) };
    asked == 0 || std::io::Error::last_os_error().raw_os_error() != Some(libc::ESRCH)
}

/// A child must not write to the shards of its parent.
fn forget_after_fork() {
    extern "C" fn child() {
        MINE.with(|mine| mine.iter().for_each(|slot| slot.set((0, 0))));
        super::last_key::forget();
    }
    // No `Once`: a child of a fork in the midst of it would wait for its parent's thread. Twice
    // does no harm.
    static REGISTERED: AtomicBool = AtomicBool::new(false);
    if !REGISTERED.load(Acquire) {
        // SAFETY: `child` only touches this thread's own variables. Should memory be short and the
        // registration fail, a child may lose counts, nothing else.
        unsafe { libc::pthread_atfork(None, None, Some(child)) };
        REGISTERED.store(true, Release);
    }
}
