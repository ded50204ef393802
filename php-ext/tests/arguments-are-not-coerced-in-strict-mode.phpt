--TEST--
Arguments are not coerced in strict mode
--FILE--
<?php declare(strict_types=1);
require __DIR__ . '/helpers.inc';
use RateLimit\{Limiter, Store};
class Name { function __toString() { return 'str'; } }
$l = Limiter::tokenBucket('w', 30, 1, 3600, Store::memory()); // int for float is fine
foreach ([5, 1.5, true, null, new Name, []] as $key) {
    attempt(fn () => $l->allow($key));
}
foreach (['3', 2.0, true, null] as $cost) {
    attempt(fn () => $l->allow('c', $cost));
}
foreach (['5', true] as $per) {
    attempt(fn () => Limiter::tokenBucket('w', 30, 1, $per));
}
--EXPECTF--
TypeError: RateLimit\Limiter::allow(): Argument #1 ($key) must be of type string, int given
TypeError: RateLimit\Limiter::allow(): Argument #1 ($key) must be of type string, float given
TypeError: RateLimit\Limiter::allow(): Argument #1 ($key) must be of type string, %s given
TypeError: RateLimit\Limiter::allow(): Argument #1 ($key) must be of type string, null given
TypeError: RateLimit\Limiter::allow(): Argument #1 ($key) must be of type string, Name given
TypeError: RateLimit\Limiter::allow(): Argument #1 ($key) must be of type string, array given
TypeError: RateLimit\Limiter::allow(): Argument #2 ($cost) must be of type int, string given
TypeError: RateLimit\Limiter::allow(): Argument #2 ($cost) must be of type int, float given
TypeError: RateLimit\Limiter::allow(): Argument #2 ($cost) must be of type int, %s given
TypeError: RateLimit\Limiter::allow(): Argument #2 ($cost) must be of type int, null given
TypeError: RateLimit\Limiter::tokenBucket(): Argument #4 ($per) must be of type float, string given
TypeError: RateLimit\Limiter::tokenBucket(): Argument #4 ($per) must be of type float, %s given
