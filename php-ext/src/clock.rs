//! Clocks for tests: any object with `now(): DateTimeInterface`, as PSR-20 has it.
//!
//! Asking one runs PHP code, which may throw, call the same limiter, or drop the last reference
//! to it. So nothing that needs dropping is held meanwhile, and what is needed after is pinned.

use crate::engine::call::{Call, is_a};
use crate::engine::object::class_name;
use crate::engine::raise::{self, Php, Thrown, pending};
use crate::engine::symbols::php_date_get_interface_ce;
use crate::engine::value::{self, Text, as_object, as_text, undef};
use crate::seconds;
use ext_php_rs::ffi::{
    ZEND_ACC_ABSTRACT, ZEND_ACC_PUBLIC, ZEND_ACC_STATIC, ext_php_rs_zend_object_release,
    zend_call_known_function, zend_class_entry, zend_function, zend_hash_str_find_ptr_lc,
    zend_object, zval,
};
use ratelimit_core::ManualClock;
use std::mem::ManuallyDrop;
use std::ptr::null_mut;
use std::sync::Arc;
use std::time::Duration;

/// A clock of PHP's, and the core's that is set to its time before each call.
pub struct Clock {
    object: zval,
    manual: Arc<ManualClock>,
}

impl Clock {
    /// The argument `number`: a clock, or null.
    pub fn argument(call: &Call<'_>, number: u32) -> Php<Option<Clock>> {
        let Some(object) = call.any_object_or_null(number)? else {
            return Ok(None);
        };
        if method(object, "now").is_none() {
            let given = class_name(object);
            let message = format!(
                "must have a public method now(): DateTimeInterface that is not static, {given} given"
            );
            return Err(raise::argument_type(number, &message));
        }
        Ok(Some(Clock {
            // SAFETY: the argument is live.
            object: unsafe { value::shared_object(object) },
            manual: Arc::default(),
        }))
    }

    pub fn manual(&self) -> &Arc<ManualClock> {
        &self.manual
    }

    /// The clock's object, for the cycle collector.
    pub fn held(&self) -> *mut zval {
        (&raw const self.object).cast_mut()
    }

    /// Asks for the time and sets the core's clock to it. Microseconds since 1970.
    ///
    /// The caller keeps `self` alive: see [`pinned`].
    pub fn read(&self) -> Php<u64> {
        let object = self.object();
        let Some(now) = method(object, "now") else {
            return Err(raise::error(&format!(
                "{} has no now()",
                class_name(object)
            )));
        };
        let mut time = call_method(object, now, None)?;
        let micros = micros_of(object, &time);
        // SAFETY: the value is ours, and is not used again.
        unsafe { ManuallyDrop::drop(&mut time) };
        let micros = micros?;
        self.manual.set(micros);
        Ok(micros)
    }

    pub fn can_sleep(&self) -> bool {
        method(self.object(), "sleep").is_some()
    }

    /// Calls the clock's `sleep()`. The caller keeps `self` alive.
    pub fn sleep(&self, duration: Duration) -> Php<()> {
        let object = self.object();
        let Some(sleep) = method(object, "sleep") else {
            return Err(self.cannot_sleep());
        };
        let micros = u64::try_from(duration.as_nanos().div_ceil(1000)).unwrap_or(u64::MAX);
        let argument = value::double(seconds::from_micros(micros));
        let mut result = call_method(object, sleep, Some(argument))?;
        // SAFETY: the value is ours, and is not used again.
        unsafe { ManuallyDrop::drop(&mut result) };
        Ok(())
    }

    /// The error of a call that would have to sleep.
    #[cold]
    pub fn cannot_sleep(&self) -> Thrown {
        let name = class_name(self.object());
        raise::error(&format!(
            "The clock {name} has no sleep(), and acquire() would have to wait"
        ))
    }

    /// The error of a call that slept while time stood still.
    #[cold]
    pub fn stands_still(&self) -> Thrown {
        let name = class_name(self.object());
        raise::error(&format!(
            "{name}::sleep() did not move what {name}::now() returns"
        ))
    }

    pub fn object(&self) -> *mut zend_object {
        as_object(&self.object).unwrap_or(null_mut())
    }
}

/// Runs `body`, which calls PHP code, with a reference to `object` held.
///
/// # Safety
/// `object` is live when the call begins.
pub unsafe fn pinned<T>(object: *mut zend_object, body: impl FnOnce() -> T) -> T {
    // SAFETY: live, and so until the reference is given back.
    unsafe {
        (*object).gc.refcount += 1;
        let result = body();
        ext_php_rs_zend_object_release(object);
        result
    }
}

/// A public method that is not static.
fn method(object: *mut zend_object, name: &str) -> Option<*mut zend_function> {
    // SAFETY: the object is live, and so are its class and the class's functions.
    unsafe {
        let function = find_method((*object).ce, name);
        let flags = function.as_ref()?.common.fn_flags;
        let mask = ZEND_ACC_PUBLIC | ZEND_ACC_STATIC | ZEND_ACC_ABSTRACT;
        (flags & mask == ZEND_ACC_PUBLIC).then_some(function)
    }
}

/// # Safety
/// The class is live.
unsafe fn find_method(class: *mut zend_class_entry, name: &str) -> *mut zend_function {
    // SAFETY: live; the name is in lower case.
    unsafe {
        let table = &raw const (*class).function_table;
        zend_hash_str_find_ptr_lc(table, name.as_ptr().cast(), name.len()).cast()
    }
}

/// Calls a method of a live object. A fatal error in it jumps over this frame, hence
/// `ManuallyDrop`.
fn call_method(
    object: *mut zend_object,
    function: *mut zend_function,
    argument: Option<zval>,
) -> Php<ManuallyDrop<zval>> {
    // SAFETY: the function is one of the object's class, and takes what it is given.
    unsafe { call_as(object, function, (*object).ce, argument) }
}

/// # Safety
/// `function` is a method of `class`, which `object` is one of.
unsafe fn call_as(
    object: *mut zend_object,
    function: *mut zend_function,
    class: *mut zend_class_entry,
    argument: Option<zval>,
) -> Php<ManuallyDrop<zval>> {
    let count = u32::from(argument.is_some());
    let mut argument = ManuallyDrop::new(argument.unwrap_or_else(undef));
    let mut result = ManuallyDrop::new(undef());
    // SAFETY: as the caller promises; both values are ours to release after the call.
    unsafe {
        let argument = &mut argument;
        zend_call_known_function(
            function,
            object,
            class,
            &mut *result,
            count,
            &mut **argument,
            null_mut(),
        );
        ManuallyDrop::drop(argument);
        if pending() {
            ManuallyDrop::drop(&mut result);
            return Err(Thrown);
        }
    }
    Ok(result)
}

/// Microseconds since 1970 of what `now()` returned.
fn micros_of(clock: *mut zend_object, time: &zval) -> Php<u64> {
    // SAFETY: the interface's class entry exists once the date extension has started.
    let interface = unsafe { php_date_get_interface_ce() };
    // SAFETY: the object and the class are live.
    let date = as_object(time).filter(|date| unsafe { is_a(*date, interface) });
    let Some(date) = date else {
        let (name, kind) = (class_name(clock), value::kind_name(time));
        let message = format!(
            "{name}::now(): Return value must be of type DateTimeInterface, {kind} returned"
        );
        return Err(raise::type_error(&message));
    };
    match since_1970(date)? {
        Some(micros) => Ok(micros),
        None => {
            let name = class_name(clock);
            let message =
                format!("{name}::now() must be in the years 1970 to 292277, to the microsecond");
            Err(raise::value_error(&message))
        }
    }
}

/// By PHP's own `format()`, whatever a class derived from PHP's made of it.
fn since_1970(date: *mut zend_object) -> Php<Option<u64>> {
    const INTERNAL_CLASS: u8 = 1;
    // SAFETY: the date is live; one of its ancestors is PHP's own class, which has format().
    let mut formatted = unsafe {
        let mut class = (*date).ce;
        while (*class).type_ as u8 != INTERNAL_CLASS {
            class = (*class).__bindgen_anon_1.parent;
        }
        let format = Text::new(b"U u").to_value();
        call_as(date, find_method(class, "format"), class, Some(format))?
    };
    let micros = as_text(&formatted).and_then(|text| {
        let (seconds, fraction) = std::str::from_utf8(text.bytes()).ok()?.split_once(' ')?;
        let seconds: u64 = seconds.parse().ok()?;
        seconds
            .checked_mul(1_000_000)?
            .checked_add(fraction.parse().ok()?)
    });
    // SAFETY: the value is ours, and is not used again.
    unsafe { ManuallyDrop::drop(&mut formatted) };
    Ok(micros)
}
