--TEST--
Headers name the instant of the call, by the system's clock
--FILE--
<?php
require __DIR__ . '/helpers.inc';
use RateLimit\{Limiter, Store};
$before = microtime(true);
$d = Limiter::fixedWindow('w', 3, 60, Store::memory())->consume('k');
$after = microtime(true);
usleep(1_100_000);
$reset = (int) $d->headers()['X-RateLimit-Reset'];
var_dump($reset >= ceil($before + 60), $reset <= ceil($after + 60.03));
--EXPECT--
bool(true)
bool(true)
