//! For tests that account for every key alone: what a full table gives up.

use std::sync::OnceLock;

/// A live cell that a newcomer took.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct GivenUp {
    /// Whose it was; compare with [`Limiter::tag`](crate::Limiter::tag).
    pub tag: u64,
    /// How much longer it would have lived, in microseconds.
    pub left: u64,
    /// A window's count. A bucket's ticks of 2⁻³² µs, to be subtracted from `left`.
    pub amount: u32,
}

static HOOK: OnceLock<fn(GivenUp)> = OnceLock::new();

/// Calls `hook` for each live cell that this process gives up from now on. Only the first hook
/// counts.
pub fn on_given_up(hook: fn(GivenUp)) {
    let _ = HOOK.set(hook);
}

pub(crate) fn given_up(cell: GivenUp) {
    if let Some(hook) = HOOK.get() {
        hook(cell);
    }
}

impl crate::Limiter {
    /// The tag of a key's cells.
    pub fn tag(&self, key: impl AsRef<[u8]>) -> u64 {
        self.tag_of(key.as_ref())
    }
}
