# Models of the lock-free table under every interleaving that loom finds.
set -euo pipefail
# Its own target directory: the flag would otherwise rebuild everything, twice a run.
RUSTFLAGS="--cfg loom" cargo test --quiet --release -p ratelimit-core --lib --target-dir "${CARGO_TARGET_DIR:-target}/loom" model
