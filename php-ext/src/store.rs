//! `RateLimit\Store`.

use crate::clock::Clock;
use crate::engine::call::Call;
use crate::engine::declare::keep;
use crate::engine::object::{self, Class, Native};
use crate::engine::raise::{self, Php};
use crate::engine::value::{self, put, undef};
use crate::failure::Failure;
use crate::segment::{self, Backing};
use crate::{handler, store_exception};
use ext_php_rs::args::Arg;
use ext_php_rs::builders::{ClassBuilder, FunctionBuilder};
use ext_php_rs::ffi::{zend_object, zval};
use ext_php_rs::flags::{ClassFlags, DataType, MethodFlags};
use ext_php_rs::types::{ZendHashTable, Zval};
use ratelimit_core::Error;
use std::cell::OnceCell;
use std::ffi::CStr;

const DEFAULT_KEYS: i64 = 65_536;

pub static CLASS: Class = Class::new();

/// A store, and the clock that it was given for tests.
pub struct Store {
    kind: Kind,
    clock: Option<Clock>,
}

enum Kind {
    /// The segment; on a clock for tests opened when first used.
    Shared(OnceCell<Backing>),
    Memory(Backing),
}

impl Store {
    pub fn clock(&self) -> Option<&Clock> {
        self.clock.as_ref()
    }

    /// Where its limiters count.
    pub fn backing(&self) -> Result<Backing, Error> {
        match (&self.kind, &self.clock) {
            (Kind::Memory(backing), _) => Ok(backing.clone()),
            (Kind::Shared(_), None) => segment::shared(),
            (Kind::Shared(opened), Some(clock)) => {
                if let Some(backing) = opened.get() {
                    return Ok(backing.clone());
                }
                let backing = segment::shared_with_clock(clock.manual())?;
                Ok(opened.get_or_init(|| backing).clone())
            }
        }
    }

    /// The argument `number`; `None` is the shared store.
    pub fn argument(call: &Call<'_>, number: u32) -> Php<Option<*mut zend_object>> {
        call.object_or_null(number, &CLASS, c"RateLimit\\Store")
    }
}

/// The Rust side of a store's object.
///
/// # Safety
/// The object is a store, and lives for `'a`.
pub unsafe fn of<'a>(store: *mut zend_object) -> Option<&'a Store> {
    // SAFETY: as the caller promises.
    unsafe { object::native(store) }
}

/// A reference to the store if it has a clock; unset otherwise, as nothing else of the object is
/// needed by its limiters.
///
/// # Safety
/// The object is a live store.
pub unsafe fn clocked(store: Option<*mut zend_object>) -> zval {
    // SAFETY: as the caller promises.
    unsafe {
        match store {
            Some(live) if of(live).is_some_and(|s| s.clock.is_some()) => value::shared_object(live),
            _ => undef(),
        }
    }
}

impl Native for Store {
    fn class() -> &'static Class {
        &CLASS
    }

    const INSTEAD_OF_NEW: Option<&'static CStr> =
        Some(c"RateLimit\\Store::shared(), ::memory() or ::redis()");

    fn held(&self) -> *mut zval {
        self.clock
            .as_ref()
            .map_or(std::ptr::null_mut(), Clock::held)
    }

    fn describe(&self, fields: &mut ZendHashTable) {
        let kind = match self.kind {
            Kind::Shared(_) => "shared",
            Kind::Memory(_) => "memory",
        };
        let _ = fields.insert("kind", kind);
    }
}

fn shared(call: &Call<'_>, result: &mut Zval) -> Php<()> {
    let clock = Clock::argument(call, 1)?;
    give(result, Kind::Shared(OnceCell::new()), clock);
    Ok(())
}

fn memory(call: &Call<'_>, result: &mut Zval) -> Php<()> {
    use ratelimit_core::Store;
    let max_keys = call.long_or(1, DEFAULT_KEYS)?;
    let clock = Clock::argument(call, 2)?;
    let Ok(keys) = usize::try_from(max_keys) else {
        let message = format!("must be greater than or equal to 1, {max_keys} given");
        return Err(raise::argument_value(1, &message));
    };
    let made = match &clock {
        None => Store::memory(keys),
        Some(clock) => Store::memory_with_clock(keys, clock.manual().clone()),
    };
    let store = made.map_err(|e| Failure::from(e).raise(&["max_keys", "clock"]))?;
    give(
        result,
        Kind::Memory(Backing {
            store,
            missing: false,
        }),
        clock,
    );
    Ok(())
}

fn redis(_: &Call<'_>, _: &mut Zval) -> Php<()> {
    Err(store_exception::throw(
        "this build of ratelimit has no Redis store; use Store::shared() or Store::memory()",
    ))
}

fn give(result: &mut Zval, kind: Kind, clock: Option<Clock>) {
    // SAFETY: the object is new, and its reference becomes the result's.
    put(result, unsafe {
        value::object(object::make(Store { kind, clock }))
    });
}

pub fn register() -> ext_php_rs::error::Result<()> {
    let factory = MethodFlags::Public | MethodFlags::Static;
    let clock = || {
        Arg::new("clock", DataType::ANY_OBJECT)
            .allow_null()
            .default("null")
    };
    let returns =
        |f: FunctionBuilder<'static>| f.returns(DataType::object("RateLimit\\Store"), false, false);
    let shared = FunctionBuilder::new("shared", handler!(shared))
        .not_required()
        .arg(clock());
    let memory = FunctionBuilder::new("memory", handler!(memory))
        .not_required()
        .arg(Arg::new("maxKeys", DataType::Long).default("65536"))
        .arg(clock());
    let redis = FunctionBuilder::new("redis", handler!(redis))
        .not_required()
        .arg(
            Arg::new("url", DataType::String)
                .allow_null()
                .default("null"),
        )
        .arg(Arg::new("timeout", DataType::Double).default("0.1"))
        .arg(Arg::new("prefix", DataType::String).default("'rl:'"))
        .arg(clock());
    ClassBuilder::new("RateLimit\\Store")
        .flags(ClassFlags::Final | ClassFlags::NoDynamicProperties)
        .method(
            FunctionBuilder::new("__construct", handler!(nothing)),
            MethodFlags::Private,
        )
        .method(returns(shared), factory)
        .method(returns(memory), factory)
        .method(returns(redis), factory)
        .registration(|class, tables| {
            keep(tables);
            object::adopt::<Store>(class);
        })
        .register()
}

/// The body of constructors that are declared private, so that tools see there is no `new`.
pub fn nothing(_: &Call<'_>, _: &mut Zval) -> Php<()> {
    Ok(())
}
