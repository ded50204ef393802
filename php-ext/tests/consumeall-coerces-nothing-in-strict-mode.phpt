--TEST--
consumeAll coerces nothing in strict mode
--FILE--
<?php declare(strict_types=1);
require __DIR__ . '/helpers.inc';
use RateLimit\{Limiter, Store};
$l = Limiter::fixedWindow('a', 100, 3600, Store::memory());
foreach ([[$l, 42], [$l, 'k', '2'], [$l, 'k', 3.0], [$l, 'k', 1]] as $entry) {
    attempt(fn () => Limiter::consumeAll([$entry])->remaining);
}
--EXPECT--
TypeError: RateLimit\Limiter::consumeAll(): Argument #1 ($charges) must be a list of [Limiter, key, cost]: entry 0 key must be of type string, int given
TypeError: RateLimit\Limiter::consumeAll(): Argument #1 ($charges) must be a list of [Limiter, key, cost]: entry 0 cost must be of type int, string given
TypeError: RateLimit\Limiter::consumeAll(): Argument #1 ($charges) must be a list of [Limiter, key, cost]: entry 0 cost must be of type int, float given
99
