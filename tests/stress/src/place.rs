//! A segment at a path of its own, gone with the test.

use ratelimit_core::{Error, Segment, SegmentOptions, Store};
use std::path::{Path, PathBuf};
use tempfile::TempDir;

/// A directory with a segment in it.
pub struct Place {
    dir: TempDir,
    pub bytes: usize,
    /// The test's own handle to it.
    pub store: Store,
}

impl Place {
    /// In memory if the system has a file system there, else where temporary files go.
    pub fn new(bytes: usize) -> Result<Place, String> {
        let memory = Path::new("/dev/shm");
        let dir = match memory.is_dir() {
            true => tempfile::tempdir_in(memory).or_else(|_| tempfile::tempdir()),
            false => tempfile::tempdir(),
        }
        .map_err(|e| format!("no temporary directory: {e}"))?;
        let store = open(&dir.path().join("segment"), bytes).map_err(|e| e.to_string())?;
        Ok(Place { dir, bytes, store })
    }

    pub fn path(&self) -> PathBuf {
        self.dir.path().join("segment")
    }
}

/// Opens the segment, or creates it.
pub fn open(path: &Path, bytes: usize) -> Result<Store, Error> {
    let segment = Segment::open(&SegmentOptions::new(path, bytes))?;
    Ok(Store::shared(&segment))
}
