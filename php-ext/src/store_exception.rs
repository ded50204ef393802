//! `RateLimit\StoreException`.

use crate::engine::declare::{find_class, keep};
use crate::engine::object::Class;
use crate::engine::raise::{self, Thrown};
use ext_php_rs::builders::ClassBuilder;
use ext_php_rs::zend::ClassEntry;

static CLASS: Class = Class::new();

#[cold]
pub fn throw(message: &str) -> Thrown {
    raise::throw(CLASS.entry(), message)
}

fn parent() -> &'static ClassEntry {
    // SAFETY: SPL is compiled into every PHP and starts before extensions do.
    unsafe { &*find_class("runtimeexception") }
}

pub fn register() -> ext_php_rs::error::Result<()> {
    ClassBuilder::new("RateLimit\\StoreException")
        .extends((parent, "\\RuntimeException"))
        .registration(|class, tables| {
            keep(tables);
            CLASS.set_entry(class);
        })
        .register()
}
