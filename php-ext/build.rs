//! Tells the code which PHP it is built for, as `cfg(php82)` and the like.

use ext_php_rs_build::{ApiVersion, PHPInfo, emit_check_cfg, emit_php_cfg_flags, find_php};

fn main() {
    println!("cargo::rerun-if-env-changed=PHP");
    println!("cargo::rerun-if-env-changed=PHP_CONFIG");
    let php = find_php().expect("no php found: install it, or name it in the variable PHP");
    let info = PHPInfo::get(&php).expect("php -i failed");
    let api = info.zend_version().expect("php -i names no API version");
    emit_check_cfg();
    emit_php_cfg_flags(ApiVersion::try_from(api).expect("PHP 8.1 or newer is needed"));
}
