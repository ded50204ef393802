//! A call from PHP: its arguments and `$this`.
//!
//! The usual type is tested here; all else (weak and strict mode, deprecations, the wording of
//! errors) is left to the functions that PHP's own functions use.

use crate::engine::object::{self, Class, Native};
use crate::engine::raise::{self, Php, Thrown};
use crate::engine::symbols::*;
use crate::engine::value::{self, Borrowed, kind};
use ext_php_rs::ffi::{
    _zend_expected_type, _zend_expected_type_Z_EXPECTED_ARRAY,
    _zend_expected_type_Z_EXPECTED_DOUBLE, _zend_expected_type_Z_EXPECTED_LONG,
    _zend_expected_type_Z_EXPECTED_STRING, IS_ARRAY, IS_DOUBLE, IS_LONG, IS_NULL, IS_OBJECT,
    IS_STRING, instanceof_function_slow, zend_execute_data, zend_object, zend_string,
    zend_wrong_parameters_count_error, zval,
};
use ext_php_rs::types::{ZendHashTable, Zval};
use ext_php_rs::zend::ExecuteData;
use std::ffi::CStr;
use std::marker::PhantomData;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// A type of arguments: its tag, how to read it, and how messages call it.
struct Scalar<T> {
    kind: u32,
    /// To be called on a value of that type.
    read: unsafe fn(&zval) -> T,
    expected: _zend_expected_type,
}

const TEXT: Scalar<*mut zend_string> = Scalar {
    kind: IS_STRING,
    // SAFETY: the type says that this field is set.
    read: |value| unsafe { value.value.str_ },
    expected: _zend_expected_type_Z_EXPECTED_STRING,
};

const LONG: Scalar<i64> = Scalar {
    kind: IS_LONG,
    // SAFETY: the type says that this field is set.
    read: |value| unsafe { value.value.lval },
    expected: _zend_expected_type_Z_EXPECTED_LONG,
};

const DOUBLE: Scalar<f64> = Scalar {
    kind: IS_DOUBLE,
    // SAFETY: the type says that this field is set.
    read: |value| unsafe { value.value.dval },
    expected: _zend_expected_type_Z_EXPECTED_DOUBLE,
};

/// How many values the engine's frame takes: the arguments come after it.
const FRAME: usize = size_of::<zend_execute_data>().div_ceil(size_of::<zval>());

/// Arguments and `$this` of a call; alive, and held by the engine, for `'f`.
///
/// Arguments are numbered from 1, as in PHP's messages.
pub struct Call<'f> {
    arguments: *mut zval,
    given: u32,
    this: *mut zend_object,
    frame: PhantomData<&'f ExecuteData>,
}

/// Makes a method's handler out of `fn(&Call, &mut Zval) -> Php<()>`.
#[macro_export]
macro_rules! handler {
    ($body:path) => {{
        extern "C" fn entry(
            frame: &mut ext_php_rs::zend::ExecuteData,
            result: &mut ext_php_rs::types::Zval,
        ) {
            $crate::engine::call::enter(frame, result, $body)
        }
        entry
    }};
}

/// Checks the number of arguments, and keeps panics out of the engine.
///
/// There is no setjmp here: a fatal error in PHP code that `body` calls jumps over it. So whoever
/// calls PHP code holds nothing then that needs dropping.
#[inline(always)]
pub fn enter(
    frame: &mut ExecuteData,
    result: &mut Zval,
    body: impl FnOnce(&Call<'_>, &mut Zval) -> Php<()>,
) {
    let run = || {
        if let Ok(call) = Call::new(frame) {
            let _ = body(&call, result);
        }
    };
    if let Err(payload) = catch_unwind(AssertUnwindSafe(run)) {
        raise::panicked(&*payload);
    }
}

impl<'f> Call<'f> {
    #[inline(always)]
    fn new(frame: &'f mut ExecuteData) -> Php<Self> {
        // SAFETY: the engine fills in function, argument count and `This` of an internal
        // function's frame, and puts the arguments after it.
        unsafe {
            let given = frame.This.u2.num_args;
            let common = &(*frame.func).common;
            if given < common.required_num_args || given > common.num_args {
                zend_wrong_parameters_count_error(common.required_num_args, common.num_args);
                return Err(Thrown);
            }
            Ok(Call {
                arguments: std::ptr::from_mut(frame).cast::<zval>().add(FRAME),
                given,
                this: frame.This.value.obj,
                frame: PhantomData,
            })
        }
    }

    #[inline(always)]
    fn place(&self, number: u32) -> *mut zval {
        debug_assert!((1..=self.given).contains(&number));
        self.arguments.wrapping_add(number as usize - 1)
    }

    /// The argument as it was given, if it was.
    #[inline(always)]
    pub fn raw(&self, number: u32) -> Option<&'f zval> {
        // SAFETY: arguments up to `given` are set, and the frame keeps them for 'f.
        (number <= self.given).then(|| unsafe { &*self.place(number) })
    }

    /// Whether the argument was given, and is not null.
    pub fn is_set(&self, number: u32) -> bool {
        self.raw(number).is_some_and(|v| kind(v) != IS_NULL)
    }

    /// Any bytes. A required argument, as are those below.
    #[inline(always)]
    pub fn text(&self, number: u32) -> Php<Borrowed<'f>> {
        let text = self.scalar(number, &TEXT, zend_parse_arg_str_slow)?;
        // SAFETY: the frame keeps the argument, or what it was converted to in its place.
        Ok(unsafe { Borrowed::new(text) })
    }

    #[inline(always)]
    pub fn long(&self, number: u32) -> Php<i64> {
        self.scalar(number, &LONG, zend_parse_arg_long_slow)
    }

    #[inline(always)]
    pub fn long_or(&self, number: u32, default: i64) -> Php<i64> {
        if number <= self.given {
            self.long(number)
        } else {
            Ok(default)
        }
    }

    pub fn double(&self, number: u32) -> Php<f64> {
        self.scalar(number, &DOUBLE, zend_parse_arg_double_slow)
    }

    pub fn double_or(&self, number: u32, default: f64) -> Php<f64> {
        if number <= self.given {
            self.double(number)
        } else {
            Ok(default)
        }
    }

    /// As `text`, coerced in strict mode too: for parameters declared without a type.
    pub fn weak_text(&self, number: u32) -> Php<Borrowed<'f>> {
        let text = self.scalar(number, &TEXT, zend_parse_arg_str_weak)?;
        // SAFETY: as for `text`.
        Ok(unsafe { Borrowed::new(text) })
    }

    /// As `long`, coerced in strict mode too.
    pub fn weak_long(&self, number: u32) -> Php<i64> {
        self.scalar(number, &LONG, zend_parse_arg_long_weak)
    }

    /// As `double`, coerced in strict mode too.
    pub fn weak_double(&self, number: u32) -> Php<f64> {
        self.scalar(number, &DOUBLE, zend_parse_arg_double_weak)
    }

    #[inline(always)]
    fn scalar<T>(&self, number: u32, of: &Scalar<T>, conversion: Conversion<T>) -> Php<T> {
        let place = self.place(number);
        // SAFETY: callers ask for arguments that are set; the type says which field is.
        unsafe {
            if kind(&*place) == of.kind {
                return Ok((of.read)(&*place));
            }
            convert(place, number, conversion, of.expected)
        }
    }

    /// An object of `class`, which is final.
    pub fn object(&self, number: u32, class: &Class, name: &CStr) -> Php<*mut zend_object> {
        self.instance(number, class).ok_or_else(|| {
            // SAFETY: the argument is set, and the name is a C string.
            unsafe {
                zend_wrong_parameter_class_error(number, name.as_ptr(), self.place(number));
            }
            Thrown
        })
    }

    /// An object of `class`, which is final; `None` for null or when left out.
    pub fn object_or_null(
        &self,
        number: u32,
        class: &Class,
        name: &CStr,
    ) -> Php<Option<*mut zend_object>> {
        if !self.is_set(number) {
            return Ok(None);
        }
        self.instance(number, class).map(Some).ok_or_else(|| {
            let place = self.place(number);
            // SAFETY: as above.
            unsafe { zend_wrong_parameter_class_or_null_error(number, name.as_ptr(), place) };
            Thrown
        })
    }

    fn instance(&self, number: u32, class: &Class) -> Option<*mut zend_object> {
        // SAFETY: an object has a class.
        value::as_object(self.raw(number)?).filter(|o| unsafe { (**o).ce == class.entry() })
    }

    /// Any object; `None` for null or when left out.
    pub fn any_object_or_null(&self, number: u32) -> Php<Option<*mut zend_object>> {
        match self.raw(number) {
            Some(v) if kind(v) == IS_OBJECT => Ok(value::as_object(v)),
            Some(v) if kind(v) != IS_NULL => {
                let given = value::kind_name(v);
                let message = format!("must be of type ?object, {given} given");
                Err(raise::argument_type(number, &message))
            }
            _ => Ok(None),
        }
    }

    pub fn array(&self, number: u32) -> Php<&'f ZendHashTable> {
        let place = self.place(number);
        // SAFETY: the argument is set, and its type says which field is; the frame keeps it.
        unsafe {
            if kind(&*place) == IS_ARRAY {
                return Ok(&*(*place).value.arr);
            }
            zend_wrong_parameter_type_error(number, _zend_expected_type_Z_EXPECTED_ARRAY, place);
        }
        Err(Thrown)
    }

    /// `$this` of a method that is not static.
    pub fn this(&self) -> *mut zend_object {
        self.this
    }

    /// The Rust side of `$this`, in a method of `T`'s class that is not static.
    #[inline(always)]
    pub fn native<T: Native>(&self) -> Php<&'f T> {
        // SAFETY: the engine calls a method on objects of its class only, and the frame holds
        // a reference to `$this`. The Rust side is never replaced once it is there.
        match unsafe { object::native::<T>(self.this) } {
            Some(data) => Ok(data),
            None => Err(unmade(self.this)),
        }
    }
}

#[cold]
fn unmade(this: *mut zend_object) -> Thrown {
    raise::error(&format!(
        "{}: the parent's constructor was not called",
        object::class_name(this)
    ))
}

/// One of the engine's conversions of an argument.
type Conversion<T> = unsafe extern "C" fn(*mut zval, *mut T, u32) -> bool;

/// Runs PHP code: `__toString()`, or an error handler that is told of a deprecation.
///
/// # Safety
/// `place` holds argument `number` of the call under way.
#[cold]
unsafe fn convert<T>(
    place: *mut zval,
    number: u32,
    conversion: Conversion<T>,
    expected: _zend_expected_type,
) -> Php<T> {
    let mut to = std::mem::MaybeUninit::uninit();
    // SAFETY: `place` holds an argument; the engine sets `to` if it answers true.
    unsafe {
        if conversion(place, to.as_mut_ptr(), number) {
            return Ok(to.assume_init());
        }
        zend_wrong_parameter_type_error(number, expected, place);
    }
    Err(Thrown)
}

/// Whether the object is one of `class` or of a class derived from it.
///
/// # Safety
/// Both are live.
pub unsafe fn is_a(
    object: *mut zend_object,
    class: *mut ext_php_rs::ffi::zend_class_entry,
) -> bool {
    // SAFETY: both are live.
    unsafe { (*object).ce == class || instanceof_function_slow((*object).ce, class) }
}
