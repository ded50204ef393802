//! `RateLimit\CurrentLimiting`: the fixed window that goes with the bucket, one per API and
//! client address.

use crate::arguments::{MAX_KEY, as_period, in_units, joined, php_float};
use crate::engine::call::Call;
use crate::engine::declare::{keep, untype};
use crate::engine::object::{self, Class, Native};
use crate::engine::raise::{self, Php};
use crate::engine::value::{Borrowed, Text, boolean, long, put};
use crate::failure::Failure;
use crate::gate::{Gate, Op};
use crate::handler;
use crate::moment::Moment;
use crate::store::{self, Store};
use ext_php_rs::args::Arg;
use ext_php_rs::builders::{ClassBuilder, FunctionBuilder};
use ext_php_rs::ffi::zval;
use ext_php_rs::flags::{DataType, MethodFlags};
use ext_php_rs::types::Zval;
use ratelimit_core::{OnError, Policy};
use std::cell::OnceCell;
use std::ffi::CStr;
use std::time::Duration;

static CLASS: Class = Class::new();

/// All windows are this limiter's; whose they are is in the key.
const NAME: &[u8] = b"CurrentLimiting";
const SECONDS_PER_MINUTE: f64 = 60.0;

/// The Rust side: set by the constructor, once.
pub struct CurrentLimiting(OnceCell<Window>);

struct Window {
    gate: Gate,
    key: Vec<u8>,
    /// The store, if it has a clock to be asked.
    clocked: zval,
}

impl Native for CurrentLimiting {
    fn class() -> &'static Class {
        &CLASS
    }

    const INSTEAD_OF_NEW: Option<&'static CStr> = None;

    fn initial() -> Option<Self> {
        Some(CurrentLimiting(OnceCell::new()))
    }

    fn held(&self) -> *mut zval {
        match self.0.get() {
            Some(window) => (&raw const window.clocked).cast_mut(),
            None => std::ptr::null_mut(),
        }
    }
}

fn construct(call: &Call<'_>, _: &mut Zval) -> Php<()> {
    let empty = Text::new(b"");
    let text = |number: u32| -> Php<Borrowed<'_>> {
        if call.is_set(number) {
            call.weak_text(number)
        } else {
            Ok(empty.borrow())
        }
    };
    let (api, ip) = (text(1)?, text(2)?);
    let limit = in_units(call.weak_long(3)?, 3)?;
    let minutes = call.weak_double(4)?;
    let window = minutes_as_period(minutes)?;
    let store = Store::argument(call, 5)?;
    let key = joined(api, ip);
    if key.len() > MAX_KEY {
        let most = MAX_KEY - size_of::<u64>();
        let message = format!("and $ip must be at most {most} bytes long together");
        return Err(raise::argument_value(1, &message));
    }
    let parameters = &["api", "ip", "limit", "window"];
    let policy =
        Policy::fixed_window(limit, window).map_err(|e| Failure::from(e).raise(parameters))?;
    // SAFETY: the store is an argument, and the frame holds it.
    let (native, clocked) = unsafe { (store.and_then(|s| store::of(s)), store::clocked(store)) };
    let gate =
        Gate::new(NAME, policy, native, OnError::Fallback).map_err(|e| e.raise(parameters))?;
    let made = call
        .native::<CurrentLimiting>()?
        .0
        .set(Window { gate, key, clocked });
    made.map_err(|_| raise::error("RateLimit\\CurrentLimiting::__construct() was called twice"))
}

fn minutes_as_period(minutes: f64) -> Php<Duration> {
    let given = php_float(minutes);
    as_period(minutes * SECONDS_PER_MINUTE).ok_or_else(|| {
        let message =
            format!("must be above 0 and at most 527040 minutes (366 days), {given} given");
        raise::argument_value(4, &message)
    })
}

fn window<'f>(call: &Call<'f>) -> Php<&'f Window> {
    let window = call.native::<CurrentLimiting>()?.0.get();
    window.ok_or_else(|| raise::error("RateLimit\\CurrentLimiting::__construct() was not called"))
}

/// Counts the request; true if it may pass.
fn current_limit(call: &Call<'_>, result: &mut Zval) -> Php<()> {
    let window = window(call)?;
    Moment::now(&window.clocked)?;
    let allowed = window
        .gate
        .allow(&window.key, 1)
        .map_err(|e| e.raise(&[]))?;
    put(result, boolean(allowed));
    Ok(())
}

/// What the open window has counted.
fn attempts(call: &Call<'_>, result: &mut Zval) -> Php<()> {
    let window = window(call)?;
    Moment::now(&window.clocked)?;
    let state = window
        .gate
        .decide(Op::Peek, &window.key, 0)
        .map_err(|e| e.raise(&[]))?;
    put(
        result,
        long(state.limit.saturating_sub(state.remaining) as i64),
    );
    Ok(())
}

pub fn register() -> ext_php_rs::error::Result<()> {
    let any = |name: &str| Arg::new(name, DataType::Mixed);
    let store = Arg::new("store", DataType::object("RateLimit\\Store"));
    let construct = FunctionBuilder::new("__construct", handler!(construct))
        .arg(any("api"))
        .arg(any("ip"))
        .arg(any("limit"))
        .arg(any("minutes"))
        .not_required()
        .arg(store.allow_null().default("null"));
    ClassBuilder::new("RateLimit\\CurrentLimiting")
        .method(construct, MethodFlags::Public)
        .method(
            FunctionBuilder::new("CurrentLimit", handler!(current_limit)).returns(
                DataType::Bool,
                false,
                false,
            ),
            MethodFlags::Public,
        )
        .method(
            FunctionBuilder::new("attempts", handler!(attempts)).returns(
                DataType::Long,
                false,
                false,
            ),
            MethodFlags::Public,
        )
        .registration(|class, tables| {
            keep(tables);
            object::adopt::<CurrentLimiting>(class);
            untype(class, "__construct", 4);
        })
        .register()
}
