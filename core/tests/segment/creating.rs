//! Creating and joining, one after the other and all at once.

use super::{BYTES, Dir, limiter, open, used};
use ratelimit_core::SegmentOptions;
use std::os::unix::fs::MetadataExt;
use std::process::{Command, Stdio};
use std::sync::Barrier;

/// Tells the test binary, started again, which segment to open.
const CHILD: &str = "RATELIMIT_TEST_SEGMENT";

#[test]
fn what_one_handle_charges_the_other_sees() {
    let dir = Dir::new();
    let options = SegmentOptions::new(dir.path("segment"), BYTES);
    let first = open(&options);
    assert!(limiter(&first, 10).allow("key", 7).unwrap());
    let second = open(&options);
    assert_eq!(used(&second, 10), 7);
    assert_eq!(second.notice(), None);
    assert_eq!(second.bytes(), BYTES);
}

#[test]
fn state_outlives_the_last_handle() {
    let dir = Dir::new();
    let options = SegmentOptions::new(dir.path("segment"), BYTES);
    assert!(limiter(&open(&options), 10).allow("key", 7).unwrap());
    assert_eq!(used(&open(&options), 10), 7);
}

#[test]
fn a_new_file_has_the_size_and_mode_asked_for_and_all_its_pages() {
    let dir = Dir::new();
    for (name, bytes, mode) in [
        ("a", BYTES, 0o600),
        ("b", 100_001, 0o660),
        ("c", 1 << 20, 0o777),
    ] {
        let path = dir.path(name);
        let mut options = SegmentOptions::new(&path, bytes);
        options.mode = mode;
        let segment = open(&options);
        let meta = std::fs::metadata(&path).unwrap();
        assert_eq!(meta.len(), bytes as u64);
        assert_eq!(meta.mode() & 0o7777, mode, "whatever the umask is");
        assert!(meta.blocks() * 512 >= bytes as u64, "{}", meta.blocks());
        assert!(limiter(&segment, 1).allow("key", 1).unwrap());
        assert_eq!(used(&open(&options), 1), 1);
    }
    assert_eq!(dir.names(), ["a", "b", "c"], "nothing else is left");
}

#[test]
fn threads_that_create_at_once_end_with_one_segment() {
    for threads in [2, 8] {
        let dir = Dir::new();
        let options = SegmentOptions::new(dir.path("segment"), BYTES);
        let start = Barrier::new(threads);
        let limit = threads as u64 * 5;
        let allowed: u64 = std::thread::scope(|scope| {
            let thread = || {
                start.wait();
                let segment = open(&options);
                assert_eq!(segment.notice(), None);
                let limiter = limiter(&segment, limit);
                (0..10).filter(|_| limiter.allow("key", 1).unwrap()).count() as u64
            };
            let threads: Vec<_> = (0..threads).map(|_| scope.spawn(thread)).collect();
            threads.into_iter().map(|t| t.join().unwrap()).sum()
        });
        assert_eq!(allowed, limit);
        assert_eq!(dir.names(), ["segment"]);
    }
}

/// Does nothing unless `processes_that_create_at_once_end_with_one_segment` starts it.
#[test]
fn child() {
    let Some(path) = std::env::var_os(CHILD) else {
        return;
    };
    // The parent closes the pipe when all children are there.
    std::io::read_to_string(std::io::stdin()).unwrap();
    let limiter = limiter(&open(&SegmentOptions::new(path, BYTES)), 100);
    let allowed = (0..50).filter(|_| limiter.allow("key", 1).unwrap()).count();
    println!("allowed={allowed};");
}

#[test]
fn processes_that_create_at_once_end_with_one_segment() {
    let dir = Dir::new();
    let path = dir.path("segment");
    let start = || {
        Command::new(std::env::current_exe().unwrap())
            .args(["--exact", "creating::child", "--nocapture"])
            .env(CHILD, &path)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap()
    };
    let mut children: Vec<_> = (0..8).map(|_| start()).collect();
    children.iter_mut().for_each(|c| drop(c.stdin.take()));
    let mut allowed = 0;
    for child in children {
        let output = child.wait_with_output().unwrap();
        let text = String::from_utf8(output.stdout).unwrap();
        let count = text
            .split_once("allowed=")
            .and_then(|(_, rest)| rest.split_once(';'));
        let (count, _) = count.unwrap_or_else(|| panic!("the child said {text:?}"));
        allowed += count.parse::<u64>().unwrap();
    }
    assert_eq!(allowed, 100, "of 8 × 50 calls");
    let segment = open(&SegmentOptions::new(&path, BYTES));
    assert_eq!(used(&segment, 100), 100);
    assert_eq!(dir.names(), ["segment"]);
}

#[test]
fn a_removed_file_is_created_anew_and_the_old_one_lives_on() {
    let dir = Dir::new();
    let options = SegmentOptions::new(dir.path("segment"), BYTES);
    let old = open(&options);
    assert!(limiter(&old, 10).allow("key", 3).unwrap());
    std::fs::remove_file(&options.path).unwrap();
    let new = open(&options);
    assert_eq!(used(&new, 10), 0);
    assert!(limiter(&old, 10).allow("key", 3).unwrap());
    assert_eq!((used(&old, 10), used(&new, 10)), (6, 0));
}
