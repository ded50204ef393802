# Many processes at once: exactness, a table that is too small, workers that die.
set -euo pipefail
status=0
for test in exact tiny kill; do
    cargo run --quiet --release -p stress -- "$test" || status=1
done
exit "$status"
