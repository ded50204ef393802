//! A memory segment that processes share: inherited over fork, or a file at a path.

mod draft;
mod file;
mod header;

use super::arena::{CELLS_AT, SET_BYTES};
use super::mapping::Mapping;
use super::table::Wide;
use super::{NO_ATOMICS, Store, random_keys};
use crate::clock::Source;
use crate::error::{ArgumentError, Error};
use std::path::PathBuf;
use std::sync::Arc;

/// The part of a segment that is set aside for given clocks: a thirty-second, but at least this
/// many sets of cells.
const MIN_GIVEN_SETS: usize = 64;

/// Memory that many processes share; a cheap handle. The mapping goes with the last handle and
/// the last store over it; a file stays.
#[derive(Clone)]
pub struct Segment {
    mapping: Arc<Mapping>,
    keys: [u64; 2],
    notice: Option<Arc<str>>,
}

/// How to open a segment at a path.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SegmentOptions {
    /// The file. On a memory file system, such as `/dev/shm`, it costs no disk traffic.
    pub path: PathBuf,
    /// Its size: [`Segment::MIN_BYTES`] to [`Segment::MAX_BYTES`]. All who open it must agree.
    pub bytes: usize,
    /// Its permissions, `0o600` unless set. An existing file must have exactly these.
    pub mode: u32,
    /// The group that it belongs to, for sharing between users; `None` leaves that to the system.
    pub group: Option<u32>,
}

impl SegmentOptions {
    /// A segment of `bytes` bytes at `path`, for this user alone.
    pub fn new(path: impl Into<PathBuf>, bytes: usize) -> Self {
        SegmentOptions {
            path: path.into(),
            bytes,
            mode: 0o600,
            group: None,
        }
    }
}

impl Segment {
    /// The smallest segment, in bytes: 64 KiB.
    pub const MIN_BYTES: usize = 64 << 10;
    /// The largest segment, in bytes: 64 GiB.
    pub const MAX_BYTES: usize = 64 << 30;

    /// A segment of this process and the children it forks from now on.
    ///
    /// # Errors
    /// [`Error::Argument`] if `bytes` is out of range, [`Error::Segment`] if there is not enough
    /// memory.
    pub fn anonymous(bytes: usize) -> Result<Segment, Error> {
        check(bytes)?;
        let fail = |e: &dyn std::fmt::Display| Error::segment(None, e);
        let mapping = Mapping::inherited(bytes).map_err(|e| fail(&e))?;
        let keys = random_keys().map_err(|e| fail(&e))?;
        Ok(Segment {
            mapping: Arc::new(mapping),
            keys,
            notice: None,
        })
    }

    /// Opens the segment at a path, or creates it. Of several processes that create it at once,
    /// one does and the others join.
    ///
    /// A segment of another boot, size or version is replaced, which [`Segment::notice`] tells;
    /// processes that have the old one open keep it to themselves. Nobody may make the file
    /// shorter while it is in use: that would kill its users.
    ///
    /// # Errors
    /// [`Error::Argument`] if the size or mode is out of range. [`Error::Segment`] if the file is
    /// not a segment, is damaged, belongs to somebody else or has another mode, if there is not
    /// enough space, or if the system refuses.
    pub fn open(options: &SegmentOptions) -> Result<Segment, Error> {
        check(options.bytes)?;
        if options.mode & !0o777 != 0 || options.mode & 0o600 != 0o600 {
            let value = format_args!("0{:o}", options.mode);
            return Err(ArgumentError::new("mode", value, "0600 to 0777").into());
        }
        let (file, header, notice) =
            file::open(options).map_err(|reason| Error::segment(Some(&options.path), reason))?;
        let mapping = Mapping::file(&file, options.bytes)
            .map_err(|e| Error::segment(Some(&options.path), e))?;
        Ok(Segment {
            mapping: Arc::new(mapping),
            keys: header.keys,
            notice: notice.map(Arc::from),
        })
    }

    /// What happened at opening that an operator should know: that an old segment was replaced.
    pub fn notice(&self) -> Option<&str> {
        self.notice.as_deref()
    }

    /// The size, in bytes.
    pub fn bytes(&self) -> usize {
        self.mapping.len()
    }

    pub(super) fn store(&self, source: Source) -> Store {
        let sets = (self.mapping.len() - CELLS_AT) / SET_BYTES;
        let system = sets - (sets / 32).max(MIN_GIVEN_SETS);
        let (table, range) = match source {
            Source::System => (0, 0..system),
            Source::Given(_) => (1, system..sets),
        };
        Store::over(&self.mapping, table, range, self.keys, source)
    }
}

impl std::fmt::Debug for Segment {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Segment")
            .field("bytes", &self.bytes())
            .finish_non_exhaustive()
    }
}

fn check(bytes: usize) -> Result<(), Error> {
    if !(Segment::MIN_BYTES..=Segment::MAX_BYTES).contains(&bytes) {
        let accepted = "64 KiB (65,536) to 64 GiB (68,719,476,736)";
        return Err(ArgumentError::new("bytes", bytes, accepted).into());
    }
    if !Wide::is_supported() {
        return Err(Error::segment(None, NO_ATOMICS));
    }
    Ok(())
}
