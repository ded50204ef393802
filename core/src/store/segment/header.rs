//! The first bytes of a segment's file: what it is, and for whom.

use siphasher::sip::SipHasher13;
use std::os::unix::fs::MetadataExt;

/// Marks a file as a segment of this library.
const MAGIC: [u8; 8] = *b"rlimit\r\n";
/// Changes with the layout of header, counters or cells, and with what they mean.
const LAYOUT: u64 = 2;
/// Words after the magic: layout, bytes, keys, boot, time namespace, checksum.
const WORDS: usize = 8;
/// Bytes that a header takes in the file.
pub(super) const BYTES: usize = 8 + WORDS * 8;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Header {
    layout: u64,
    bytes: u64,
    /// The table's secret.
    pub keys: [u64; 2],
    /// The boot and the time namespace that its clock readings belong to.
    clock: [u64; 3],
}

/// Why a file cannot be used as it is.
pub(super) enum Unfit {
    /// Ours, but of no use any more.
    Outdated(String),
    /// Not to be touched.
    Foreign(String),
}

impl Header {
    pub(super) fn new(bytes: usize, keys: [u64; 2]) -> Header {
        Header {
            layout: LAYOUT,
            bytes: bytes as u64,
            keys,
            clock: clock_identity(),
        }
    }

    pub(super) fn encode(&self) -> [u8; BYTES] {
        let words = self.words();
        let mut out = [0; BYTES];
        out[..8].copy_from_slice(&MAGIC);
        for (place, word) in out[8..].chunks_exact_mut(8).zip(words) {
            place.copy_from_slice(&word.to_le_bytes());
        }
        out
    }

    /// Reads a header and checks that it fits a segment of `bytes` on this host, now.
    pub(super) fn decode(raw: &[u8; BYTES], bytes: usize) -> Result<Header, Unfit> {
        if raw[..8] != MAGIC {
            return Err(Unfit::Foreign(
                "not a segment of this library; remove it or choose another path".into(),
            ));
        }
        let mut words = [0; WORDS];
        for (word, place) in words.iter_mut().zip(raw[8..].chunks_exact(8)) {
            let mut le = [0; 8];
            le.copy_from_slice(place);
            *word = u64::from_le_bytes(le);
        }
        let [layout, size, k0, k1, b0, b1, ns, _] = words;
        let header = Header {
            layout,
            bytes: size,
            keys: [k0, k1],
            clock: [b0, b1, ns],
        };
        if header.words() != words {
            return Err(Unfit::Foreign(
                "the segment's header is damaged; remove it to start afresh".into(),
            ));
        }
        let now = Header::new(bytes, header.keys);
        let outdated = |what: String| Err(Unfit::Outdated(format!("replaced a segment {what}")));
        if header.layout != LAYOUT {
            return outdated(format!(
                "of layout version {layout}, this library has {LAYOUT}"
            ));
        }
        if header.clock != now.clock {
            return outdated("of another boot".into());
        }
        if header.bytes != now.bytes {
            return outdated(format!("of {size} bytes, {bytes} are wanted"));
        }
        Ok(header)
    }

    fn words(&self) -> [u64; WORDS] {
        let mut words = [0; WORDS];
        words[..2].copy_from_slice(&[self.layout, self.bytes]);
        words[2..4].copy_from_slice(&self.keys);
        words[4..7].copy_from_slice(&self.clock);
        let text: Vec<u8> = words[..7].iter().flat_map(|w| w.to_le_bytes()).collect();
        words[7] = SipHasher13::new().hash(&text);
        words
    }
}

/// What the monotonic clock's zero belongs to: a boot, and a time namespace if there are any.
fn clock_identity() -> [u64; 3] {
    let boot = std::fs::read_to_string("/proc/sys/kernel/random/boot_id").unwrap_or_default();
    let hex: String = boot.chars().filter(char::is_ascii_hexdigit).collect();
    let half = |range| {
        hex.get(range)
            .and_then(|h| u64::from_str_radix(h, 16).ok())
            .unwrap_or(0)
    };
    let namespace = std::fs::metadata("/proc/self/ns/time").map_or(0, |m| m.ino());
    [half(0..16), half(16..32), namespace]
}
