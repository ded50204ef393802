--TEST--
A negative cost is an error, and none is always allowed
--FILE--
<?php
require __DIR__ . '/helpers.inc';
use RateLimit\{Limiter, Store};
$l = Limiter::fixedWindow('k', 2, 60, Store::memory());
foreach (['allow', 'consume', 'peek', 'reserve', 'acquire', 'refund'] as $call) {
    attempt(fn () => $l->$call('k', -1));
    attempt(fn () => $l->$call('k', PHP_INT_MIN));
}
attempt(fn () => [$l->allow('k', 2), $l->allow('k', 0), $l->allow('k'), $l->peek('k', PHP_INT_MAX)->retryAfter]);
--EXPECT--
ValueError: RateLimit\Limiter::allow(): Argument #2 ($cost) must be greater than or equal to 0, -1 given
ValueError: RateLimit\Limiter::allow(): Argument #2 ($cost) must be greater than or equal to 0, -9223372036854775808 given
ValueError: RateLimit\Limiter::consume(): Argument #2 ($cost) must be greater than or equal to 0, -1 given
ValueError: RateLimit\Limiter::consume(): Argument #2 ($cost) must be greater than or equal to 0, -9223372036854775808 given
ValueError: RateLimit\Limiter::peek(): Argument #2 ($cost) must be greater than or equal to 0, -1 given
ValueError: RateLimit\Limiter::peek(): Argument #2 ($cost) must be greater than or equal to 0, -9223372036854775808 given
ValueError: RateLimit\Limiter::reserve(): Argument #2 ($cost) must be greater than or equal to 0, -1 given
ValueError: RateLimit\Limiter::reserve(): Argument #2 ($cost) must be greater than or equal to 0, -9223372036854775808 given
ValueError: RateLimit\Limiter::acquire(): Argument #2 ($cost) must be greater than or equal to 0, -1 given
ValueError: RateLimit\Limiter::acquire(): Argument #2 ($cost) must be greater than or equal to 0, -9223372036854775808 given
ValueError: RateLimit\Limiter::refund(): Argument #2 ($cost) must be greater than or equal to 0, -1 given
ValueError: RateLimit\Limiter::refund(): Argument #2 ($cost) must be greater than or equal to 0, -9223372036854775808 given
[true,true,false,null]
