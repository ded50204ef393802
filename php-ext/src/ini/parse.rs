//! The values that php.ini may give.

/// Bytes: digits, and K, M or G as PHP writes them.
pub fn bytes(value: &[u8]) -> Option<usize> {
    let value = value.trim_ascii();
    let (digits, shift) = match value.split_last()? {
        (b'k' | b'K', digits) => (digits, 10),
        (b'm' | b'M', digits) => (digits, 20),
        (b'g' | b'G', digits) => (digits, 30),
        _ => (value, 0),
    };
    decimal(digits)?.checked_mul(1 << shift)
}

/// On or off, in the words that php.ini takes.
pub fn switch(value: &[u8]) -> Option<bool> {
    match value.trim_ascii().to_ascii_lowercase().as_slice() {
        b"1" | b"on" | b"yes" | b"true" => Some(true),
        b"" | b"0" | b"off" | b"no" | b"false" | b"none" => Some(false),
        _ => None,
    }
}

/// A file mode in octal that lets the owner read and write.
pub fn mode(value: &[u8]) -> Option<u32> {
    let value = value.trim_ascii();
    let octal = (1..=4).contains(&value.len()) && value.iter().all(|c| (b'0'..=b'7').contains(c));
    let mode = octal.then(|| {
        value
            .iter()
            .fold(0, |mode, c| mode * 8 + u32::from(c - b'0'))
    })?;
    (mode <= 0o777 && mode & 0o600 == 0o600).then_some(mode)
}

/// A number in decimal digits alone.
pub fn decimal(value: &[u8]) -> Option<usize> {
    let plain = !value.is_empty() && value.iter().all(u8::is_ascii_digit);
    plain.then(|| std::str::from_utf8(value).ok()?.parse().ok())?
}
