# Everything that needs real FPM workers or a PHP process of its own.
set -euo pipefail
tests/fpm/run
