//! A piece of memory from the system: private, or shared with other processes.

use std::io;
use std::os::fd::AsRawFd;
use std::ptr::NonNull;
use std::sync::Arc;

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
        let mapping = Self::map(
            bytes,
            libc::MAP_PRIVATE | libc::MAP_ANONYMOUS | libc::MAP_NORESERVE,
            -1,
        )?;
        // Keys lie anywhere in it, so small pages would miss in the TLB at nearly every call.
        // SAFETY: it is ours; only advice, and fine to fail.
        #[cfg(target_os = "linux")]
        unsafe {
            libc::madvise(mapping.start.as_ptr().cast(), bytes, libc::MADV_HUGEPAGE);
        }
        Ok(mapping)
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
}

impl Drop for Mapping {
    fn drop(&mut self) {
        // SAFETY: this is the mapping that `map` made, and nobody borrows from it any more.
        unsafe { libc::munmap(self.start.as_ptr().cast(), self.bytes) };
    }
}

/// Some values in a mapping, which they keep alive.
pub(crate) struct Part<T> {
    values: NonNull<[T]>,
    _mapping: Arc<Mapping>,
}

// SAFETY: as for the mapping.
unsafe impl<T: Shared> Send for Part<T> {}
// SAFETY: as for the mapping.
unsafe impl<T: Shared> Sync for Part<T> {}

impl<T: Shared> Part<T> {
    /// `count` values from `offset` on.
    ///
    /// # Panics
    /// If they do not lie within the mapping, or are not aligned.
    pub(crate) fn new(mapping: &Arc<Mapping>, offset: usize, count: usize) -> Part<T> {
        let end = count
            .checked_mul(size_of::<T>())
            .and_then(|n| n.checked_add(offset));
        let fits = end.is_some_and(|end| end <= mapping.bytes);
        assert!(fits && offset.is_multiple_of(align_of::<T>()) && size_of::<T>() > 0);
        // SAFETY: in bounds.
        let first = unsafe { mapping.start.add(offset) };
        Part {
            values: NonNull::slice_from_raw_parts(first.cast(), count),
            _mapping: Arc::clone(mapping),
        }
    }
}

impl<T: Shared> AsRef<[T]> for Part<T> {
    #[inline(always)]
    fn as_ref(&self) -> &[T] {
        // SAFETY: `new` checked bounds and alignment; any bytes are a `T`, and all that changes
        // does so behind the shared reference, as `Shared` promises.
        unsafe { self.values.as_ref() }
    }
}
