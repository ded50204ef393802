//! Segments that are of no use any more: of another boot, size or version.

use super::{BYTES, Dir, header, limiter, lock, open, outdated, refusal, used};
use ratelimit_core::SegmentOptions;
use std::os::unix::fs::MetadataExt;
use std::path::Path;
use std::sync::Barrier;

/// Creates a segment with state in it, makes it outdated, and opens it again.
fn replaced(options: &SegmentOptions, outdate: impl Fn(&Path)) -> String {
    let old = open(options);
    assert!(limiter(&old, 10).allow("key", 3).unwrap());
    let inode = std::fs::metadata(&options.path).unwrap().ino();
    outdate(&options.path);
    let new = open(options);
    assert_ne!(std::fs::metadata(&options.path).unwrap().ino(), inode);
    assert_eq!(used(&new, 10), 0, "a new one is empty");
    assert!(limiter(&old, 10).allow("key", 3).unwrap());
    assert_eq!(used(&old, 10), 6, "who has the old one open keeps it");
    assert_eq!(used(&new, 10), 0);
    let again = open(options);
    assert_eq!(again.notice(), None, "replaced once, not each time");
    new.notice().expect("a replacement is told").to_owned()
}

#[test]
fn a_segment_of_another_boot_is_replaced() {
    for word in [header::BOOT, header::BOOT + 1, header::TIME_NAMESPACE] {
        let dir = Dir::new();
        let options = SegmentOptions::new(dir.path("segment"), BYTES);
        let notice = replaced(&options, |path| header::patch(path, word, |w| w ^ 1));
        assert_eq!(notice, "replaced a segment of another boot");
        assert_eq!(dir.names(), ["segment"]);
    }
}

#[test]
fn a_segment_of_another_layout_is_replaced() {
    let dir = Dir::new();
    let options = SegmentOptions::new(dir.path("segment"), BYTES);
    let notice = replaced(&options, |path| {
        header::patch(path, header::LAYOUT, |_| u64::MAX)
    });
    let expected = format!(
        "replaced a segment of layout version {}, this library has ",
        u64::MAX
    );
    assert!(notice.starts_with(&expected), "{notice}");
}

#[test]
fn a_segment_of_another_size_is_replaced() {
    let dir = Dir::new();
    let mut options = SegmentOptions::new(dir.path("segment"), BYTES);
    let small = open(&options);
    assert!(limiter(&small, 10).allow("key", 3).unwrap());
    for (old, bytes) in [(BYTES, 2 * BYTES), (2 * BYTES, BYTES + 1)] {
        options.bytes = bytes;
        let notice = open(&options).notice().map(str::to_owned);
        let expected = format!("replaced a segment of {old} bytes, {bytes} are wanted");
        assert_eq!(notice, Some(expected));
        let meta = std::fs::metadata(&options.path).unwrap();
        assert_eq!(meta.len(), bytes as u64);
        assert_eq!(open(&options).notice(), None);
    }
    assert_eq!(used(&small, 10), 3);
}

#[test]
fn a_replacement_keeps_mode_and_owner_checks() {
    let dir = Dir::new();
    let mut options = SegmentOptions::new(dir.path("segment"), BYTES);
    drop(open(&options));
    header::patch(&options.path, header::BOOT, |w| !w);
    options.mode = 0o666;
    assert_eq!(refusal(&options), "its mode is 0600, expected 0666");
}

#[test]
fn threads_that_replace_at_once_end_with_one_segment() {
    for _ in 0..10 {
        let dir = Dir::new();
        let options = SegmentOptions::new(dir.path("segment"), BYTES);
        drop(open(&options));
        header::patch(&options.path, header::BOOT, |w| !w);
        let start = Barrier::new(8);
        let opened: Vec<(bool, bool)> = std::thread::scope(|scope| {
            let thread = || {
                start.wait();
                let segment = open(&options);
                let allowed = limiter(&segment, 3).allow("key", 1).unwrap();
                (segment.notice().is_some(), allowed)
            };
            let threads: Vec<_> = (0..8).map(|_| scope.spawn(thread)).collect();
            threads.into_iter().map(|t| t.join().unwrap()).collect()
        });
        let noticed = opened.iter().filter(|(notice, _)| *notice).count();
        let allowed = opened.iter().filter(|(_, allowed)| *allowed).count();
        assert_eq!((noticed, allowed), (1, 3));
        assert_eq!(dir.names(), ["segment"]);
    }
}

#[test]
fn who_waits_for_a_replacement_gets_it() {
    let dir = Dir::new();
    let options = outdated(&dir);
    let replacing = lock(&options.path);
    std::thread::scope(|scope| {
        let waits = scope.spawn(|| open(&options));
        drop(replacing);
        let opened = waits.join().unwrap();
        assert_eq!(opened.notice(), Some("replaced a segment of another boot"));
    });
}

#[test]
fn a_lock_that_is_never_given_back_is_an_error_not_a_hang() {
    let dir = Dir::new();
    let options = outdated(&dir);
    let _held = lock(&options.path);
    assert_eq!(refusal(&options), "others keep replacing or locking it");
}

#[test]
fn a_lock_on_a_segment_in_use_disturbs_nobody() {
    let dir = Dir::new();
    let options = SegmentOptions::new(dir.path("segment"), BYTES);
    drop(open(&options));
    let _held = lock(&options.path);
    assert_eq!(open(&options).notice(), None);
}
