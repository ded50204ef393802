//! The entries of `consumeAll()`: `[Limiter, key, cost = 1]`.

use crate::arguments::MAX_KEY;
use crate::engine::object::native;
use crate::engine::raise::{self, Php, Thrown, pending};
use crate::engine::symbols::{zend_parse_arg_long_slow, zend_parse_arg_str_slow};
use crate::engine::value::{
    Borrowed, Text, as_long, as_object, as_text, deref, kind, kind_name, shared_object, undef,
};
use crate::limiter::{CLASS, Limiter};
use ext_php_rs::ffi::{
    GC_IMMUTABLE, IS_ARRAY, IS_ARRAY_EX, IS_NULL, IS_UNDEF, zend_array, zend_object, zval,
};
use ext_php_rs::types::ZendHashTable;
use std::mem::ManuallyDrop;

/// An entry, with references of its own: PHP code that runs later may rewrite the array.
pub struct Entry {
    limiter: zval,
    pub key: Text,
    pub cost: u64,
}

impl Entry {
    pub fn limiter(&self) -> Option<&Limiter> {
        // SAFETY: the value is one of our limiters, and holds a reference to it.
        as_object(&self.limiter).and_then(|object| unsafe { native::<Limiter>(object) })
    }
}

/// Appends them to `entries`, which the caller does not drop if PHP code ends in a fatal error.
pub fn collect(charges: &ZendHashTable, entries: &mut Vec<Entry>) -> Php<()> {
    for (index, (_, value)) in charges.iter().enumerate() {
        let value = deref(value);
        if kind(value) != IS_ARRAY {
            let what = format!("must be an array, {} given", kind_name(value));
            return Err(wrong(index, &what));
        }
        // SAFETY: the type says that it is an array.
        let array = unsafe { value.value.arr };
        held(array, || append(array, index, entries))?;
    }
    Ok(())
}

/// Runs `body`, which calls PHP code, with a reference to the array held.
fn held<T>(array: *mut zend_array, body: impl FnOnce() -> T) -> T {
    let mut hold = ManuallyDrop::new(undef());
    // SAFETY: the array is live; immutable ones are not counted.
    unsafe {
        if (*array).gc.u.type_info & GC_IMMUTABLE == 0 {
            (*array).gc.refcount += 1;
            hold.value.arr = array;
            hold.u1.type_info = IS_ARRAY_EX;
        }
        let result = body();
        ManuallyDrop::drop(&mut hold);
        result
    }
}

fn append(array: *mut zend_array, index: usize, entries: &mut Vec<Entry>) -> Php<()> {
    // SAFETY: the caller holds the array.
    let fields = unsafe { &*array };
    let field = |number: i64| fields.get_index(number).map(deref);
    let limiter = field(0)
        .and_then(as_object)
        .filter(|object| is_limiter(*object));
    let Some(limiter) = limiter else {
        return Err(wrong(index, "must begin with a RateLimit\\Limiter"));
    };
    let known = (0..3).filter(|n| field(*n).is_some()).count();
    if fields.len() > known {
        return Err(wrong(index, "has something besides"));
    }
    entries.push(Entry {
        // SAFETY: the object is live.
        limiter: unsafe { shared_object(limiter) },
        key: Text::new(b""),
        cost: 1,
    });
    let at = entries.len() - 1;
    entries[at].key = key(field(1), index)?;
    entries[at].cost = cost(field(2), index)?;
    Ok(())
}

fn is_limiter(object: *mut zend_object) -> bool {
    // SAFETY: the object is live. The class is final.
    unsafe { (*object).ce == CLASS.entry() }
}

fn key(value: Option<&zval>, index: usize) -> Php<Text> {
    let text = match value {
        None => return Err(wrong(index, "has no key")),
        Some(value) => match as_text(value) {
            Some(text) => text.share(),
            None => coerced(
                value,
                zend_parse_arg_str_slow,
                index,
                "key must be of type string",
            )
            .map(|(text, hold)| {
                // SAFETY: the engine's answer is a string that `hold` keeps.
                let text = unsafe { Borrowed::new(text) }.share();
                drop(ManuallyDrop::into_inner(hold));
                text
            })?,
        },
    };
    let length = text.borrow().bytes().len();
    if length > MAX_KEY {
        let what = format!("key must be at most {MAX_KEY} bytes long, {length} given");
        return Err(out_of_range(index, &what));
    }
    Ok(text)
}

fn cost(value: Option<&zval>, index: usize) -> Php<u64> {
    let cost = match value {
        None => 1,
        Some(value) => match as_long(value) {
            Some(cost) => cost,
            None => {
                coerced(
                    value,
                    zend_parse_arg_long_slow,
                    index,
                    "cost must be of type int",
                )?
                .0
            }
        },
    };
    u64::try_from(cost).map_err(|_| {
        let what = format!("cost must be greater than or equal to 0, {cost} given");
        out_of_range(index, &what)
    })
}

/// The engine's coercion of a copy, and that copy, which holds the answer.
fn coerced<T>(
    value: &zval,
    conversion: unsafe extern "C" fn(*mut zval, *mut T, u32) -> bool,
    index: usize,
    expected: &str,
) -> Php<(T, ManuallyDrop<zval>)> {
    let given = kind_name(value);
    let mut copy = ManuallyDrop::new(value.shallow_clone());
    let mut answer = std::mem::MaybeUninit::uninit();
    // SAFETY: the copy is ours, and what it becomes; the engine sets `answer` if it says so.
    unsafe {
        let good = !matches!(kind(value), IS_NULL | IS_UNDEF)
            && conversion(&mut *copy, answer.as_mut_ptr(), 1);
        if good && !pending() {
            return Ok((answer.assume_init(), copy));
        }
        ManuallyDrop::drop(&mut copy);
    }
    Err(if pending() {
        Thrown
    } else {
        wrong(index, &format!("{expected}, {given} given"))
    })
}

#[cold]
fn wrong(index: usize, what: &str) -> Thrown {
    raise::argument_type(
        1,
        &format!("must be a list of [Limiter, key, cost]: entry {index} {what}"),
    )
}

#[cold]
fn out_of_range(index: usize, what: &str) -> Thrown {
    raise::argument_value(
        1,
        &format!("must be a list of [Limiter, key, cost]: entry {index} {what}"),
    )
}
