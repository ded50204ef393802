# Where make install puts the extension, and that make uninstall leaves nothing. Nothing outside a directory of its own.
set -euo pipefail
config="${PHP_CONFIG:-php-config}"
extensions="$("$config" --extension-dir)"
root="$(mktemp -d)"
trap 'rm -rf "$root"' EXIT
unset PREFIX DESTDIR
passed=0
failed=0

# same NAME EXPECTED GOT
same() {
    if [ "$2" = "$3" ]; then
        passed=$((passed + 1))
    else
        printf 'not ok - %s\nexpected: %s\ngot:      %s\n' "$1" "$2" "$3"
        failed=$((failed + 1))
    fi
}
run() { make --no-print-directory PHP_CONFIG="$config" "$@" 2>&1; }
files() { (cd "$1" && find . ! -type d | sort | xargs echo); }

# Without PREFIX, and with one that PHP is under, it is staged where PHP looks, and switched on.
for prefix in '' / "$(dirname "$extensions")/" "$extensions"; do
    stage="$(mktemp -d -p "$root")"
    run install DESTDIR="$stage" PREFIX="$prefix" >/dev/null || true
    same "install PREFIX=$prefix: the module" yes "$(cmp -s build/ratelimit.so "$stage$extensions/ratelimit.so" && echo yes)"
    same "install PREFIX=$prefix: switched on" extension=ratelimit.so "$(cd "$stage" && find . -name ratelimit.ini -exec grep '^extension' {} +)"
    run uninstall DESTDIR="$stage" PREFIX="$prefix" >/dev/null || true
    same "uninstall PREFIX=$prefix: nothing is left" '' "$(files "$stage")"
done

# Elsewhere PHP does not look: the line that is printed is what switches it on.
prefix="$root/opt"
path="$prefix/lib/php/$(basename "$extensions")/ratelimit.so"
line="$(run install PREFIX="$prefix/" | tail -n 1)" || true
same 'the line to use' "extension=$path" "$line"
same 'that line switches it on' ratelimit "$(php -n -d "$line" -m | grep -x ratelimit)"
same 'only the module is there' "./lib/php/$(basename "$extensions")/ratelimit.so" "$(files "$prefix")"
run uninstall PREFIX="$prefix" >/dev/null || true
same 'uninstall: nothing is left' '' "$(files "$prefix")"

line="$(run install PREFIX="$prefix" DESTDIR="$root/stage" | tail -n 1)" || true
same 'staged, the line names the final place' "extension=$path" "$line"
same 'staged below DESTDIR' yes "$(cmp -s build/ratelimit.so "$root/stage$path" && echo yes)"

out="$(run install PREFIX=opt DESTDIR="$root/none")" && out="accepted: $out"
same 'a relative PREFIX is refused' 'install: PREFIX must be a path from the root, such as /opt/ratelimit, got opt' "$(head -n 1 <<<"$out")"

echo "$passed passed, $failed failed"
[ "$failed" = 0 ]
