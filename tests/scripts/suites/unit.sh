# Unit, property and documentation tests of the whole workspace.
set -euo pipefail
cargo test --quiet --workspace
