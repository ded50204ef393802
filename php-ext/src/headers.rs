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

const SECOND: u64 = 1_000_000;
/// Limits above are those of `unlimited`.
const MAX_LIMIT: i64 = u32::MAX as i64;

/// Trusts no property to be there or to be sensible: `unserialize()` makes decisions too.
pub fn headers(call: &Call<'_>, result: &mut Zval) -> Php<()> {
    // SAFETY: headers() is a method of decisions.
    unsafe { Hidden::complete(call.this()) };
    let first = slots(call.this());
    // SAFETY: a decision has eight properties, and the frame holds it.
    let property = |index: usize| deref(unsafe { &*first.add(index) });
    // SAFETY: headers() is a method of decisions.
    let hidden = unsafe { native::<Hidden>(call.this()) };
    let mut fields = ZendHashTable::new();
    if let (Some(limit), Some(remaining)) = (as_long(property(1)), as_long(property(2)))
        && limit <= MAX_LIMIT
    {
        let reset = micros(property(4));
        let span = hidden.and_then(|h| h.span.get());
        let now = hidden.map_or(Moment::System, |h| h.made.get()).micros();
        if let Some(name) = name(property(7)) {
            let window = span.map_or_else(String::new, |us| format!(";w={}", up(us)));
            let policy = format!("\"{name}\";q={limit}{window}");
            set(&mut fields, "RateLimit-Policy", policy);
            set(
                &mut fields,
                "RateLimit",
                format!("\"{name}\";r={remaining};t={}", up(reset)),
            );
        }
        set(&mut fields, "X-RateLimit-Limit", limit.to_string());
        set(&mut fields, "X-RateLimit-Remaining", remaining.to_string());
        set(
            &mut fields,
            "X-RateLimit-Reset",
            up(now.saturating_add(reset)).to_string(),
        );
        if kind(property(0)) == IS_FALSE && as_double(property(3)).is_some() {
            set(
                &mut fields,
                "Retry-After",
                up(micros(property(3))).max(1).to_string(),
            );
        }
    }
    give(result, fields);
    Ok(())
}

fn give(result: &mut Zval, fields: ZBox<ZendHashTable>) {
    result.set_hashtable(fields);
}

fn set(fields: &mut ZendHashTable, name: &str, value: String) {
    // Fails for values that cannot be PHP's, which strings can.
    let _ = fields.insert(name, value);
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
