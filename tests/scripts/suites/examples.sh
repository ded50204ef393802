# The examples that README shows, as a reader would run them.
set -euo pipefail
extension="${RATELIMIT_EXTENSION:-$PWD/build/ratelimit.so}"
passed=0
failed=0
for script in examples/php/bucket_limit.php examples/php/token_bucket.php; do
    if out="$(php -n -d "extension=$extension" -d display_errors=1 "$script" 2>&1)" && ! grep -E '^(Warning|Fatal|Notice|Deprecated)' <<<"$out"; then
        passed=$((passed + 1))
    else
        printf '%s:\n%s\n' "$script" "$out"
        failed=$((failed + 1))
    fi
done
echo "$passed passed, $failed failed"
[ "$failed" = 0 ]
