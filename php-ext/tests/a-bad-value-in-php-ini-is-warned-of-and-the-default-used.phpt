--TEST--
A bad value in php.ini is warned of, and the default used
--INI--
ratelimit.shm_size=lots
ratelimit.shm_mode=rw
ratelimit.shm_path=relative
ratelimit.shm_group=no-such-group
ratelimit.enabled=maybe
ratelimit.enable_cli=2
--FILE--
<?php
require __DIR__ . '/helpers.inc';
use RateLimit\Limiter;
foreach (['shm_size', 'shm_mode', 'shm_path', 'shm_group', 'enabled', 'enable_cli'] as $name) {
    echo "$name=", ini_get("ratelimit.$name"), "\n";
}
attempt(fn () => allowed(fn () => Limiter::fixedWindow('w', 3, 60)->allow('k')));
--EXPECT--
Warning: PHP Startup: ratelimit.enabled must be 0 or 1, "maybe" given; using the default in Unknown on line 0

Warning: PHP Startup: ratelimit.enable_cli must be 0 or 1, "2" given; using the default in Unknown on line 0

Warning: PHP Startup: ratelimit.shm_size must be 64K to 64G, as in 32M, "lots" given; using the default in Unknown on line 0

Warning: PHP Startup: ratelimit.shm_path must be an absolute path, or empty for memory without a file, "relative" given; using the default in Unknown on line 0

Warning: PHP Startup: ratelimit.shm_mode must be an octal file mode from 0600 to 0777 that lets its owner read and write, "rw" given; using the default in Unknown on line 0

Warning: PHP Startup: ratelimit.shm_group must be the name or number of a group, or empty, "no-such-group" given; using the default in Unknown on line 0
shm_size=32M
shm_mode=0600
shm_path=
shm_group=
enabled=1
enable_cli=1
3
