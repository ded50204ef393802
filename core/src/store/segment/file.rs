//! Opening a segment's file: creation races, replacement, and everything that can be wrong with
//! it, all before anything is mapped.
//!
//! A file appears at its path only when it is complete: it is written as a draft and then linked,
//! which fails if somebody else was faster, or renamed over an outdated file. Who replaces one
//! holds a lock on it, which the system drops when its holder dies.

use super::draft::{self, Draft};
use super::header::{self, Header, Unfit};
use super::{SegmentOptions, random_keys};
use std::fs::{File, Metadata, OpenOptions};
use std::io::{self, Write};
use std::os::fd::AsRawFd;
use std::os::unix::fs::{
    FileExt, FileTypeExt, MetadataExt, OpenOptionsExt, PermissionsExt, fchown,
};
use std::path::Path;
use std::time::Duration;

/// How often to start over when others create, replace or remove the file at the same time.
const TRIES: u32 = 500;
/// How long to wait before the next try, when somebody else holds the lock.
const PAUSE: Duration = Duration::from_millis(10);

type Opened = (File, Header, Option<String>);

pub(super) fn open(options: &SegmentOptions) -> Result<Opened, String> {
    // First, since they may be what fills the file system.
    draft::remove_abandoned(&options.path);
    for _ in 0..TRIES {
        let file = match existing(&options.path) {
            Ok(file) => file,
            Err(e) if e.kind() == io::ErrorKind::NotFound => match create(options)? {
                Some(opened) => return Ok(opened),
                None => continue,
            },
            Err(e) => return Err(unopened(&e)),
        };
        match read(&file, options) {
            Ok(header) => return Ok((file, header, None)),
            Err(Unfit::Foreign(reason)) => return Err(reason),
            Err(Unfit::Outdated(notice)) => match replace(options, &file)? {
                Some((file, header)) => return Ok((file, header, Some(notice))),
                None => std::thread::sleep(PAUSE),
            },
        }
    }
    Err("others keep replacing or locking it".into())
}

fn existing(path: &Path) -> io::Result<File> {
    OpenOptions::new()
        .read(true)
        .write(true)
        .custom_flags(libc::O_NOFOLLOW | libc::O_NONBLOCK | libc::O_CLOEXEC)
        .open(path)
}

fn unopened(e: &io::Error) -> String {
    match e.raw_os_error() {
        Some(libc::ELOOP) => "it is a symbolic link, which is not followed".into(),
        Some(libc::EISDIR) => "it is a directory, a file was expected".into(),
        _ => format!("cannot be opened: {e}"),
    }
}

/// Checks whose file it is, and that it has the size its header says.
fn read(file: &File, options: &SegmentOptions) -> Result<Header, Unfit> {
    let foreign = |reason: String| Err(Unfit::Foreign(reason));
    let meta = match file.metadata() {
        Ok(meta) => meta,
        Err(e) => return foreign(format!("cannot be examined: {e}")),
    };
    if let Err(reason) = check_owner(&meta, options) {
        return foreign(reason);
    }
    let mut raw = [0; header::BYTES];
    if let Err(e) = file.read_exact_at(&mut raw, 0) {
        return foreign(match e.kind() {
            io::ErrorKind::UnexpectedEof => format!(
                "truncated: {} bytes are too few for a segment; remove it to start afresh",
                meta.len()
            ),
            _ => format!("cannot be read: {e}"),
        });
    }
    let header = Header::decode(&raw, options.bytes)?;
    if meta.len() != options.bytes as u64 {
        return foreign(format!(
            "truncated or extended: {} bytes, its header says {}; remove it to start afresh",
            meta.len(),
            options.bytes
        ));
    }
    Ok(header)
}

fn check_owner(meta: &Metadata, options: &SegmentOptions) -> Result<(), String> {
    let kind = meta.file_type();
    if !kind.is_file() {
        let what = if kind.is_fifo() {
            "a pipe"
        } else {
            "no regular file"
        };
        return Err(format!("it is {what}, a file was expected"));
    }
    // SAFETY: geteuid has no arguments and cannot fail.
    let me = unsafe { libc::geteuid() };
    let by_group = options.group.is_some_and(|group| group == meta.gid());
    if meta.uid() != me && meta.uid() != 0 && !by_group {
        let own = if me == 0 {
            String::new()
        } else {
            format!("{me} or ")
        };
        let group = options.group.map(|group| format!(" or the group {group}"));
        return Err(format!(
            "it belongs to user {}, expected {own}0{}",
            meta.uid(),
            group.unwrap_or_default()
        ));
    }
    if let Some(group) = options.group.filter(|_| !by_group) {
        return Err(format!(
            "it belongs to group {}, expected {group}",
            meta.gid()
        ));
    }
    let mode = meta.mode() & 0o7777;
    if mode != options.mode {
        return Err(format!(
            "its mode is {mode:04o}, expected {:04o}",
            options.mode
        ));
    }
    Ok(())
}

/// Creates the file. `None`: somebody else was faster.
fn create(options: &SegmentOptions) -> Result<Option<Opened>, String> {
    let (draft, header) = write_draft(options)?;
    match draft.create(&options.path) {
        Ok(file) => Ok(Some((file, header, None))),
        Err(e) if e.kind() == io::ErrorKind::AlreadyExists => Ok(None),
        Err(e) => Err(format!("cannot be created: {e}")),
    }
}

/// Puts a new file in the place of an outdated one. `None`: somebody else is about to, or has.
fn replace(options: &SegmentOptions, outdated: &File) -> Result<Option<(File, Header)>, String> {
    let examine = |e: io::Error| format!("cannot be examined: {e}");
    if !draft::lock(outdated) {
        return Ok(None);
    }
    let held = outdated.metadata().map_err(examine)?;
    match std::fs::symlink_metadata(&options.path) {
        Ok(there) if (there.dev(), there.ino()) == (held.dev(), held.ino()) => {}
        Ok(_) => return Ok(None),
        Err(e) if e.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(e) => return Err(examine(e)),
    }
    let (draft, header) = write_draft(options)?;
    let file = draft.replace(&options.path);
    let file = file.map_err(|e| format!("cannot be replaced: {e}"))?;
    Ok(Some((file, header)))
}

/// Writes a complete segment, its pages reserved, next to where it shall be.
fn write_draft(options: &SegmentOptions) -> Result<(Draft, Header), String> {
    let keys = random_keys().map_err(|e| e.to_string())?;
    let draft = Draft::new(&options.path).map_err(|e| format!("cannot be created: {e}"))?;
    let mut file = &draft.file;
    reserve(file, options.bytes)?;
    let header = Header::new(options.bytes, keys);
    file.write_all(&header.encode())
        .map_err(|e| format!("cannot be written: {e}"))?;
    if let Some(group) = options.group {
        fchown(file, None, Some(group))
            .map_err(|e| format!("cannot be given to group {group}: {e}"))?;
    }
    file.set_permissions(PermissionsExt::from_mode(options.mode))
        .map_err(|e| format!("cannot be given mode {:04o}: {e}", options.mode))?;
    Ok((draft, header))
}

/// Reserves the file's pages: a full file system is an error now, not a fault later.
fn reserve(file: &File, bytes: usize) -> Result<(), String> {
    // SAFETY: the descriptor is open for writing.
    match unsafe { libc::posix_fallocate(file.as_raw_fd(), 0, bytes as libc::off_t) } {
        0 => Ok(()),
        libc::ENOSPC => Err(format!("no room for {bytes} bytes more on its file system")),
        e => Err(format!(
            "cannot reserve {bytes} bytes: {}",
            io::Error::from_raw_os_error(e)
        )),
    }
}
