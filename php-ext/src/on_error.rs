//! `RateLimit\OnError`.

use crate::engine::call::Call;
use crate::engine::declare::keep;
use crate::engine::object::{Class, slots};
use crate::engine::raise::Php;
use crate::engine::value::as_text;
use ext_php_rs::builders::EnumBuilder;
use ext_php_rs::enum_::{Discriminant, EnumCase};
use ext_php_rs::flags::ClassFlags;
use ratelimit_core::OnError;

static CLASS: Class = Class::new();

static CASES: [EnumCase; 4] = [
    case("Fallback", "fallback"),
    case("Allow", "allow"),
    case("Deny", "deny"),
    case("Fail", "fail"),
];

const fn case(name: &'static str, value: &'static str) -> EnumCase {
    EnumCase {
        name,
        discriminant: Some(Discriminant::String(value)),
        docs: &[],
    }
}

/// The argument `number`, or the default.
pub fn argument(call: &Call<'_>, number: u32) -> Php<OnError> {
    if call.raw(number).is_none() {
        return Ok(OnError::Fallback);
    }
    let case = call.object(number, &CLASS, c"RateLimit\\OnError")?;
    // SAFETY: an enum's case with a value has two properties: its name and its value.
    let value = unsafe { &*slots(case).add(1) };
    Ok(match as_text(value).map(|text| text.bytes()) {
        Some(b"allow") => OnError::Allow,
        Some(b"deny") => OnError::Deny,
        Some(b"fail") => OnError::Fail,
        _ => OnError::Fallback,
    })
}

pub fn register() -> ext_php_rs::error::Result<()> {
    let mut builder = EnumBuilder::new("RateLimit\\OnError");
    for case in &CASES {
        builder = builder.case(case);
    }
    let register = |class: &'static mut ext_php_rs::zend::ClassEntry, tables| {
        keep(tables);
        class.ce_flags |= ClassFlags::Final.bits();
        CLASS.set_entry(class);
    };
    builder.registration(register).register()
}
