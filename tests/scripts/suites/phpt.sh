# PHP's own kind of tests, on the PHP that the extension was built for.
set -euo pipefail
tests/scripts/phpt php-config "${RATELIMIT_EXTENSION:-build/ratelimit.so}"
