--TEST--
CurrentLimiting counts requests in a window
--FILE--
<?php
require __DIR__ . '/helpers.inc';
use RateLimit\{CurrentLimiting, Store};
$clock = new TestClock;
$store = Store::memory(clock: $clock);
$l = new CurrentLimiting('api', '127.0.0.1', 3, 0.5, $store);
attempt(fn () => [$l->attempts(), $l->CurrentLimit(), $l->attempts(), $l->CurrentLimit(), $l->CurrentLimit(), $l->CurrentLimit(), $l->attempts()]);
attempt(fn () => (new CurrentLimiting('api', '127.0.0.1', 4, 0.5, $store))->CurrentLimit());
attempt(fn () => (new CurrentLimiting('api', '127.0.0.2', 3, 0.5, $store))->attempts());
attempt(fn () => (new CurrentLimiting('api1', '27.0.0.1', 3, 0.5, $store))->attempts());
$clock->micros += 30_000_000;
attempt(fn () => [$l->attempts(), $l->CurrentLimit(), $l->attempts()]);
--EXPECT--
[0,true,1,true,true,false,3]
true
0
0
[0,true,1]
