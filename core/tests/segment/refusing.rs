//! Files that are no segment, or a damaged one: an error that says so, and nothing is touched.

use super::{BYTES, Dir, header, open, refusal};
use ratelimit_core::{Segment, SegmentOptions};
use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;

const FOREIGN: &str = "not a segment of this library; remove it or choose another path";
const DAMAGED: &str = "the segment's header is damaged; remove it to start afresh";

/// Writes a file with a segment's mode.
fn write(path: &Path, bytes: &[u8]) {
    use std::os::unix::fs::PermissionsExt;
    fs::write(path, bytes).unwrap();
    fs::set_permissions(path, fs::Permissions::from_mode(0o600)).unwrap();
}

/// The refusal of a file with these bytes, which it still has afterwards.
fn refused(options: &SegmentOptions, bytes: &[u8]) -> String {
    write(&options.path, bytes);
    let reason = refusal(options);
    assert!(fs::read(&options.path).unwrap() == bytes, "{reason}");
    reason
}

/// The bytes of a segment's file.
fn segment(options: &SegmentOptions) -> Vec<u8> {
    drop(open(options));
    let bytes = fs::read(&options.path).unwrap();
    fs::remove_file(&options.path).unwrap();
    bytes
}

#[test]
fn a_file_of_somebody_else_is_refused_and_kept() {
    let dir = Dir::new();
    let options = SegmentOptions::new(dir.path("segment"), BYTES);
    let text = "# Settings of the mail server.\n".repeat(9);
    for bytes in [text.as_bytes(), &[0; BYTES], &[0xFF; 100]] {
        assert_eq!(refused(&options, bytes), FOREIGN);
    }
    assert_eq!(dir.names(), ["segment"]);
}

#[test]
fn a_truncated_file_is_refused_at_every_length() {
    let dir = Dir::new();
    let options = SegmentOptions::new(dir.path("segment"), BYTES);
    let whole = segment(&options);
    for length in (0..=4_096).chain([BYTES / 2, BYTES - 1]) {
        let reason = refused(&options, &whole[..length]);
        let expected = if length < header::BYTES {
            format!(
                "truncated: {length} bytes are too few for a segment; remove it to start afresh"
            )
        } else {
            format!(
                "truncated or extended: {length} bytes, its header says {BYTES}; \
                 remove it to start afresh"
            )
        };
        assert_eq!(reason, expected);
    }
    assert_eq!(dir.names(), ["segment"]);
}

#[test]
fn an_extended_file_is_refused() {
    let dir = Dir::new();
    let options = SegmentOptions::new(dir.path("segment"), BYTES);
    let mut long = segment(&options);
    long.push(0);
    let expected = format!(
        "truncated or extended: {} bytes, its header says {BYTES}; remove it to start afresh",
        BYTES + 1
    );
    assert_eq!(refused(&options, &long), expected);
}

#[test]
fn every_flipped_bit_of_the_header_is_noticed() {
    let dir = Dir::new();
    let options = SegmentOptions::new(dir.path("segment"), BYTES);
    let whole = segment(&options);
    for bit in 0..header::BYTES * 8 {
        let mut flipped = whole.clone();
        flipped[bit / 8] ^= 1 << (bit % 8);
        let expected = if bit < 64 { FOREIGN } else { DAMAGED };
        assert_eq!(refused(&options, &flipped), expected, "bit {bit}");
    }
    write(&options.path, &whole);
    assert_eq!(open(&options).notice(), None);
}

#[test]
fn what_is_no_regular_file_is_refused() {
    let dir = Dir::new();
    let options = |name: &str| SegmentOptions::new(dir.path(name), BYTES);

    fs::create_dir(dir.path("directory")).unwrap();
    assert_eq!(
        refusal(&options("directory")),
        "it is a directory, a file was expected"
    );

    let pipe = std::ffi::CString::new(dir.path("pipe").as_os_str().as_bytes()).unwrap();
    // SAFETY: a string that ends with NUL.
    assert_eq!(unsafe { libc::mkfifo(pipe.as_ptr(), 0o600) }, 0);
    assert_eq!(
        refusal(&options("pipe")),
        "it is a pipe, a file was expected"
    );

    let _socket = std::os::unix::net::UnixListener::bind(dir.path("socket")).unwrap();
    let reason = refusal(&options("socket"));
    assert!(reason.starts_with("cannot be opened: "), "{reason}");

    for device in ["/dev/null", "/dev/zero", "/dev/full"] {
        assert_eq!(
            refusal(&SegmentOptions::new(device, BYTES)),
            "it is no regular file, a file was expected"
        );
    }
    assert_eq!(dir.names(), ["directory", "pipe", "socket"]);
}

#[test]
fn a_symbolic_link_is_not_followed() {
    let dir = Dir::new();
    drop(open(&SegmentOptions::new(dir.path("target"), BYTES)));
    for target in ["target", "nowhere"] {
        let link = dir.path("link");
        let _ = fs::remove_file(&link);
        std::os::unix::fs::symlink(dir.path(target), &link).unwrap();
        assert_eq!(
            refusal(&SegmentOptions::new(&link, BYTES)),
            "it is a symbolic link, which is not followed"
        );
    }
    assert_eq!(dir.names(), ["link", "target"]);
}

#[test]
fn paths_that_cannot_be_are_refused() {
    let dir = Dir::new();
    let long = "n".repeat(255);
    for (name, reason) in [
        ("missing/segment", "cannot be created: No such file"),
        ("missing/", "cannot be "),
        ("nul\0byte", "cannot be opened: "),
        (long.as_str(), "cannot be created: File name too long"),
    ] {
        let got = refusal(&SegmentOptions::new(dir.path(name), BYTES));
        assert!(got.starts_with(reason), "{name:?}: {got}");
    }
    let got = refusal(&SegmentOptions::new("", BYTES));
    assert!(got.starts_with("cannot be "), "{got}");
    assert!(dir.names().is_empty());
}

#[test]
fn sizes_and_modes_out_of_range_are_refused_by_name() {
    let dir = Dir::new();
    let mut options = SegmentOptions::new(dir.path("segment"), BYTES);
    for bytes in [0, 1, BYTES - 1, Segment::MAX_BYTES + 1, usize::MAX] {
        options.bytes = bytes;
        let expected =
            format!("bytes must be 64 KiB (65,536) to 64 GiB (68,719,476,736), got {bytes}");
        assert_eq!(Segment::open(&options).unwrap_err().to_string(), expected);
        assert_eq!(Segment::anonymous(bytes).unwrap_err().to_string(), expected);
    }
    options.bytes = BYTES;
    for mode in [0, 0o400, 0o577, 0o1600, 0o4777, u32::MAX] {
        options.mode = mode;
        let expected = format!("mode must be 0600 to 0777, got 0{mode:o}");
        assert_eq!(Segment::open(&options).unwrap_err().to_string(), expected);
    }
    assert!(dir.names().is_empty());
}
