//! A piece of memory from the system: private, or shared with other processes.

use std::io;
use std::os::fd::AsRawFd;
use std::ptr::NonNull;

/// Zeroed, page-aligned memory, given back when dropped.
pub(crate) struct Mapping {
    start: NonNull<u8>,
    bytes: usize,
}

// SAFETY: the memory belongs to the mapping, whichever thread holds that.
unsafe impl Send for Mapping {}
// SAFETY: only shared references to atomics are ever given out.
unsafe impl Sync for Mapping {}

/// Types that any bytes are a value of, and that others may change at any time.
///
/// # Safety
/// Every bit pattern is valid, and every part lies in an atomic or an `UnsafeCell`.
pub(crate) unsafe trait Shared {}

impl Mapping {
    /// Memory of this process alone; a child gets a copy.
    pub(crate) fn private(bytes: usize) -> io::Result<Mapping> {
        Self::map(bytes, libc::MAP_PRIVATE | libc::MAP_ANONYMOUS | libc::MAP_NORESERVE, -1)
    }

    /// Memory that children share.
    pub(crate) fn inherited(bytes: usize) -> io::Result<Mapping> {
        Self::map(bytes, libc::MAP_SHARED | libc::MAP_ANONYMOUS, -1)
    }

    /// A file's first `bytes`, which must be there: touching memory past a file's end is fatal.
    pub(crate) fn file(file: &impl AsRawFd, bytes: usize) -> io::Result<Mapping> {
        Self::map(bytes, libc::MAP_SHARED, file.as_raw_fd())
    }

    fn map(bytes: usize, flags: libc::c_int, fd: libc::c_int) -> io::Result<Mapping> {
        let access = libc::PROT_READ | libc::PROT_WRITE;
        // SAFETY: a new mapping at an address of the system's choice touches no other memory.
        let start = unsafe { libc::mmap(std::ptr::null_mut(), bytes, access, flags, fd, 0) };
        match NonNull::new(start.cast::<u8>()) {
            Some(start_ptr) if start != libc::MAP_FAILED => Ok(Mapping {
                start: start_ptr,
                bytes,
            }),
            _ => Err(io::Error::last_os_error()),
        }
    }

    pub(crate) fn len(&self) -> usize {
        self.bytes
    }

    /// `count` values from `offset` on.
    ///
    /// # Panics
    /// If they do not lie within the mapping, or are not aligned.
    pub(crate) fn slice<T: Shared>(&self, offset: usize, count: usize) -> &[T] {
        let end = count.checked_mul(size_of::<T>()).and_then(|n| n.checked_add(offset));
        assert!(end.is_some_and(|end| end <= self.bytes) && offset % align_of::<T>() == 0);
        // SAFETY: in bounds and aligned, since a page is; any bytes are a `T`, and all that
        // changes does so behind the shared reference, as `Shared` promises.
        unsafe { std::slice::from_raw_parts(self.start.as_ptr().add(offset).cast(), count) }
    }
}

impl Drop for Mapping {
    fn drop(&mut self) {
        // SAFETY: this is the mapping that `map` made, and nobody borrows from it any more.
        unsafe { libc::munmap(self.start.as_ptr().cast(), self.bytes) };
    }
}
