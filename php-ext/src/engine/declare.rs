//! Declarations that ext-php-rs has no word for.

use crate::engine::symbols::zend_declare_typed_property;
use crate::engine::value::undef;
use ext_php_rs::args::ArgInfoTables;
use ext_php_rs::builders::ClassProperty;
use ext_php_rs::convert::IntoZval;
use ext_php_rs::ffi::{
    ext_php_rs_compiler_globals, zend_class_entry, zend_function, zend_hash_str_find_ptr_lc,
    zend_type,
};
use ext_php_rs::flags::PropertyFlags;
use ext_php_rs::types::ZendStr;
use std::ffi::c_int;
use std::ptr::null_mut;
use std::sync::Mutex;

const ACC_PUBLIC: c_int = 1 << 0;
/// Since PHP 8.1.
const ACC_READONLY: c_int = 1 << 7;

/// Argument tables of classes, which the engine borrows for as long as the process lives.
struct Kept(#[expect(dead_code, reason = "kept for the engine")] ArgInfoTables);

// SAFETY: nobody but the engine reads them, and it does not change them once classes are there.
unsafe impl Send for Kept {}

static KEPT: Mutex<Vec<Kept>> = Mutex::new(Vec::new());

pub fn keep(tables: ArgInfoTables) {
    KEPT.lock()
        .unwrap_or_else(|e| e.into_inner())
        .push(Kept(tables));
}

/// A class by its name in lower or upper case, while modules start.
pub fn find_class(name: &str) -> *mut zend_class_entry {
    // SAFETY: the table of classes exists while modules start.
    unsafe {
        let table = (*ext_php_rs_compiler_globals()).class_table;
        zend_hash_str_find_ptr_lc(table, name.as_ptr().cast(), name.len()).cast()
    }
}

/// A public readonly property; `types` is a mask of `1 << IS_LONG` and the like.
pub fn readonly_property(class: &mut zend_class_entry, name: &str, types: u32) {
    let name = ZendStr::new_interned(name, true).into_raw();
    let of = zend_type {
        ptr: null_mut(),
        type_mask: types,
    };
    let mut unset = undef();
    // SAFETY: a class being registered, an interned name, no default.
    unsafe {
        let flags = ACC_PUBLIC | ACC_READONLY;
        zend_declare_typed_property(class, name, &mut unset, flags, null_mut(), of);
    }
}

/// A protected property without a type.
pub fn protected_property<T: IntoZval + Copy + 'static>(name: &str, default: T) -> ClassProperty {
    ClassProperty {
        name: name.into(),
        flags: PropertyFlags::Protected,
        default: Some(Box::new(move || default.into_zval(true))),
        docs: &[],
        ty: None,
        nullable: false,
        readonly: false,
        default_stub: None,
    }
}

/// Makes the first `count` parameters of a method ones without a type.
///
/// A subclass written for a class without types may then override the method.
pub fn untype(class: &mut zend_class_entry, method: &str, count: usize) {
    // SAFETY: the method was registered a moment ago, and its table of arguments is ours.
    unsafe {
        let table = &raw const class.function_table;
        let function: *mut zend_function =
            zend_hash_str_find_ptr_lc(table, method.as_ptr().cast(), method.len()).cast();
        let internal = &(*function).internal_function;
        for number in 0..count.min(internal.num_args as usize) {
            (*internal.arg_info.add(number)).type_.type_mask = 0;
        }
    }
}
