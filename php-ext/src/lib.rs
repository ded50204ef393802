//! The PHP extension `ratelimit`: a thin skin over `ratelimit-core`.
//!
//! Every class is registered by hand, and every method is a raw handler: the way to have PHP's
//! own coercion rules and errors, properties that are really readonly, and 20 ns per call.

mod acquire;
mod arguments;
mod bucket_limit;
mod clock;
mod consume_all;
mod current_limiting;
mod decision;
mod engine;
mod factory;
mod failure;
mod gate;
mod headers;
mod info;
mod ini;
mod limiter;
mod moment;
mod on_error;
mod rate;
mod seconds;
mod segment;
mod store;
mod store_exception;

use engine::symbols::zend_unregister_ini_entries;
use ext_php_rs::builders::ModuleBuilder;
use ext_php_rs::ffi::ZEND_RESULT_CODE_SUCCESS;
use ext_php_rs::internal::startup_guard;
use ext_php_rs::zend::{IniEntryDef, ModuleEntry, StaticModuleEntry};

/// Where PHP finds the module.
#[unsafe(no_mangle)]
pub extern "C" fn get_module() -> *mut ModuleEntry {
    static MODULE: StaticModuleEntry = StaticModuleEntry::new();
    MODULE.get_or_init(|| {
        let module = ModuleBuilder::new("ratelimit", env!("CARGO_PKG_VERSION"))
            .startup_function(start)
            .shutdown_function(stop)
            .info_function(info::print);
        let built = module.try_into();
        let (entry, _, owned) = built.expect("a module of two names without functions");
        (entry, owned)
    })
}

/// Runs before PHP forks its workers, so it starts no thread.
unsafe extern "C" fn start(_type: i32, module: i32) -> i32 {
    startup_guard(|| {
        IniEntryDef::register(ini::ENTRIES.as_slice(), module);
        store_exception::register()?;
        on_error::register()?;
        decision::register()?;
        store::register()?;
        limiter::register()?;
        bucket_limit::register()?;
        current_limiting::register()?;
        segment::start();
        Ok(())
    })
}

unsafe extern "C" fn stop(_type: i32, module: i32) -> i32 {
    // SAFETY: the engine hands in the number under which `start` registered them.
    unsafe { zend_unregister_ini_entries(module) };
    segment::stop();
    ZEND_RESULT_CODE_SUCCESS
}
