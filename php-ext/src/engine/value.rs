//! The engine's values, made and read.

use ext_php_rs::ffi::{
    self, GC_IMMUTABLE, IS_DOUBLE, IS_FALSE, IS_INTERNED_STRING_EX, IS_LONG, IS_NULL, IS_OBJECT,
    IS_OBJECT_EX, IS_REFERENCE, IS_STRING, IS_STRING_EX, IS_TRUE, zend_object, zend_string, zval,
};
use std::marker::PhantomData;

/// A value that is not set.
pub fn undef() -> zval {
    // SAFETY: all zeros is IS_UNDEF, and no field has invalid bit patterns.
    unsafe { std::mem::zeroed() }
}

pub fn null() -> zval {
    let mut value = undef();
    value.u1.type_info = IS_NULL;
    value
}

#[inline(always)]
pub fn boolean(yes: bool) -> zval {
    let mut value = undef();
    value.u1.type_info = if yes { IS_TRUE } else { IS_FALSE };
    value
}

pub fn long(number: i64) -> zval {
    let mut value = undef();
    value.value.lval = number;
    value.u1.type_info = IS_LONG;
    value
}

pub fn double(number: f64) -> zval {
    let mut value = undef();
    value.value.dval = number;
    value.u1.type_info = IS_DOUBLE;
    value
}

/// Takes over one reference to the object.
///
/// # Safety
/// `object` is live, and the caller owns the reference.
pub unsafe fn object(object: *mut zend_object) -> zval {
    let mut value = undef();
    value.value.obj = object;
    value.u1.type_info = IS_OBJECT_EX;
    value
}

/// Adds a reference to the object.
///
/// # Safety
/// `object` is live.
pub unsafe fn shared_object(live: *mut zend_object) -> zval {
    // SAFETY: the object is live, and the new reference becomes the value's.
    unsafe {
        (*live).gc.refcount += 1;
        object(live)
    }
}

/// An object with a reference of one's own to it.
pub struct Shared(*mut zend_object);

impl Shared {
    /// # Safety
    /// `object` is live.
    #[inline(always)]
    pub unsafe fn new(object: *mut zend_object) -> Shared {
        // SAFETY: as the caller promises.
        unsafe { (*object).gc.refcount += 1 };
        Shared(object)
    }

    pub fn get(&self) -> *mut zend_object {
        self.0
    }
}

impl Drop for Shared {
    #[inline]
    fn drop(&mut self) {
        // SAFETY: the reference is ours to give up.
        unsafe { ffi::ext_php_rs_zend_object_release(self.0) }
    }
}

/// Overwrites a value that holds nothing to release, as a return value when a call begins.
#[inline(always)]
pub fn put(place: &mut zval, value: zval) {
    std::mem::forget(std::mem::replace(place, value));
}

/// The type, as in `IS_LONG`.
#[inline(always)]
pub fn kind(value: &zval) -> u32 {
    // SAFETY: every value has its type word set.
    unsafe { value.u1.type_info & 0xff }
}

/// The type, as PHP's error messages call it.
pub fn kind_name(value: &zval) -> &'static str {
    match kind(value) {
        IS_NULL | ffi::IS_UNDEF => "null",
        IS_FALSE | IS_TRUE => "bool",
        IS_LONG => "int",
        IS_DOUBLE => "float",
        IS_STRING => "string",
        ffi::IS_ARRAY => "array",
        IS_OBJECT => "object",
        _ => "resource",
    }
}

/// What a reference refers to, or the value itself.
#[inline(always)]
pub fn deref(value: &zval) -> &zval {
    if kind(value) == IS_REFERENCE {
        // SAFETY: the type says that it is a reference, which lives as long as the value.
        unsafe { &(*value.value.ref_).val }
    } else {
        value
    }
}

pub fn as_long(value: &zval) -> Option<i64> {
    if kind(value) != IS_LONG {
        return None;
    }
    // SAFETY: the type says which field is set.
    Some(unsafe { value.value.lval })
}

pub fn as_double(value: &zval) -> Option<f64> {
    if kind(value) != IS_DOUBLE {
        return None;
    }
    // SAFETY: the type says which field is set.
    Some(unsafe { value.value.dval })
}

pub fn as_object(value: &zval) -> Option<*mut zend_object> {
    if kind(value) != IS_OBJECT {
        return None;
    }
    // SAFETY: the type says which field is set.
    Some(unsafe { value.value.obj })
}

#[inline(always)]
pub fn as_text(value: &zval) -> Option<Borrowed<'_>> {
    // SAFETY: the type says which field is set, and the value holds a reference to the string.
    (kind(value) == IS_STRING).then(|| unsafe { Borrowed::new(value.value.str_) })
}

/// A PHP string that somebody else holds a reference to.
#[derive(Clone, Copy)]
pub struct Borrowed<'a>(*mut zend_string, PhantomData<&'a [u8]>);

impl<'a> Borrowed<'a> {
    /// # Safety
    /// The string is live and unchanged for `'a`.
    #[inline(always)]
    pub unsafe fn new(live: *mut zend_string) -> Self {
        Borrowed(live, PhantomData)
    }

    #[inline(always)]
    pub fn bytes(self) -> &'a [u8] {
        // SAFETY: live for 'a; a string's bytes follow its header.
        unsafe { std::slice::from_raw_parts((&raw const (*self.0).val).cast(), (*self.0).len) }
    }

    /// The bytes as text, for messages.
    pub fn lossy(self) -> String {
        String::from_utf8_lossy(self.bytes()).into_owned()
    }

    /// A reference of one's own.
    pub fn share(self) -> Text {
        // SAFETY: the string is live; interned strings are not counted.
        unsafe {
            if (*self.0).gc.u.type_info & GC_IMMUTABLE == 0 {
                (*self.0).gc.refcount += 1;
            }
        }
        Text(self.0)
    }
}

/// A PHP string with a reference of its own.
pub struct Text(*mut zend_string);

impl Text {
    pub fn new(bytes: &[u8]) -> Self {
        // SAFETY: pointer and length are those of a slice, which the engine copies.
        Text(unsafe { ffi::ext_php_rs_zend_string_init(bytes.as_ptr().cast(), bytes.len(), false) })
    }

    pub fn borrow(&self) -> Borrowed<'_> {
        Borrowed(self.0, PhantomData)
    }

    /// The string as a value, with a reference of its own.
    #[inline]
    pub fn to_value(&self) -> zval {
        let owned = std::mem::ManuallyDrop::new(self.borrow().share());
        let mut value = undef();
        value.value.str_ = owned.0;
        // SAFETY: the string is live.
        let interned = unsafe { (*owned.0).gc.u.type_info & GC_IMMUTABLE != 0 };
        value.u1.type_info = if interned {
            IS_INTERNED_STRING_EX
        } else {
            IS_STRING_EX
        };
        value
    }
}

impl Drop for Text {
    fn drop(&mut self) {
        // SAFETY: the reference is ours to give up.
        unsafe { ffi::ext_php_rs_zend_string_release(self.0) }
    }
}
