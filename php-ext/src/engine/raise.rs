//! Exceptions: how Rust code throws them, and what a panic becomes.

use crate::engine::symbols::zend_argument_error;
use ext_php_rs::ffi::{
    ext_php_rs_executor_globals, zend_ce_error, zend_ce_type_error, zend_ce_value_error,
    zend_class_entry, zend_throw_exception,
};
use std::any::Any;
use std::ffi::CString;

/// An exception is pending: return to the engine, which throws it.
#[derive(Debug)]
pub struct Thrown;

/// What a call into PHP comes back with.
pub type Php<T> = Result<T, Thrown>;

/// Whether an exception is pending.
pub fn pending() -> bool {
    // SAFETY: the globals of this thread exist while PHP code runs.
    unsafe { !(*ext_php_rs_executor_globals()).exception.is_null() }
}

/// `\ValueError`: "Class::method(): Argument #N ($name) " and `message`.
#[cold]
pub fn argument_value(number: u32, message: &str) -> Thrown {
    // SAFETY: the engine sets its class entries before any module starts.
    argument(unsafe { zend_ce_value_error }, number, message)
}

/// `\TypeError`: "Class::method(): Argument #N ($name) " and `message`.
#[cold]
pub fn argument_type(number: u32, message: &str) -> Thrown {
    // SAFETY: as above.
    argument(unsafe { zend_ce_type_error }, number, message)
}

fn argument(class: *mut zend_class_entry, number: u32, message: &str) -> Thrown {
    // SAFETY: a class of exceptions, a format for one string, and a string.
    unsafe { zend_argument_error(class, number, c"%s".as_ptr(), text(message).as_ptr()) };
    Thrown
}

#[cold]
pub fn value_error(message: &str) -> Thrown {
    // SAFETY: as above.
    throw(unsafe { zend_ce_value_error }, message)
}

#[cold]
pub fn type_error(message: &str) -> Thrown {
    // SAFETY: as above.
    throw(unsafe { zend_ce_type_error }, message)
}

#[cold]
pub fn error(message: &str) -> Thrown {
    // SAFETY: as above.
    throw(unsafe { zend_ce_error }, message)
}

/// Throws an exception of `class`, an entry of the engine's or of ours.
#[cold]
pub fn throw(class: *mut zend_class_entry, message: &str) -> Thrown {
    // SAFETY: a live class of exceptions, and a string that the engine copies.
    unsafe { zend_throw_exception(class, text(message).as_ptr(), 0) };
    Thrown
}

/// A bug of ours, as an exception rather than the end of the process.
#[cold]
pub fn panicked(payload: &(dyn Any + Send)) {
    let text = payload.downcast_ref::<&str>().map(|s| (*s).to_owned());
    let text = text.or_else(|| payload.downcast_ref::<String>().cloned());
    if !pending() {
        error(&format!(
            "ratelimit: internal error: {}",
            text.as_deref().unwrap_or("panic")
        ));
    }
}

/// The engine's messages end at a NUL byte, so it is shown as `\0`.
pub fn text(message: &str) -> CString {
    CString::new(message.replace('\0', "\\0")).unwrap_or_default()
}
