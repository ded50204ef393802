--TEST--
Times out are exact when multiplied by a million and cut
--FILE--
<?php
require __DIR__ . '/helpers.inc';
use RateLimit\{Limiter, Store};
$clock = new TestClock;
$wrong = 0;
$store = Store::memory(clock: $clock);
for ($i = 0; $i < 2000; $i++) {
    $us = 1 + ($i < 1000 ? $i * 7 : $i * 15_811_200_000 + $i);
    $l = Limiter::fixedWindow("w$i", 1, $us / 1e6, $store);
    $wrong += (int) ($l->consume('k')->resetAfter * 1e6) !== $us;
    $wrong += (int) ($l->consume('k')->retryAfter * 1e6) !== $us;
}
var_dump($wrong);
--EXPECT--
int(0)
