//! What `phpinfo()` and `php --ri ratelimit` say.

use crate::engine::symbols::display_ini_entries;
use crate::{ini, segment};
use ext_php_rs::zend::ModuleEntry;
use ext_php_rs::{info_table_end, info_table_header, info_table_row, info_table_start};

pub unsafe extern "C" fn print(module: *mut ModuleEntry) {
    let _ = std::panic::catch_unwind(table);
    // SAFETY: the engine hands in our own entry.
    unsafe { display_ini_entries(module) };
}

fn table() {
    let (place, stats) = segment::describe();
    info_table_start!();
    info_table_header!(
        "ratelimit",
        if ini::enabled() {
            "enabled"
        } else {
            "switched off"
        }
    );
    info_table_row!("Version", env!("CARGO_PKG_VERSION"));
    info_table_row!("Segment", place);
    if let Some(stats) = stats {
        info_table_row!("Segment bytes", stats.bytes.to_string());
        info_table_row!("Capacity", stats.capacity.to_string());
        info_table_row!("Live keys", stats.live.to_string());
        info_table_row!("Live keys given up", stats.given_up.to_string());
        info_table_row!("Decisions allowed", stats.allowed.to_string());
        info_table_row!("Decisions refused", stats.refused.to_string());
    }
    info_table_end!();
}
