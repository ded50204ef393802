# Everything but the extension under AddressSanitizer. (The extension lives in a PHP that is not built for it:
# valgrind looks after that.)
set -euo pipefail
# An option of nightly compilers. A stable one has the runtime too, and takes the option when told to.
if rustup toolchain list 2>/dev/null | grep -q '^nightly'; then
    export RUSTUP_TOOLCHAIN=nightly
else
    export RUSTC_BOOTSTRAP=1
fi
# --target keeps the sanitizer out of build scripts and macros.
options=(--quiet --target "$(rustc -vV | sed -n 's/^host: //p')" --target-dir "${CARGO_TARGET_DIR:-target}/asan")
export RUSTFLAGS="-Zsanitizer=address"

status=0
cargo test "${options[@]}" --workspace --exclude ratelimit-php --lib --bins --tests || status=1
for store in memory shared; do
    cargo run "${options[@]}" -p conformance -- --store "$store" tests/vectors/*.json || status=1
done
exit "$status"
