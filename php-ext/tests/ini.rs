//! The values that php.ini may give.

#[path = "../src/ini/parse.rs"]
mod parse;

use parse::{bytes, decimal, mode, switch};

#[test]
fn sizes_take_the_suffixes_of_php() {
    for (text, size) in [
        ("65536", 65_536),
        ("64K", 65_536),
        ("32M", 32 << 20),
        (" 1g ", 1 << 30),
        ("0", 0),
    ] {
        assert_eq!(bytes(text.as_bytes()), Some(size), "{text}");
    }
    for text in [
        "",
        "M",
        "-1",
        "1.5M",
        "32MB",
        "0x10",
        "1T",
        "99999999999999999999",
        "99999999999999G",
        "1 M",
    ] {
        assert_eq!(bytes(text.as_bytes()), None, "{text}");
    }
}

#[test]
fn switches_take_the_words_of_php() {
    for text in ["1", "on", "On", "yes", "TRUE"] {
        assert_eq!(switch(text.as_bytes()), Some(true), "{text}");
    }
    for text in ["0", "", "off", "no", "False", "none"] {
        assert_eq!(switch(text.as_bytes()), Some(false), "{text}");
    }
    for text in ["2", "maybe", "-1"] {
        assert_eq!(switch(text.as_bytes()), None, "{text}");
    }
}

#[test]
fn modes_are_octal() {
    assert_eq!(mode(b"0600"), Some(0o600));
    assert_eq!(mode(b"660"), Some(0o660));
    for text in ["", "8", "0o600", "1777", "00600", "0444", "0", "rw", "-1"] {
        assert_eq!(mode(text.as_bytes()), None, "{text}");
    }
}

#[test]
fn decimals_are_digits_alone() {
    assert_eq!(decimal(b"1000"), Some(1000));
    for text in ["", "+1", "-1", "1a", " 1"] {
        assert_eq!(decimal(text.as_bytes()), None, "{text}");
    }
}
