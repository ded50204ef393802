--TEST--
Waiting exactly retryAfter is enough, and a microsecond less is not
--FILE--
<?php
require __DIR__ . '/helpers.inc';
use RateLimit\{Limiter, Store};
$clock = new TestClock;
$store = Store::memory(clock: $clock);
$limiters = [
    Limiter::fixedWindow('fw', 7, 1.234567, $store),
    Limiter::slidingWindow('sw', 7, 1.234567, 3, $store),
    Limiter::leakyBucket('lb', 7, 3, 0.777777, $store),
    Limiter::tokenBucket('tb', 7, 3, 0.777777, $store),
];
foreach ($limiters as $l) {
    $l->allow('k', 5);
    $us = (int) ($l->consume('k', 4)->retryAfter * 1e6);
    $clock->micros += $us - 1;
    $early = $l->allow('k', 4);
    $clock->micros++;
    var_dump([$us > 0, $early, $l->allow('k', 4)] === [true, false, true]);
}
--EXPECT--
bool(true)
bool(true)
bool(true)
bool(true)
