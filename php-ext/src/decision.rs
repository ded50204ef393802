//! `RateLimit\Decision`: a readonly object, written slot by slot.

use crate::engine::declare::{keep, readonly_property};
use crate::engine::object::{self, Class, Native};
use crate::engine::value::{self, Text, boolean, double, long, null, put};
use crate::moment::Moment;
use crate::seconds::from_micros;
use crate::{handler, headers, store};
use ext_php_rs::builders::{ClassBuilder, FunctionBuilder};
use ext_php_rs::ffi::{IS_DOUBLE, IS_LONG, IS_NULL, IS_STRING, MAY_BE_BOOL};
use ext_php_rs::flags::{ClassFlags, DataType, MethodFlags};
use ext_php_rs::types::Zval;
use ratelimit_core::Policy;
use std::ffi::CStr;
use std::time::Duration;

static CLASS: Class = Class::new();

/// The properties, in the order of their slots.
const PROPERTIES: [(&str, u32); 8] = [
    ("allowed", MAY_BE_BOOL),
    ("limit", 1 << IS_LONG),
    ("remaining", 1 << IS_LONG),
    ("retryAfter", 1 << IS_DOUBLE | 1 << IS_NULL),
    ("resetAfter", 1 << IS_DOUBLE),
    ("wait", 1 << IS_DOUBLE),
    ("degraded", MAY_BE_BOOL),
    ("limiter", 1 << IS_STRING),
];

/// What headers need besides the properties. A decision that was unserialized has none of it.
#[derive(Clone, Copy)]
pub struct Hidden {
    /// The window, or how long a whole bucket lasts, in microseconds.
    pub span: Option<u64>,
    pub made: Moment,
}

impl Native for Hidden {
    fn class() -> &'static Class {
        &CLASS
    }

    const INSTEAD_OF_NEW: Option<&'static CStr> =
        Some(c"RateLimit\\Limiter::consume() or another of its calls");
    const COMPARABLE: bool = true;
    const SERIALIZABLE: bool = true;
    const CLONEABLE: bool = true;

    fn copy(&self) -> Option<Self> {
        Some(*self)
    }
}

/// Returns a decision to PHP.
#[inline]
pub fn give(
    result: &mut Zval,
    decision: &ratelimit_core::Decision<'_>,
    limiter: &Text,
    policy: &Policy,
    made: Moment,
) {
    let hidden = Hidden {
        span: policy.span().map(micros),
        made: made.kept(),
    };
    let values = [
        boolean(decision.allowed),
        long(units(decision.limit)),
        long(units(decision.remaining)),
        decision.retry_after.map_or_else(null, seconds),
        seconds(decision.reset_after),
        seconds(decision.wait),
        boolean(decision.degraded),
        limiter.to_value(),
    ];
    // SAFETY: the class has these properties and no others, and all are written before anybody
    // sees the object, whose reference becomes the result's.
    unsafe {
        let object = object::make_unset(hidden);
        object::slots(object).cast::<[Zval; 8]>().write(values);
        put(result, value::object(object));
    }
}

fn seconds(time: Duration) -> Zval {
    double(from_micros(micros(time)))
}

fn micros(time: Duration) -> u64 {
    time.as_secs()
        .saturating_mul(1_000_000)
        .saturating_add(time.subsec_nanos().div_ceil(1000).into())
}

fn units(count: u64) -> i64 {
    i64::try_from(count).unwrap_or(i64::MAX)
}

#[cfg(php82)]
const READONLY: ClassFlags = ClassFlags::ReadonlyClass;
/// PHP 8.1 has readonly properties, but no word for a class of them.
#[cfg(not(php82))]
const READONLY: ClassFlags = ClassFlags::empty();

pub fn register() -> ext_php_rs::error::Result<()> {
    let headers = FunctionBuilder::new("headers", handler!(headers::headers));
    ClassBuilder::new("RateLimit\\Decision")
        .flags(ClassFlags::Final | ClassFlags::NoDynamicProperties | READONLY)
        .method(
            FunctionBuilder::new("__construct", handler!(store::nothing)),
            MethodFlags::Private,
        )
        .method(
            headers.returns(DataType::Array, false, false),
            MethodFlags::Public,
        )
        .registration(|class, tables| {
            keep(tables);
            for (name, types) in PROPERTIES {
                readonly_property(class, name, types);
            }
            object::adopt::<Hidden>(class);
        })
        .register()
}
