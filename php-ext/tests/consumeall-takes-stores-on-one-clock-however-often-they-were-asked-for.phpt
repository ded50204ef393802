--TEST--
consumeAll takes stores on one clock, however often they were asked for
--FILE--
<?php
require __DIR__ . '/helpers.inc';
use RateLimit\{Limiter, Store};
$clock = new TestClock;
$at = fn () => Limiter::fixedWindow('w', 5, 60, Store::shared($clock));
attempt(fn () => Limiter::consumeAll([[$at(), 'k', 2], [$at(), 'k', 2]])->remaining);
--EXPECT--
1
