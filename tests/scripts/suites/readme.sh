# The snippets in README: PHP runs, settings exist, make targets exist. (Rust ones are doc tests.)
set -euo pipefail
php tests/scripts/suites/readme.php README.md
