--TEST--
A clock whose sleep does not move it is an error, not a hang
--FILE--
<?php
require __DIR__ . '/helpers.inc';
use RateLimit\{Limiter, Store};
class Insomniac extends StillClock { function sleep(float $s) { echo "slept $s\n"; } }
$l = Limiter::fixedWindow('w', 1, 1.5, Store::memory(clock: new Insomniac));
attempt(fn () => [$l->acquire('k')->allowed, $l->acquire('k', 1, 2)->allowed]);
--EXPECT--
slept 1.5
Error: Insomniac::sleep() did not move what Insomniac::now() returns
