--TEST--
Acquire sleeps on the system's clock
--FILE--
<?php
require __DIR__ . '/helpers.inc';
use RateLimit\{Limiter, Store};
$l = Limiter::tokenBucket('t', 1, 1, 0.05, Store::memory());
$start = hrtime(true);
attempt(fn () => [$l->acquire('k')->allowed, $l->acquire('k')->allowed, $l->acquire('k')->allowed, $l->acquire('k', 1, 0)->allowed, $l->acquire('k', 1, 0.001)->allowed]);
$took = (hrtime(true) - $start) / 1e9;
var_dump($took >= 0.1 && $took < 1);
--EXPECT--
[true,true,true,false,false]
bool(true)
