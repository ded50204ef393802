//! `Decision::headers()`: HTTP header fields, as in draft-ietf-httpapi-ratelimit-headers-10.

use crate::decision::Hidden;
use crate::engine::call::Call;
use crate::engine::object::{Native, native, slots};
use crate::engine::raise::Php;
use crate::engine::value::{as_double, as_long, as_text, deref, kind};
use crate::moment::Moment;
use ext_php_rs::boxed::ZBox;
use ext_php_rs::ffi::{IS_FALSE, zval};
use ext_php_rs::types::{ZendHashTable, Zval};
use std::fmt::Display;

const SECOND: u64 = 1_000_000;
/// Limits above are those of `unlimited`.
const MAX_LIMIT: i64 = u32::MAX as i64;

/// Trusts no property to be there or to be sensible: `unserialize()` makes decisions too.
pub fn headers(call: &Call<'_>, result: &mut Zval) -> Php<()> {
    // SAFETY: headers() is a method of decisions.
    unsafe { Hidden::complete(call.this()) };
    // SAFETY: a decision has these properties, and the frame holds it.
    let properties = unsafe { &*slots(call.this()).cast::<[zval; 8]>() };
    let [allowed, limit, remaining, retry, reset, _, _, limiter] = properties.each_ref().map(deref);
    // SAFETY: as above.
    let hidden = unsafe { native::<Hidden>(call.this()) };
    let mut fields = ZendHashTable::new();
    if let (Some(limit), Some(remaining)) = (as_long(limit), as_long(remaining))
        && limit <= MAX_LIMIT
    {
        let reset = micros(reset);
        let span = hidden.and_then(|h| h.span.get());
        let now = hidden.map_or(Moment::System, |h| h.made.get()).micros();
        if let Some(name) = name(limiter) {
            let window = span.map_or_else(String::new, |us| format!(";w={}", up(us)));
            let policy = format_args!("\"{name}\";q={limit}{window}");
            set(&mut fields, "RateLimit-Policy", policy);
            let state = format_args!("\"{name}\";r={remaining};t={}", up(reset));
            set(&mut fields, "RateLimit", state);
        }
        set(&mut fields, "X-RateLimit-Limit", limit);
        set(&mut fields, "X-RateLimit-Remaining", remaining);
        set(
            &mut fields,
            "X-RateLimit-Reset",
            up(now.saturating_add(reset)),
        );
        if kind(allowed) == IS_FALSE && as_double(retry).is_some() {
            set(&mut fields, "Retry-After", up(micros(retry)).max(1));
        }
    }
    give(result, fields);
    Ok(())
}

fn give(result: &mut Zval, fields: ZBox<ZendHashTable>) {
    result.set_hashtable(fields);
}

fn set(fields: &mut ZendHashTable, name: &str, value: impl Display) {
    // Fails for values that cannot be PHP's, which strings can.
    let _ = fields.insert(name, value.to_string());
}

/// Whole seconds, rounded up.
fn up(micros: u64) -> u64 {
    micros.div_ceil(SECOND)
}

/// The exact microseconds of a float that came from them; `as` cuts, and takes care of the rest.
fn micros(seconds: &zval) -> u64 {
    (as_double(seconds).unwrap_or(0.0) * 1e6) as u64
}

/// A limiter's name, which needs no escaping between quotes.
fn name(value: &zval) -> Option<String> {
    let bytes = as_text(value)?.bytes();
    let plain = |c: &u8| c.is_ascii_alphanumeric() || b"_.-".contains(c);
    (!bytes.is_empty() && bytes.iter().all(plain))
        .then(|| String::from_utf8_lossy(bytes).into_owned())
}
