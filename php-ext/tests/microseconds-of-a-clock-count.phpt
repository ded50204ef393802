--TEST--
Microseconds of a clock count
--FILE--
<?php
require __DIR__ . '/helpers.inc';
use RateLimit\{Limiter, Store};
$clock = new TestClock;
$l = Limiter::tokenBucket('t', 1, 1, 1, Store::memory(clock: $clock));
attempt(fn () => [$l->allow('k'), $l->allow('k'), $l->peek('k')->retryAfter]);
$clock->micros += 999_999;
attempt(fn () => [$l->allow('k'), $l->peek('k')->retryAfter]);
$clock->micros++;
attempt(fn () => $l->allow('k'));
--EXPECT--
[true,false,1.0]
[false,1.0e-6]
true
