# The same on debug builds of PHP, which report what leaks.
set -euo pipefail
tests/phpdebug/run
