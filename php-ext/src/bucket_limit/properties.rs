//! The protected properties of `BucketLimit`, and what they must be.

use super::CLASS;
use crate::arguments::{UNITS, php_float};
use crate::engine::object::slots;
use crate::engine::raise::{self, Php, Thrown};
use crate::engine::value::{as_double, as_long, as_text, deref, kind, kind_name};
use crate::rate::as_fraction;
use ext_php_rs::ffi::{IS_NULL, IS_REFERENCE, IS_UNDEF, zend_object, zval};
use ratelimit_core::{Error, Policy};
use std::borrow::Cow;
use std::time::Duration;

// The slots of the properties.
pub const CAPACITY: usize = 0;
pub const ADD_NUM: usize = 1;
pub const RATE: usize = 2;
pub const WATER_KEY: usize = 3;
const PROPERTIES: [&str; 4] = ["capacity", "addNum", "rate", "water_key"];

/// A property's value; that of the class where it was unset.
pub fn property<'a>(this: *mut zend_object, slot: usize) -> &'a zval {
    // SAFETY: the object has the class's slots, and `$this` is held by the frame.
    unsafe {
        let own = deref(&*slots(this).add(slot));
        if kind(own) == IS_UNDEF {
            &*(*CLASS.entry()).default_properties_table.add(slot)
        } else {
            own
        }
    }
}

/// Releases the old value, which may be anything that a subclass put there.
pub fn set_property(this: *mut zend_object, slot: usize, value: zval) {
    let own = slots(this).wrapping_add(slot);
    // SAFETY: the object has the class's slots; a reference's value is in the reference.
    let old = unsafe {
        let place = if kind(&*own) == IS_REFERENCE {
            &raw mut (*(*own).value.ref_).val
        } else {
            own
        };
        std::ptr::replace(place, value)
    };
    drop(old);
}

/// What is wrong with a property.
pub struct Wrong {
    pub slot: usize,
    pub text: String,
    /// It is no number or text at all.
    of_type: bool,
}

impl Wrong {
    fn value(slot: usize, text: String) -> Self {
        let of_type = false;
        Wrong {
            slot,
            text,
            of_type,
        }
    }

    fn kind(slot: usize, expected: &str, given: &zval) -> Self {
        let text = format!("must be {expected}, {} given", kind_name(given));
        let of_type = true;
        Wrong {
            slot,
            text,
            of_type,
        }
    }

    #[cold]
    pub fn property(self) -> Thrown {
        let name = PROPERTIES[self.slot];
        let text = format!("RateLimit\\BucketLimit::${name} {}", self.text);
        if self.of_type {
            raise::type_error(&text)
        } else {
            raise::value_error(&text)
        }
    }
}

/// A number, also in a string, as arithmetic takes them.
fn number(value: &zval) -> Option<f64> {
    let parse = |text: &[u8]| std::str::from_utf8(text.trim_ascii()).ok()?.parse().ok();
    as_long(value)
        .map(|n| n as f64)
        .or_else(|| as_double(value))
        .or_else(|| parse(as_text(value)?.bytes()))
}

/// The leaky bucket of a capacity and a rate per second.
pub fn policy(capacity: &zval, rate: &zval) -> Result<Policy, Wrong> {
    let units = number(capacity).ok_or_else(|| Wrong::kind(CAPACITY, "a number", capacity))?;
    let per_second = number(rate).ok_or_else(|| Wrong::kind(RATE, "a number", rate))?;
    let (least, most) = (*UNITS.start(), *UNITS.end());
    if units.fract() != 0.0 || !(least as f64..=most as f64).contains(&units) {
        let given = php_float(units);
        let text = format!("must be between {least} and {most}, {given} given");
        return Err(Wrong::value(CAPACITY, text));
    }
    let Some((leak, seconds)) = as_fraction(per_second) else {
        let range = "must be between 1 in 366 days and 1000000000 units per second";
        let given = php_float(per_second);
        return Err(Wrong::value(RATE, format!("{range}, {given} given")));
    };
    Policy::leaky_bucket(units as u64, leak, Duration::from_secs(seconds))
        .map_err(|e| refused(&e, units, per_second))
}

/// What the core said of both together.
#[cold]
fn refused(error: &Error, units: f64, per_second: f64) -> Wrong {
    let (units, rate) = (php_float(units), php_float(per_second));
    match error {
        Error::Argument(e) if e.parameter == "capacity" => {
            let text = format!("must be {}, {units} at a rate of {rate} given", e.accepted);
            Wrong::value(CAPACITY, text)
        }
        Error::Argument(e) => Wrong::value(RATE, format!("must be {}, {rate} given", e.accepted)),
        e => Wrong::value(RATE, e.to_string()),
    }
}

/// `$water_key` as text, which any scalar is.
pub fn text(water_key: &zval) -> Php<Cow<'_, [u8]>> {
    if let Some(text) = as_text(water_key) {
        return Ok(Cow::Borrowed(text.bytes()));
    }
    match (as_long(water_key), as_double(water_key)) {
        (Some(n), _) => Ok(n.to_string().into_bytes().into()),
        (_, Some(n)) => Ok(php_float(n).into_bytes().into()),
        _ if kind(water_key) == IS_NULL => Ok(Cow::Borrowed(b"")),
        _ => Err(Wrong::kind(WATER_KEY, "of type string", water_key).property()),
    }
}

/// What `bucket(null)` adds: the property.
pub fn default_add_num(this: *mut zend_object) -> Php<i64> {
    /// Whole numbers up to here are exact as floats.
    const EXACT: f64 = (1u64 << f64::MANTISSA_DIGITS) as f64;
    let value = property(this, ADD_NUM);
    match number(value) {
        Some(n) if n.fract() == 0.0 && n.abs() <= EXACT => Ok(n as i64),
        _ => Err(Wrong::kind(ADD_NUM, "a whole number", value).property()),
    }
}
