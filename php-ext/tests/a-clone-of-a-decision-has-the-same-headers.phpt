--TEST--
A clone of a decision has the same headers
--FILE--
<?php
require __DIR__ . '/helpers.inc';
use RateLimit\{Limiter, Store};
$d = Limiter::tokenBucket('api', 3, 1, 60, Store::memory(clock: new TestClock))->consume('k', 2);
var_dump((clone $d)->headers() === $d->headers());
--EXPECT--
bool(true)
