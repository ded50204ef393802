//! Segments at a path: who creates them, when they are replaced, and what is refused.

mod creating;
#[path = "../support/dir.rs"]
mod dir;
mod drafts;
mod header;
mod refusing;
mod replacing;
mod rights;

use dir::Dir;
use ratelimit_core::{Limiter, Policy, Segment, SegmentOptions, Store};
use std::os::fd::AsRawFd;
use std::path::Path;
use std::time::Duration;

const BYTES: usize = Segment::MIN_BYTES;

impl Dir {
    /// The names of what is in it.
    pub fn names(&self) -> Vec<String> {
        let entries = std::fs::read_dir(self.path("")).unwrap();
        let name = |e: std::io::Result<std::fs::DirEntry>| e.unwrap().file_name();
        let mut names: Vec<String> = entries
            .map(|e| name(e).to_string_lossy().into_owned())
            .collect();
        names.sort();
        names
    }
}

fn open(options: &SegmentOptions) -> Segment {
    Segment::open(options).unwrap_or_else(|e| panic!("{e}"))
}

/// A segment of another boot.
fn outdated(dir: &Dir) -> SegmentOptions {
    let options = SegmentOptions::new(dir.path("segment"), BYTES);
    drop(open(&options));
    header::patch(&options.path, header::BOOT, |w| !w);
    options
}

/// A limiter on a segment, with a window that no test outlasts.
fn limiter(segment: &Segment, limit: u64) -> Limiter {
    let hours = Policy::fixed_window(limit, Duration::from_secs(36_000)).unwrap();
    Limiter::new("api", hours, &Store::shared(segment)).unwrap()
}

/// The lock that whoever replaces a segment, or writes a draft of one, holds.
struct Lock(std::fs::File);

fn lock(path: &Path) -> Lock {
    let file = std::fs::File::open(path).unwrap();
    // SAFETY: the descriptor is open.
    let locked = unsafe { libc::flock(file.as_raw_fd(), libc::LOCK_EX | libc::LOCK_NB) };
    assert_eq!(locked, 0);
    Lock(file)
}

impl Drop for Lock {
    /// Closing the file would not do: a process that another test starts has it open for a moment.
    fn drop(&mut self) {
        // SAFETY: the descriptor is open.
        unsafe { libc::flock(self.0.as_raw_fd(), libc::LOCK_UN) };
    }
}

fn used(segment: &Segment, limit: u64) -> u64 {
    limit - limiter(segment, limit).peek("key", 0).unwrap().remaining
}

/// What `open` says on a path that it refuses: the path is named and nothing is changed.
fn refusal(options: &SegmentOptions) -> String {
    let error = Segment::open(options).expect_err("it should be refused");
    let text = error.to_string();
    let start = format!("segment {}: ", options.path.display());
    let reason = text.strip_prefix(&start);
    reason
        .unwrap_or_else(|| panic!("{text:?} does not begin with {start:?}"))
        .to_owned()
}
