# The conformance vectors on both local stores, through Rust and through PHP.
set -euo pipefail
status=0
for store in memory shared; do
    cargo run --quiet --release -p conformance -- --store "$store" tests/vectors/*.json || status=1
    php -n -d "extension=${RATELIMIT_EXTENSION:-$PWD/build/ratelimit.so}" -d display_errors=1 \
        tests/scripts/suites/vectors.php "$store" tests/vectors/*.json || status=1
done
exit "$status"
