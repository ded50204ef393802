# The examples, as a reader would run them: the PHP ones without a complaint, the Rust ones with the output that they promise.
set -euo pipefail
extension="${RATELIMIT_EXTENSION:-$PWD/build/ratelimit.so}"
passed=0
failed=0

ok() { passed=$((passed + 1)); }
not_ok() {
    printf 'not ok - %s:\n%s\n' "$1" "$2"
    failed=$((failed + 1))
}

for script in examples/php/bucket_limit.php examples/php/token_bucket.php; do
    if out="$(php -n -d "extension=$extension" -d display_errors=1 "$script" 2>&1)" && ! grep -E '^(Warning|Fatal|Notice|Deprecated)' <<<"$out"; then
        ok
    else
        not_ok "$script" "$out"
    fi
done

# A time as Rust prints it.
time='[0-9.]+(ns|µs|ms|s)'
# Built once: cargo between two calls would take part of the window that they share.
cargo build --quiet --profile test -p ratelimit-core --examples
example() { "${CARGO_TARGET_DIR:-target}/debug/examples/$1" "${@:2}" 2>&1; }

# matches NAME OUTPUT PATTERN…: a pattern for each line of the output.
matches() {
    local name="$1" out="$2" line
    shift 2
    while IFS= read -r line; do
        if [ $# = 0 ] || ! [[ "$line" =~ ^$1$ ]]; then
            not_ok "$name, at \"$line\"" "$out"
            return
        fi
        shift
    done <<<"$out"
    if [ $# = 0 ]; then ok; else not_ok "$name, which ends too soon" "$out"; fi
}

# Five at once, then one every 100 ms, which the seven calls are far from taking.
matches token_bucket "$(example token_bucket)" \
    'call 1: allowed, 4 left' 'call 2: allowed, 3 left' 'call 3: allowed, 2 left' \
    'call 4: allowed, 1 left' 'call 5: allowed, 0 left' \
    "call 6: refused, try again in $time" "call 7: refused, try again in $time" \
    'after waiting: allowed = true'

# Ten in 10 s for all processes together, on a path of its own.
dir="$(mktemp -d)"
trap 'rm -rf "$dir"' EXIT
ends="the window ends in $time"
expected=()
outputs=()
for left in 9 8 7 6 5 4 3 2 1 0; do
    outputs+=("$(example shared "$dir/segment")")
    expected+=("allowed = true, $left of 10 left, $ends")
done
outputs+=("$(example shared "$dir/segment")")
expected+=("allowed = false, 0 of 10 left, $ends")
matches shared "$(printf '%s\n' "${outputs[@]}")" "${expected[@]}"

echo "$passed passed, $failed failed"
[ "$failed" = 0 ]
