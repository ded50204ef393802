//! The segment that all workers share: made once, before PHP forks them.

use crate::ini;
use ext_php_rs::error::php_error;
use ext_php_rs::flags::ErrorType;
use ratelimit_core::{Error, ManualClock, Segment, Stats, Store};
use std::cell::RefCell;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard};

/// Keys of the store that stands in for a segment that could not be made.
const FALLBACK_KEYS: usize = 65_536;

enum State {
    SwitchedOff,
    Mapped {
        segment: Segment,
        path: PathBuf,
    },
    Failed {
        reason: String,
        fallback: Option<Store>,
    },
}

static STATE: Mutex<State> = Mutex::new(State::SwitchedOff);

thread_local! {
    /// The shared store in this thread's namespace.
    static CURRENT: RefCell<Option<Backing>> = const { RefCell::new(None) };
}

/// Where limiters count.
#[derive(Clone)]
pub struct Backing {
    pub store: Store,
    /// The segment is missing, and the store is one of this process in its place.
    pub missing: bool,
}

fn state() -> MutexGuard<'static, State> {
    STATE.lock().unwrap_or_else(|e| e.into_inner())
}

/// Maps the segment as php.ini describes it. Failure is no reason for PHP not to start: what
/// limiters then do is their `onError`.
pub fn start() {
    let options = ini::segment();
    let made = match () {
        () if !ini::enabled() => None,
        () if options.path.as_os_str().is_empty() => Some(Segment::anonymous(options.bytes)),
        () => Some(Segment::open(&options)),
    };
    *state() = match made {
        None => State::SwitchedOff,
        Some(Ok(segment)) => {
            if let Some(notice) = segment.notice() {
                php_error(&ErrorType::Notice, &format!("ratelimit: {notice}"));
            }
            State::Mapped {
                segment,
                path: options.path,
            }
        }
        Some(Err(error)) => {
            let reason = error.to_string();
            php_error(
                &ErrorType::CoreWarning,
                &format!("ratelimit: no shared memory: {reason}"),
            );
            State::Failed {
                reason,
                fallback: None,
            }
        }
    };
}

/// Unmaps the segment. Whoever still holds a store of it keeps the mapping.
pub fn stop() {
    forget_namespace();
    *state() = State::SwitchedOff;
}

/// To be called when this thread's namespace changes.
pub fn forget_namespace() {
    CURRENT.replace(None);
}

/// The shared store on the system's clock.
pub fn shared() -> Result<Backing, Error> {
    if let Some(backing) = CURRENT.with_borrow(Option::clone) {
        return Ok(backing);
    }
    let backing = open(Store::shared, || Store::memory(FALLBACK_KEYS), true)?;
    CURRENT.replace(Some(backing.clone()));
    Ok(backing)
}

/// The shared store on a clock for tests.
pub fn shared_with_clock(clock: &Arc<ManualClock>) -> Result<Backing, Error> {
    open(
        |segment| Store::shared_with_clock(segment, clock.clone()),
        || Store::memory_with_clock(FALLBACK_KEYS, clock.clone()),
        false,
    )
}

/// A store in the segment, or in its place one that is kept for later calls if `keep` says so.
fn open(
    shared: impl FnOnce(&Segment) -> Store,
    local: impl FnOnce() -> Result<Store, Error>,
    keep: bool,
) -> Result<Backing, Error> {
    let (store, missing) = match &mut *state() {
        State::Mapped { segment, .. } => (shared(segment), false),
        State::Failed {
            fallback: Some(store),
            ..
        } if keep => (store.clone(), true),
        State::Failed { fallback, .. } if keep => (fallback.insert(local()?).clone(), true),
        _ => (local()?, true),
    };
    let store = ini::with_namespace(|namespace| store.in_namespace(namespace));
    Ok(Backing { store, missing })
}

/// Why there is no segment.
pub fn reason() -> String {
    match &*state() {
        State::Failed { reason, .. } => reason.clone(),
        _ => "none was made when PHP started, as ratelimit.enabled was 0".into(),
    }
}

/// What `phpinfo()` says: where the segment is, and what is in it.
pub fn describe() -> (String, Option<Stats>) {
    match &*state() {
        State::SwitchedOff => ("none (switched off)".into(), None),
        State::Failed { reason, .. } => (format!("none ({reason})"), None),
        State::Mapped { segment, path } => {
            let place = match path.as_os_str().is_empty() {
                true => "anonymous".into(),
                false => path.display().to_string(),
            };
            (place, Some(Store::shared(segment).stats()))
        }
    }
}
