//! Objects whose properties are written when somebody looks at them.
//!
//! Until then their slots are unset, except for those that were written at once: these the
//! engine reads by itself. For an unset slot it asks the handlers, and these complete the object
//! before they do what the engine's own do.

use super::object::Native;
use ext_php_rs::ffi::{
    HashTable, std_object_handlers, zend_object, zend_object_handlers, zend_string, zval,
};
use std::ffi::{c_int, c_void};
use std::panic::{AssertUnwindSafe, catch_unwind};

/// Writes what is still to be written of an object.
///
/// # Safety
/// `object` is a live object of `T`'s class.
pub unsafe fn complete<T: Native>(object: *mut zend_object) {
    // SAFETY: as the caller promises. Nothing may unwind into the engine.
    let _ = catch_unwind(AssertUnwindSafe(|| unsafe { T::complete(object) }));
}

/// Puts completion before all that the engine does with properties.
pub fn adopt<T: Native>(handlers: &mut zend_object_handlers) {
    handlers.read_property = Some(read_property::<T>);
    handlers.write_property = Some(write_property::<T>);
    handlers.get_property_ptr_ptr = Some(get_property_ptr_ptr::<T>);
    handlers.has_property = Some(has_property::<T>);
    handlers.unset_property = Some(unset_property::<T>);
    handlers.get_properties = Some(get_properties::<T>);
    handlers.compare = Some(compare::<T>);
}

/// Defines handlers that complete their first argument and go on to the engine's own.
macro_rules! completing {
    ($($name:ident($($argument:ident: $type:ty),*) -> $result:ty, or $otherwise:expr;)*) => {$(
        unsafe extern "C" fn $name<T: Native>(
            object: *mut zend_object, $($argument: $type),*
        ) -> $result {
            // SAFETY: the engine hands in a live object of `T`'s class, and what its own handler
            // takes; it has all of these.
            unsafe {
                complete::<T>(object);
                match std_object_handlers.$name {
                    Some(standard) => standard(object, $($argument),*),
                    None => $otherwise,
                }
            }
        }
    )*};
}

type Cache = *mut *mut c_void;

completing! {
    read_property(name: *mut zend_string, kind: c_int, cache: Cache, rv: *mut zval)
        -> *mut zval, or rv;
    write_property(name: *mut zend_string, value: *mut zval, cache: Cache)
        -> *mut zval, or value;
    get_property_ptr_ptr(name: *mut zend_string, kind: c_int, cache: Cache)
        -> *mut zval, or std::ptr::null_mut();
    has_property(name: *mut zend_string, what: c_int, cache: Cache) -> c_int, or 0;
    unset_property(name: *mut zend_string, cache: Cache) -> (), or ();
    get_properties() -> *mut HashTable, or std::ptr::null_mut();
}

/// Objects of one class are compared here; others the engine compares by other means.
unsafe extern "C" fn compare<T: Native>(one: *mut zval, other: *mut zval) -> c_int {
    // SAFETY: the engine hands in two live values, at least one of them an object of `T`'s class,
    // which is final; what has the same class is one, too.
    unsafe {
        let object = |value: *mut zval| super::value::as_object(&*value);
        if let (Some(one), Some(other)) = (object(one), object(other))
            && (*one).ce == (*other).ce
        {
            complete::<T>(one);
            complete::<T>(other);
        }
        std_object_handlers
            .compare
            .map_or(1, |standard| standard(one, other))
    }
}
