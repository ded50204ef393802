--TEST--
Good values in php.ini are taken
--INI--
ratelimit.shm_size=1M
ratelimit.shm_mode=660
ratelimit.shm_group=0
ratelimit.namespace=site
--FILE--
<?php
require __DIR__ . '/helpers.inc';
foreach (['shm_size', 'shm_mode', 'shm_group', 'namespace'] as $name) {
    echo "$name=", ini_get("ratelimit.$name"), "\n";
}
attempt(fn () => [ini_set('ratelimit.enabled', 0), ini_set('ratelimit.shm_size', '2M'), ini_set('ratelimit.namespace', 'x')]);
--EXPECT--
shm_size=1M
shm_mode=660
shm_group=0
namespace=site
[false,false,false]
