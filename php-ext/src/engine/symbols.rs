//! Functions of the engine that ext-php-rs does not bind: public in PHP 8.1 to 8.5.

use ext_php_rs::ffi::{
    _zend_expected_type, zend_class_entry, zend_long, zend_module_entry, zend_property_info,
    zend_string, zend_type, zval,
};
use std::ffi::{c_char, c_int};

// How the engine's own functions coerce an argument: "slow" minds the caller's strict_types,
// "weak" does not. They replace the value in place where they convert it.
unsafe extern "C" {
    pub fn zend_parse_arg_str_slow(arg: *mut zval, to: *mut *mut zend_string, num: u32) -> bool;
    pub fn zend_parse_arg_str_weak(arg: *mut zval, to: *mut *mut zend_string, num: u32) -> bool;
    pub fn zend_parse_arg_long_slow(arg: *mut zval, to: *mut zend_long, num: u32) -> bool;
    pub fn zend_parse_arg_long_weak(arg: *mut zval, to: *mut zend_long, num: u32) -> bool;
    pub fn zend_parse_arg_double_slow(arg: *mut zval, to: *mut f64, num: u32) -> bool;
    pub fn zend_parse_arg_double_weak(arg: *mut zval, to: *mut f64, num: u32) -> bool;
}

unsafe extern "C" {
    pub fn zend_wrong_parameter_type_error(num: u32, expected: _zend_expected_type, arg: *mut zval);
    pub fn zend_wrong_parameter_class_error(num: u32, name: *const c_char, arg: *mut zval);
    pub fn zend_wrong_parameter_class_or_null_error(num: u32, name: *const c_char, arg: *mut zval);
    pub fn zend_argument_error(ce: *mut zend_class_entry, num: u32, format: *const c_char, ...);
}

unsafe extern "C" {
    pub fn zend_declare_typed_property(
        ce: *mut zend_class_entry,
        name: *mut zend_string,
        default: *mut zval,
        flags: c_int,
        doc: *mut zend_string,
        ty: zend_type,
    ) -> *mut zend_property_info;
    pub fn zend_objects_not_comparable(a: *mut zval, b: *mut zval) -> c_int;
    pub fn zend_unregister_ini_entries(module_number: c_int);
    pub fn display_ini_entries(module: *mut zend_module_entry);
    pub fn php_date_get_interface_ce() -> *mut zend_class_entry;
}
