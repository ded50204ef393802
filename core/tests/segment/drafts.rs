//! What somebody who is killed while he creates a segment leaves, and who may remove it.

use super::{BYTES, Dir, limiter, lock, open, outdated, used};
use ratelimit_core::SegmentOptions;
use std::fs;
use std::process::{Child, Command};

const DRAFT: &str = "segment.0123456789abcdef.draft";
/// Tells the test binary, started again, which segment to create.
const CHILD: &str = "RATELIMIT_TEST_DRAFT";
/// Large enough to be caught at.
const LARGE: usize = 32 << 20;

/// Does nothing unless `killed` starts it.
#[test]
fn child() {
    if let Some(path) = std::env::var_os(CHILD) {
        open(&SegmentOptions::new(path, LARGE));
    }
}

/// Starts a process that opens the segment and kills it as soon as a draft is there. How often it
/// takes to be fast enough depends on the machine.
fn killed(dir: &Dir) {
    let before = dir.names();
    let start = || {
        Command::new(std::env::current_exe().unwrap())
            .args(["--exact", "drafts::child"])
            .env(CHILD, dir.path("segment"))
            .stdout(std::process::Stdio::null())
            .spawn()
            .unwrap()
    };
    let drafts = || dir.names().iter().filter(|n| n.ends_with(".draft")).count();
    let left_a_draft = |mut child: Child| {
        while drafts() == 0 && child.try_wait().unwrap().is_none() {}
        child.kill().unwrap();
        child.wait().unwrap();
        drafts() == 1
    };
    for _ in 0..200 {
        if left_a_draft(start()) {
            return;
        }
        if dir.names() != before {
            fs::remove_file(dir.path("segment")).unwrap();
        }
    }
    panic!("no child could be caught while it wrote, {:?}", dir.names());
}

#[test]
fn what_a_killed_creator_left_is_gone_after_the_next_opening() {
    let dir = Dir::new();
    killed(&dir);
    let options = SegmentOptions::new(dir.path("segment"), BYTES);
    assert!(limiter(&open(&options), 1).allow("key", 1).unwrap());
    assert_eq!(dir.names(), ["segment"]);
}

#[test]
fn joining_a_segment_removes_what_was_left_too() {
    let dir = Dir::new();
    let options = SegmentOptions::new(dir.path("segment"), BYTES);
    assert!(limiter(&open(&options), 9).allow("key", 4).unwrap());
    fs::write(dir.path(DRAFT), "half a segment").unwrap();
    assert_eq!(used(&open(&options), 9), 4);
    assert_eq!(dir.names(), ["segment"]);
}

#[test]
fn who_is_killed_after_linking_leaves_a_second_name_which_goes() {
    let dir = Dir::new();
    let options = SegmentOptions::new(dir.path("segment"), BYTES);
    assert!(limiter(&open(&options), 9).allow("key", 4).unwrap());
    fs::hard_link(&options.path, dir.path(DRAFT)).unwrap();
    assert_eq!(used(&open(&options), 9), 4);
    assert_eq!(dir.names(), ["segment"]);
}

#[test]
fn a_replacement_that_was_cut_short_is_made_by_the_next_who_opens() {
    let dir = Dir::new();
    let options = outdated(&dir);
    fs::write(dir.path(DRAFT), "half a segment").unwrap();
    assert!(open(&options).notice().is_some());
    assert_eq!(dir.names(), ["segment"]);
}

#[test]
fn a_draft_that_somebody_writes_is_left_alone() {
    let dir = Dir::new();
    let options = SegmentOptions::new(dir.path("segment"), BYTES);
    fs::write(dir.path(DRAFT), "half a segment").unwrap();
    let writing = lock(&dir.path(DRAFT));
    for _ in 0..2 {
        drop(open(&options));
        assert_eq!(dir.names(), ["segment", DRAFT]);
    }
    drop(writing);
    drop(open(&options));
    assert_eq!(dir.names(), ["segment"]);
}

#[test]
fn what_only_looks_like_a_draft_is_left_alone() {
    let dir = Dir::new();
    let names = [
        "other.0123456789abcdef.draft",
        "segment.0123456789abcde.draft",
        "segment.0123456789abcdef",
        "segment.0123456789abcdef.draft.1",
        "segment.0123456789abcdef0.draft",
        "segment.0123456789abcdeg.draft",
        "segment.draft",
    ];
    for name in names {
        fs::write(dir.path(name), "a letter").unwrap();
    }
    fs::create_dir(dir.path("segment.aaaaaaaaaaaaaaaa.draft")).unwrap();
    let link = dir.path("segment.bbbbbbbbbbbbbbbb.draft");
    std::os::unix::fs::symlink("segment.draft", link).unwrap();
    let before = dir.names();
    drop(open(&SegmentOptions::new(dir.path("segment"), BYTES)));
    fs::remove_file(dir.path("segment")).unwrap();
    assert_eq!(dir.names(), before);
}
