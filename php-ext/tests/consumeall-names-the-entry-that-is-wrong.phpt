--TEST--
consumeAll names the entry that is wrong
--FILE--
<?php
require __DIR__ . '/helpers.inc';
use RateLimit\{Limiter, Store};
$l = Limiter::fixedWindow('a', 100, 3600, Store::memory());
$ok = [$l, 'k', 1];
foreach ([1, null, [], [$l], ['x', 'k'], [new stdClass, 'k'], [$l, []], [$l, null], [$l, new stdClass], [$l, 'k', 'x'], [$l, 'k', null], [$l, 'k', -1], [$l, 'k', 1e30], [$l, str_repeat('x', 65537)], [$l, 'k', 1, 1], [$l, 'k', 'cost' => 4]] as $entry) {
    attempt(fn () => Limiter::consumeAll([$ok, $entry]));
}
attempt(fn () => Limiter::consumeAll([]));
attempt(fn () => Limiter::consumeAll('x'));
attempt(fn () => $l->peek('k')->remaining);
--EXPECT--
TypeError: RateLimit\Limiter::consumeAll(): Argument #1 ($charges) must be a list of [Limiter, key, cost]: entry 1 must be an array, int given
TypeError: RateLimit\Limiter::consumeAll(): Argument #1 ($charges) must be a list of [Limiter, key, cost]: entry 1 must be an array, null given
TypeError: RateLimit\Limiter::consumeAll(): Argument #1 ($charges) must be a list of [Limiter, key, cost]: entry 1 must begin with a RateLimit\Limiter
TypeError: RateLimit\Limiter::consumeAll(): Argument #1 ($charges) must be a list of [Limiter, key, cost]: entry 1 has no key
TypeError: RateLimit\Limiter::consumeAll(): Argument #1 ($charges) must be a list of [Limiter, key, cost]: entry 1 must begin with a RateLimit\Limiter
TypeError: RateLimit\Limiter::consumeAll(): Argument #1 ($charges) must be a list of [Limiter, key, cost]: entry 1 must begin with a RateLimit\Limiter
TypeError: RateLimit\Limiter::consumeAll(): Argument #1 ($charges) must be a list of [Limiter, key, cost]: entry 1 key must be of type string, array given
TypeError: RateLimit\Limiter::consumeAll(): Argument #1 ($charges) must be a list of [Limiter, key, cost]: entry 1 key must be of type string, null given
TypeError: RateLimit\Limiter::consumeAll(): Argument #1 ($charges) must be a list of [Limiter, key, cost]: entry 1 key must be of type string, object given
TypeError: RateLimit\Limiter::consumeAll(): Argument #1 ($charges) must be a list of [Limiter, key, cost]: entry 1 cost must be of type int, string given
TypeError: RateLimit\Limiter::consumeAll(): Argument #1 ($charges) must be a list of [Limiter, key, cost]: entry 1 cost must be of type int, null given
ValueError: RateLimit\Limiter::consumeAll(): Argument #1 ($charges) must be a list of [Limiter, key, cost]: entry 1 cost must be greater than or equal to 0, -1 given
TypeError: RateLimit\Limiter::consumeAll(): Argument #1 ($charges) must be a list of [Limiter, key, cost]: entry 1 cost must be of type int, float given
ValueError: RateLimit\Limiter::consumeAll(): Argument #1 ($charges) must be a list of [Limiter, key, cost]: entry 1 key must be at most 65536 bytes long, 65537 given
TypeError: RateLimit\Limiter::consumeAll(): Argument #1 ($charges) must be a list of [Limiter, key, cost]: entry 1 has something besides
TypeError: RateLimit\Limiter::consumeAll(): Argument #1 ($charges) must be a list of [Limiter, key, cost]: entry 1 has something besides
ValueError: RateLimit\Limiter::consumeAll(): Argument #1 ($charges) must not be empty
TypeError: RateLimit\Limiter::consumeAll(): Argument #1 ($charges) must be of type array, string given
100
