--TEST--
A reservation says how long to wait, and windows have none
--FILE--
<?php
require __DIR__ . '/helpers.inc';
use RateLimit\{Limiter, Store};
$store = Store::memory(clock: new TestClock);
$t = Limiter::tokenBucket('t', 2, 1, 1.0, $store);
attempt(fn () => [$t->reserve('k', 2)->wait, $t->reserve('k', 1, 5)->wait, $t->reserve('k', 2, 5)->wait, $t->reserve('k', 1, 3)->retryAfter]);
$l = Limiter::leakyBucket('l', 3, 1, 1.0, $store);
attempt(fn () => [$l->consume('k')->wait, $l->consume('k')->wait, $l->reserve('k', 1, 2)->wait, $l->reserve('k', 1, 5)->allowed]);
attempt(fn () => Limiter::fixedWindow('w', 1, 1, $store)->reserve('k'));
attempt(fn () => Limiter::slidingWindow('w', 1, 1, store: $store)->reserve('k'));
--EXPECTF--
[0.0,1.0,3.0,1.0]
[0.0,1.0,2.0,false]
ValueError: limiter "w" cannot reserve: %s
ValueError: limiter "w" cannot reserve: %s
