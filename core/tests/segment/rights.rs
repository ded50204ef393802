//! Owner, group, mode, directories without write permission, and file systems without room.

use super::{BYTES, Dir, limiter, open, refusal, used};
use ratelimit_core::SegmentOptions;
use std::ffi::CString;
use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::{MetadataExt, PermissionsExt, chown};
use std::path::Path;
use std::process::Command;

const SOMEBODY: u32 = 61_234;
const ELSE: u32 = 61_235;
const GROUP: u32 = 61_236;

fn is_root() -> bool {
    // SAFETY: no arguments, cannot fail.
    unsafe { libc::geteuid() == 0 }
}

/// For a test that changes owners, mounts or acts as somebody else. If this is not root, runs it
/// by itself in a user namespace where it is, and fails if it did not pass there.
fn passed_as_root(name: &str, ids: &[&str]) -> bool {
    if is_root() {
        return false;
    }
    let output = Command::new("unshare")
        .args(["--map-root-user", "--mount"])
        .args(ids)
        .arg(std::env::current_exe().unwrap())
        .args(["--exact", &format!("rights::{name}")])
        .output();
    let said = match output {
        Ok(output) => String::from_utf8_lossy(&[output.stdout, output.stderr].concat()).into(),
        Err(e) => e.to_string(),
    };
    assert!(
        said.contains("1 passed; 0 failed"),
        "{name} changes owners, mounts or acts as another user, so it needs root, \
         or `unshare --map-root-user --mount {}` to work: {said}",
        ids.join(" ")
    );
    true
}

/// Users other than this one. The system lets a user have some if newuidmap is installed and
/// /etc/subuid lists them.
const MANY_USERS: &[&str] = &["--map-auto"];
const ONE_USER: &[&str] = &[];

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
        let reason = refusal(&options);
        if mode == 0o400 && !is_root() {
            assert!(reason.starts_with("cannot be opened: "), "{reason}");
        } else {
            assert_eq!(reason, format!("its mode is {mode:04o}, expected 0600"));
        }
    }
}

#[test]
fn a_segment_of_another_user_is_refused() {
    if passed_as_root("a_segment_of_another_user_is_refused", MANY_USERS) {
        return;
    }
    let dir = Dir::new();
    let mut options = SegmentOptions::new(dir.path("segment"), BYTES);
    options.mode = 0o666;
    drop(open(&options));
    chown(&options.path, Some(SOMEBODY), None).unwrap();
    assert_eq!(refusal(&options), "it belongs to user 61234, expected 0");
    let reason = acting_as(ELSE, ELSE, || refusal(&options));
    assert_eq!(reason, "it belongs to user 61234, expected 61235 or 0");
    acting_as(SOMEBODY, ELSE, || drop(open(&options)));

    options.group = Some(GROUP);
    assert_eq!(
        refusal(&options),
        "it belongs to user 61234, expected 0 or the group 61236"
    );
    assert_eq!(
        acting_as(ELSE, ELSE, || refusal(&options)),
        "it belongs to user 61234, expected 61235 or 0 or the group 61236"
    );
}

#[test]
fn a_segment_of_root_is_shared_with_workers_of_another_user() {
    if passed_as_root(
        "a_segment_of_root_is_shared_with_workers_of_another_user",
        MANY_USERS,
    ) {
        return;
    }
    let dir = Dir::new();
    let mut options = SegmentOptions::new(dir.path("segment"), BYTES);
    options.mode = 0o666;
    assert!(limiter(&open(&options), 9).allow("key", 4).unwrap());
    assert_eq!(acting_as(SOMEBODY, ELSE, || used(&open(&options), 9)), 4);
}

#[test]
fn a_segment_of_a_group_is_shared_by_its_members_only() {
    if passed_as_root(
        "a_segment_of_a_group_is_shared_by_its_members_only",
        MANY_USERS,
    ) {
        return;
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
    if passed_as_root(
        "a_group_that_one_is_no_member_of_cannot_be_given_the_file",
        MANY_USERS,
    ) {
        return;
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

/// A memory file system of 1 MiB.
struct Mounted(CString);

impl Mounted {
    fn on(path: &Path) -> Mounted {
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
        let refused = std::io::Error::last_os_error();
        assert_eq!(mounted, 0, "root must be allowed to mount: {refused}");
        Mounted(at)
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
    if passed_as_root("a_file_system_without_room_is_an_error_at_once", ONE_USER) {
        return;
    }
    let dir = Dir::new();
    let _mounted = Mounted::on(&dir.path(""));
    let options = SegmentOptions::new(dir.path("segment"), 4 << 20);
    let expected = "no room for 4194304 bytes more on its file system";
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
