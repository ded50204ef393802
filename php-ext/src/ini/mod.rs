//! Settings in php.ini. A bad value is warned of, and the default used.

mod parse;

use crate::engine::value::Borrowed;
use crate::segment;
use ext_php_rs::error::php_error;
use ext_php_rs::ffi::{ext_php_rs_sapi_module, zend_ini_entry_def, zend_string};
use ext_php_rs::flags::{ErrorType, IniEntryPermission};
use ext_php_rs::zend::{IniEntryDef, IniEntryDefs};
use ratelimit_core::{Segment, SegmentOptions};
use std::cell::{Cell, RefCell};
use std::ffi::{CStr, CString, OsStr, c_int, c_void};
use std::os::unix::ffi::OsStrExt;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU32, AtomicUsize, Ordering::Relaxed};

const SYSTEM: IniEntryPermission = IniEntryPermission::System;
const PER_DIRECTORY: IniEntryPermission =
    IniEntryPermission::System.union(IniEntryPermission::PerDir);

pub static ENTRIES: IniEntryDefs<8> = IniEntryDefs::new([
    entry::<Enabled>(c"ratelimit.enabled", c"1", SYSTEM),
    entry::<EnableCli>(c"ratelimit.enable_cli", c"1", SYSTEM),
    entry::<Namespace>(c"ratelimit.namespace", c"", PER_DIRECTORY),
    entry::<ShmSize>(c"ratelimit.shm_size", c"32M", SYSTEM),
    entry::<ShmPath>(c"ratelimit.shm_path", c"", SYSTEM),
    entry::<ShmMode>(c"ratelimit.shm_mode", c"0600", SYSTEM),
    entry::<ShmGroup>(c"ratelimit.shm_group", c"", SYSTEM),
    IniEntryDef::end(),
]);

// What a pool or a directory may set for itself. In a PHP with threads each has its own settings.
thread_local! {
    static ENABLED: Cell<bool> = const { Cell::new(true) };
    static ENABLED_IN_CLI: Cell<bool> = const { Cell::new(true) };
    static NAMESPACE: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
}

// What is read once, as the module starts.
static SIZE: AtomicUsize = AtomicUsize::new(0);
static MODE: AtomicU32 = AtomicU32::new(0);
static PATH: Mutex<Vec<u8>> = Mutex::new(Vec::new());
static GROUP: Mutex<Option<u32>> = Mutex::new(None);

/// Whether limiters limit: `ratelimit.enabled`, and in the CLI `ratelimit.enable_cli` too.
pub fn enabled() -> bool {
    ENABLED.get() && (ENABLED_IN_CLI.get() || !is_cli())
}

/// Runs `use_it` on `ratelimit.namespace`.
pub fn with_namespace<T>(use_it: impl FnOnce(&[u8]) -> T) -> T {
    NAMESPACE.with_borrow(|namespace| use_it(namespace))
}

/// The segment to make as the module starts.
pub fn segment() -> SegmentOptions {
    let path = PATH.lock().unwrap_or_else(|e| e.into_inner());
    let mut options = SegmentOptions::new(OsStr::from_bytes(&path), SIZE.load(Relaxed));
    options.mode = MODE.load(Relaxed);
    options.group = *GROUP.lock().unwrap_or_else(|e| e.into_inner());
    options
}

fn is_cli() -> bool {
    // SAFETY: the SAPI's description outlives all modules, and its name is a C string.
    unsafe { CStr::from_ptr((*ext_php_rs_sapi_module()).name) == c"cli" }
}

/// A setting: what it takes, and where it goes.
trait Setting {
    const EXPECTED: &'static str;
    /// Whether it is read as the module starts, so that a later value would mean nothing.
    const ONLY_AT_START: bool = false;
    /// Whether the value is one to take; then it is taken.
    fn take(value: &[u8]) -> bool;
}

/// Puts a parsed value where it belongs.
fn store<T>(value: Option<T>, place: impl FnOnce(T)) -> bool {
    value.map(place).is_some()
}

struct Enabled;
impl Setting for Enabled {
    const EXPECTED: &'static str = "must be 0 or 1";
    fn take(value: &[u8]) -> bool {
        store(parse::switch(value), |on| ENABLED.set(on))
    }
}

struct EnableCli;
impl Setting for EnableCli {
    const EXPECTED: &'static str = "must be 0 or 1";
    fn take(value: &[u8]) -> bool {
        store(parse::switch(value), |on| ENABLED_IN_CLI.set(on))
    }
}

struct Namespace;
impl Setting for Namespace {
    const EXPECTED: &'static str = "may be any text";
    fn take(value: &[u8]) -> bool {
        NAMESPACE.replace(value.to_vec());
        segment::forget_namespace();
        true
    }
}

struct ShmSize;
impl Setting for ShmSize {
    const EXPECTED: &'static str = "must be 64K to 64G, as in 32M";
    const ONLY_AT_START: bool = true;
    fn take(value: &[u8]) -> bool {
        let range = Segment::MIN_BYTES..=Segment::MAX_BYTES;
        store(parse::bytes(value).filter(|n| range.contains(n)), |n| {
            SIZE.store(n, Relaxed)
        })
    }
}

struct ShmPath;
impl Setting for ShmPath {
    const EXPECTED: &'static str = "must be an absolute path, or empty for memory without a file";
    const ONLY_AT_START: bool = true;
    fn take(value: &[u8]) -> bool {
        let good = value.is_empty() || value.starts_with(b"/");
        store(good.then(|| value.to_vec()), |path| {
            *PATH.lock().unwrap_or_else(|e| e.into_inner()) = path;
        })
    }
}

struct ShmMode;
impl Setting for ShmMode {
    const EXPECTED: &'static str =
        "must be an octal file mode from 0600 to 0777 that lets its owner read and write";
    const ONLY_AT_START: bool = true;
    fn take(value: &[u8]) -> bool {
        store(parse::mode(value), |mode| MODE.store(mode, Relaxed))
    }
}

struct ShmGroup;
impl Setting for ShmGroup {
    const EXPECTED: &'static str = "must be the name or number of a group, or empty";
    const ONLY_AT_START: bool = true;
    fn take(value: &[u8]) -> bool {
        let group = if value.is_empty() {
            Some(None)
        } else {
            group_id(value).map(Some)
        };
        store(group, |id| {
            *GROUP.lock().unwrap_or_else(|e| e.into_inner()) = id
        })
    }
}

/// A group's number, from its number or name.
fn group_id(value: &[u8]) -> Option<u32> {
    if let Some(number) = parse::decimal(value) {
        return u32::try_from(number).ok();
    }
    let name = CString::new(value).ok()?;
    // SAFETY: a C string; modules start on one thread, so the answer is there to be read.
    unsafe {
        libc::getgrnam(name.as_ptr())
            .as_ref()
            .map(|group| group.gr_gid)
    }
}

const fn entry<S: Setting>(
    name: &'static CStr,
    default: &'static CStr,
    permission: IniEntryPermission,
) -> IniEntryDef {
    let mut entry: zend_ini_entry_def = IniEntryDef::new(name, default, permission);
    entry.on_modify = Some(on_modify::<S>);
    entry
}

type Entry = ext_php_rs::ffi::zend_ini_entry;

/// `FAILURE` makes the engine use the default at start-up, and keep the old value later; it
/// says nothing by itself.
unsafe extern "C" fn on_modify<S: Setting>(
    entry: *mut Entry,
    value: *mut zend_string,
    _: *mut c_void,
    _: *mut c_void,
    _: *mut c_void,
    stage: c_int,
) -> c_int {
    const STARTUP: c_int = 1;
    const SUCCESS: c_int = 0;
    const FAILURE: c_int = -1;
    // SAFETY: the entry and its name are live; so is the value, unless it is null for "none".
    let (name, value) = unsafe {
        let value = if value.is_null() {
            &b""[..]
        } else {
            Borrowed::new(value).bytes()
        };
        (Borrowed::new((*entry).name).lossy(), value)
    };
    if S::ONLY_AT_START && stage != STARTUP {
        let warning =
            format!("{name} is read as PHP starts, once for all pools; leaving it as it was");
        php_error(&ErrorType::Warning, &warning);
        return FAILURE;
    }
    if S::take(value) {
        return SUCCESS;
    }
    let value = String::from_utf8_lossy(value).replace('\0', "\\0");
    let (level, then) = match stage {
        STARTUP => (ErrorType::CoreWarning, "using the default"),
        _ => (ErrorType::Warning, "leaving it as it was"),
    };
    php_error(
        &level,
        &format!("{name} {}, \"{value}\" given; {then}", S::EXPECTED),
    );
    FAILURE
}
