//! The scripts, one for each algorithm and one for several charges at once.

/// A script that a server knows by its hash, once it has seen it.
pub(super) struct Script {
    pub body: String,
    pub hash: String,
}

/// All of them.
pub(super) struct Scripts {
    pub token_bucket: Script,
    pub leaky_bucket: Script,
    pub fixed_window: Script,
    pub sliding_window: Script,
    pub consume_all: Script,
}

macro_rules! part {
    ($file:literal) => {
        include_str!(concat!("scripts/", $file, ".lua"))
    };
}

impl Scripts {
    pub(super) fn new() -> Scripts {
        let common = part!("lib/common");
        let bucket = part!("lib/bucket");
        let fixed = part!("lib/fixed_window");
        let sliding = part!("lib/sliding_window");
        Scripts {
            token_bucket: script(&[common, bucket, part!("token_bucket")]),
            leaky_bucket: script(&[common, bucket, part!("leaky_bucket")]),
            fixed_window: script(&[common, fixed, part!("fixed_window")]),
            sliding_window: script(&[common, sliding, part!("sliding_window")]),
            consume_all: script(&[common, bucket, fixed, sliding, part!("consume_all")]),
        }
    }
}

fn script(parts: &[&str]) -> Script {
    let body = parts.concat();
    let hash = redis::Script::new(&body).get_hash().to_owned();
    Script { body, hash }
}
