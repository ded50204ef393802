//! Owner, group, mode, directories without write permission, and file systems without room.

use super::{BYTES, Dir, limiter, open, refusal, used};
use ratelimit_core::SegmentOptions;
use std::ffi::CString;
use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::{MetadataExt, PermissionsExt, chown};
use std::path::Path;

const SOMEBODY: u32 = 61_234;
const ELSE: u32 = 61_235;
const GROUP: u32 = 61_236;

/// Whether the test may change owners, mount and act as somebody else.
fn is_root() -> bool {
    // SAFETY: no arguments, cannot fail.
    unsafe { libc::geteuid() == 0 }
}

/// Runs `f` in a thread that acts as another user; the process stays who it is.
fn acting_as<R: Send>(user: u32, group: u32, f: impl FnOnce() -> R + Send) -> R {
    std::thread::scope(|scope| {
        let acting = move || {
            // SAFETY: these calls take no pointers but for an empty list. Called past the C
            // library, they change this thread only, which ends here.
            let done = unsafe {
                libc::syscall(libc::SYS_setgroups, 0, std::ptr::null::<libc::gid_t>())
                    | libc::syscall(libc::SYS_setresgid, group, group, group)
                    | libc::syscall(libc::SYS_setresuid, user, user, user)
            };
            assert_eq!(done, 0);
            f()
        };
        scope.spawn(acting).join().unwrap()
    })
}

#[test]
fn a_segment_with_another_mode_is_refused() {
    let dir = Dir::new();
    let options = SegmentOptions::new(dir.path("segment"), BYTES);
    drop(open(&options));
    for mode in [0o640, 0o666, 0o400, 0o4600, 0o1600] {
        fs::set_permissions(&options.path, fs::Permissions::from_mode(mode)).unwrap();
        if mode == 0o400 && !is_root() {
            continue; // cannot even be opened
        }
        assert_eq!(
            refusal(&options),
            format!("its mode is {mode:04o}, expected 0600")
        );
    }
}

#[test]
fn a_segment_of_another_user_is_refused() {
    if !is_root() {
        return; // only root can make one
    }
    let dir = Dir::new();
    let mut options = SegmentOptions::new(dir.path("segment"), BYTES);
    options.mode = 0o666;
    drop(open(&options));
    chown(&options.path, Some(SOMEBODY), None).unwrap();
    let reason = refusal(&options);
    assert!(
        reason.starts_with("it belongs to user 61234, expected 0"),
        "{reason}"
    );
    let reason = acting_as(ELSE, ELSE, || refusal(&options));
    assert_eq!(reason, "it belongs to user 61234, expected 61235 or 0");
    acting_as(SOMEBODY, ELSE, || drop(open(&options)));
}

#[test]
fn a_segment_of_root_is_shared_with_workers_of_another_user() {
    if !is_root() {
        return; // only root can act as somebody else
    }
    let dir = Dir::new();
    let mut options = SegmentOptions::new(dir.path("segment"), BYTES);
    options.mode = 0o666;
    assert!(limiter(&open(&options), 9).allow("key", 4).unwrap());
    assert_eq!(acting_as(SOMEBODY, ELSE, || used(&open(&options), 9)), 4);
}

#[test]
fn a_segment_of_a_group_is_shared_by_its_members_only() {
    if !is_root() {
        return; // only root can act as somebody else
    }
    let dir = Dir::new();
    fs::set_permissions(dir.path(""), fs::Permissions::from_mode(0o777)).unwrap();
    let mut options = SegmentOptions::new(dir.path("segment"), BYTES);
    options.mode = 0o660;
    options.group = Some(GROUP);
    acting_as(SOMEBODY, GROUP, || {
        assert!(limiter(&open(&options), 9).allow("key", 4).unwrap());
    });
    assert_eq!(fs::metadata(&options.path).unwrap().gid(), GROUP);
    assert_eq!(acting_as(ELSE, GROUP, || used(&open(&options), 9)), 4);
    let reason = acting_as(ELSE, ELSE, || refusal(&options));
    assert!(reason.starts_with("cannot be opened: "), "{reason}");

    chown(&options.path, None, Some(ELSE)).unwrap();
    let reason = acting_as(SOMEBODY, GROUP, || refusal(&options));
    assert!(reason.starts_with("cannot be opened: ") || reason.contains("group"));
    assert_eq!(
        acting_as(SOMEBODY, ELSE, || refusal(&options)),
        "it belongs to group 61235, expected 61236"
    );
}

#[test]
fn a_group_that_one_is_no_member_of_cannot_be_given_the_file() {
    if !is_root() {
        return; // only root can act as somebody else
    }
    let dir = Dir::new();
    fs::set_permissions(dir.path(""), fs::Permissions::from_mode(0o777)).unwrap();
    let mut options = SegmentOptions::new(dir.path("segment"), BYTES);
    options.group = Some(GROUP);
    let reason = acting_as(SOMEBODY, ELSE, || refusal(&options));
    assert!(
        reason.starts_with("cannot be given to group 61236: "),
        "{reason}"
    );
    assert!(dir.names().is_empty(), "{:?}", dir.names());
}

#[test]
fn a_directory_without_write_permission_is_an_error() {
    let dir = Dir::new();
    fs::set_permissions(dir.path(""), fs::Permissions::from_mode(0o555)).unwrap();
    let options = SegmentOptions::new(dir.path("segment"), BYTES);
    let reason = match is_root() {
        true => acting_as(SOMEBODY, ELSE, || refusal(&options)),
        false => refusal(&options),
    };
    assert!(reason.starts_with("cannot be created: "), "{reason}");
    fs::set_permissions(dir.path(""), fs::Permissions::from_mode(0o755)).unwrap();
    assert!(dir.names().is_empty());
}

/// A memory file system of 1 MiB, if this process may mount one.
struct Mounted(CString);

impl Mounted {
    fn on(path: &Path) -> Option<Mounted> {
        let at = CString::new(path.as_os_str().as_bytes()).unwrap();
        let (kind, size) = (c"tmpfs", c"size=1m");
        // SAFETY: all are strings that end with NUL.
        let mounted = unsafe {
            libc::mount(
                kind.as_ptr(),
                at.as_ptr(),
                kind.as_ptr(),
                0,
                size.as_ptr().cast(),
            )
        };
        (mounted == 0).then_some(Mounted(at))
    }
}

impl Drop for Mounted {
    fn drop(&mut self) {
        // SAFETY: a string that ends with NUL.
        unsafe { libc::umount2(self.0.as_ptr(), libc::MNT_DETACH) };
    }
}

#[test]
fn a_file_system_without_room_is_an_error_at_once() {
    let dir = Dir::new();
    let Some(_mounted) = Mounted::on(&dir.path("")) else {
        return; // nothing else that fills up is certain to be there
    };
    let options = SegmentOptions::new(dir.path("segment"), 4 << 20);
    let expected = "no room for 4194304 bytes on its file system";
    assert_eq!(refusal(&options), expected);
    assert!(dir.names().is_empty());

    let small = SegmentOptions::new(dir.path("segment"), 512 << 10);
    assert!(limiter(&open(&small), 9).allow("key", 4).unwrap());
    assert_eq!(
        refusal(&options),
        expected,
        "nor is there for a replacement"
    );
    assert_eq!(used(&open(&small), 9), 4, "the small one is still there");
    assert_eq!(dir.names(), ["segment"]);
}
