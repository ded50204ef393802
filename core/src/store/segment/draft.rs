//! A segment's file while it is written, under a name of its own next to where it shall be.
//!
//! Whoever writes a draft holds a lock on it, which the system drops when its holder dies. So a
//! draft without a lock is of somebody who was killed, and whoever comes by removes it.

use std::fs::{File, OpenOptions};
use std::io;
use std::os::fd::AsRawFd;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::{MetadataExt, OpenOptionsExt};
use std::path::{Path, PathBuf};

/// A draft is called as its segment will be, then a point, so many digits, and this.
const SUFFIX: &str = ".draft";
/// Hexadecimal digits of 64 bits.
const DIGITS: usize = 16;
/// How often to begin anew when somebody takes the new file for one left behind.
const TRIES: u32 = 100;

/// Takes the lock on a file, which goes with its descriptor. False: somebody else has it.
pub(super) fn lock(file: &File) -> bool {
    // SAFETY: the descriptor is open.
    unsafe { libc::flock(file.as_raw_fd(), libc::LOCK_EX | libc::LOCK_NB) == 0 }
}

/// Gives the lock back, which would else last as long as the file is mapped.
fn unlock(file: &File) {
    // SAFETY: the descriptor is open.
    unsafe { libc::flock(file.as_raw_fd(), libc::LOCK_UN) };
}

/// A file that is being written, and locked.
pub(super) struct Draft {
    pub file: File,
    name: Name,
}

/// The name of a draft, which goes when this is dropped.
struct Name(PathBuf);

impl Drop for Name {
    fn drop(&mut self) {
        let _ = std::fs::remove_file(&self.0);
    }
}

impl Draft {
    /// An empty file next to `path`, under a name that nobody else has.
    pub(super) fn new(path: &Path) -> io::Result<Draft> {
        for _ in 0..TRIES {
            let number = getrandom::u64().map_err(io::Error::other)?;
            let mut name = path.as_os_str().to_owned();
            name.push(format!(".{number:0DIGITS$x}{SUFFIX}"));
            let file = OpenOptions::new()
                .read(true)
                .write(true)
                .create_new(true)
                .mode(0o600)
                .custom_flags(libc::O_NOFOLLOW | libc::O_CLOEXEC)
                .open(&name)?;
            let name = Name(name.into());
            // Until it is locked, it looks like one left behind.
            if lock(&file) && file.metadata()?.nlink() > 0 {
                return Ok(Draft { file, name });
            }
        }
        Err(io::Error::other("others keep removing it"))
    }

    /// Puts the file at `path`, if nothing is there.
    pub(super) fn create(self, path: &Path) -> io::Result<File> {
        std::fs::hard_link(&self.name.0, path)?;
        Ok(self.finish())
    }

    /// Puts the file at `path`, in the place of what is there.
    pub(super) fn replace(self, path: &Path) -> io::Result<File> {
        std::fs::rename(&self.name.0, path)?;
        Ok(self.finish())
    }

    fn finish(self) -> File {
        drop(self.name);
        unlock(&self.file);
        self.file
    }
}

/// Removes the drafts for `path` whose writers were killed. What cannot be removed stays.
pub(super) fn remove_abandoned(path: &Path) {
    let Some(of) = path.file_name() else { return };
    let Ok(entries) = path.with_file_name(".").read_dir() else {
        return;
    };
    for entry in entries.flatten() {
        let name = entry.file_name();
        let regular = entry.file_type().is_ok_and(|kind| kind.is_file());
        if regular && is_draft(name.as_bytes(), of.as_bytes()) {
            remove_unlocked(&entry.path());
        }
    }
}

fn is_draft(name: &[u8], of: &[u8]) -> bool {
    let number = name.strip_prefix(of);
    let number = number.and_then(|n| n.strip_suffix(SUFFIX.as_bytes()));
    let digits = number.and_then(|n| n.strip_prefix(b"."));
    digits.is_some_and(|d| d.len() == DIGITS && d.iter().all(u8::is_ascii_hexdigit))
}

fn remove_unlocked(path: &Path) {
    let file = OpenOptions::new()
        .read(true)
        .write(true)
        .custom_flags(libc::O_NOFOLLOW | libc::O_NONBLOCK | libc::O_CLOEXEC)
        .open(path);
    let Ok(file) = file else { return };
    // Locked while the name goes: its writer, should he come for the lock only now, sees that.
    if lock(&file) {
        let _ = std::fs::remove_file(path);
    }
}
