//! `RateLimit\Decision`: a readonly object, written slot by slot.

use crate::engine::declare::{keep, readonly_property};
use crate::engine::object::{self, Class, Native, native, slots};
use crate::engine::value::{self, Shared, Text, boolean, double, long, null, put};
use crate::limiter::Limiter;
use crate::moment::Moment;
use crate::seconds::from_micros;
use crate::{handler, headers, store};
use ext_php_rs::builders::{ClassBuilder, FunctionBuilder};
use ext_php_rs::ffi::{IS_DOUBLE, IS_LONG, IS_NULL, IS_STRING, MAY_BE_BOOL, zend_object};
use ext_php_rs::flags::{ClassFlags, DataType, MethodFlags};
use ext_php_rs::types::Zval;
use ratelimit_core::{Decision, Outcome};
use std::cell::Cell;
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

/// What is not in the properties, or not yet. A decision that was unserialized has none of it.
pub struct Hidden {
    /// The window, or how long a whole bucket lasts, in microseconds.
    pub span: Cell<Option<u64>>,
    /// When the call was made, as far as the properties tell.
    pub made: Cell<Moment>,
    /// What the properties but `allowed` are still to be written from.
    late: Cell<Option<Late>>,
}

/// A limiter and what it decided.
struct Late {
    limiter: Shared,
    outcome: Outcome,
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
    const LAZY: bool = true;

    unsafe fn complete(object: *mut zend_object) {
        // SAFETY: as the caller promises.
        let hidden = unsafe { native::<Hidden>(object) };
        let Some((hidden, late)) = hidden.and_then(|h| Some((h, h.late.take()?))) else {
            return;
        };
        // SAFETY: the shared object is a limiter, which lives as long as `late`.
        let Some(limiter) = (unsafe { native::<Limiter>(late.limiter.get()) }) else {
            return;
        };
        let (decision, moment) = limiter.gate.explain(&late.outcome);
        hidden.span.set(limiter.span());
        hidden.made.set(moment);
        // SAFETY: the object has these properties; all but the first are unset.
        unsafe {
            let values = properties(&decision, &limiter.name);
            slots(object).cast::<[Zval; 8]>().write(values);
        }
    }

    fn copy(&self) -> Option<Self> {
        Some(Hidden {
            span: self.span.clone(),
            made: self.made.clone(),
            late: Cell::new(None),
        })
    }
}

/// Returns a decision of `limiter` on a call made at `made` to PHP.
pub fn give(result: &mut Zval, decision: &Decision<'_>, limiter: &Limiter, made: Moment) {
    let hidden = Hidden {
        span: Cell::new(limiter.span()),
        made: Cell::new(made.kept()),
        late: Cell::new(None),
    };
    // SAFETY: the class has these properties and no others, and all are written before anybody
    // sees the object, whose reference becomes the result's.
    unsafe {
        let object = object::make_unset(hidden);
        let values = properties(decision, &limiter.name);
        slots(object).cast::<[Zval; 8]>().write(values);
        put(result, value::object(object));
    }
}

/// Returns a decision of which only `allowed` is there, for now.
///
/// # Safety
/// `limiter` is a live object whose Rust side is a limiter; `outcome` is its own.
#[inline(always)]
pub unsafe fn give_late(result: &mut Zval, outcome: Outcome, limiter: *mut zend_object) {
    // SAFETY: as for `give`; and the caller has a live object.
    unsafe {
        let late = Late {
            limiter: Shared::new(limiter),
            outcome,
        };
        let object = object::make_unset(Hidden {
            span: Cell::new(None),
            made: Cell::new(Moment::System),
            late: Cell::new(Some(late)),
        });
        let first = slots(object);
        first.write(boolean(outcome.is_allowed()));
        for slot in 1..PROPERTIES.len() {
            first.add(slot).write(value::undef());
        }
        put(result, value::object(object));
    }
}

fn properties(decision: &Decision<'_>, limiter: &Text) -> [Zval; 8] {
    [
        boolean(decision.allowed),
        long(units(decision.limit)),
        long(units(decision.remaining)),
        decision.retry_after.map_or_else(null, seconds),
        seconds(decision.reset_after),
        seconds(decision.wait),
        boolean(decision.degraded),
        limiter.to_value(),
    ]
}

fn seconds(time: Duration) -> Zval {
    double(from_micros(micros(time)))
}

/// Whole microseconds, rounded up.
pub fn micros(time: Duration) -> u64 {
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
