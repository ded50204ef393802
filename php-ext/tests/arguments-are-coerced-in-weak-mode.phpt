--TEST--
Arguments are coerced in weak mode
--FILE--
<?php
require __DIR__ . '/helpers.inc';
use RateLimit\{Limiter, Store};
class Name { function __toString() { return 'str'; } }
class Thrower { function __toString() { throw new LogicException('no string'); } }
$store = Store::memory();
$l = Limiter::fixedWindow('w', '3', '60', $store);
foreach ([5, '5', 1.5, true, false, new Name, new Thrower, [], new stdClass] as $key) {
    attempt(fn () => $l->consume($key)->remaining);
}
attempt(fn () => $l->allow(null));
foreach (['1', 1.0, true, 'x', [], 1e30, '1e30', 1.5, null] as $cost) {
    attempt(fn () => $l->peek('c', $cost)->allowed);
}
foreach ([5, '5.5', true, 'x', []] as $window) {
    attempt(fn () => Limiter::fixedWindow('w', 1, $window, $store)->allow('x'));
}
--EXPECTF--
2
1
2
2
2
2
LogicException: no string
TypeError: RateLimit\Limiter::consume(): Argument #1 ($key) must be of type string, array given
TypeError: RateLimit\Limiter::consume(): Argument #1 ($key) must be of type string, stdClass given

Deprecated: RateLimit\Limiter::allow(): Passing null to parameter #1 ($key) of type string is deprecated in %s on line %d
true
true
true
true
TypeError: RateLimit\Limiter::peek(): Argument #2 ($cost) must be of type int, string given
TypeError: RateLimit\Limiter::peek(): Argument #2 ($cost) must be of type int, array given
TypeError: RateLimit\Limiter::peek(): Argument #2 ($cost) must be of type int, float given
TypeError: RateLimit\Limiter::peek(): Argument #2 ($cost) must be of type int, string given

Deprecated: Implicit conversion from float 1.5 to int loses precision in %s on line %d
true

Deprecated: RateLimit\Limiter::peek(): Passing null to parameter #2 ($cost) of type int is deprecated in %s on line %d
true
true
false
false
TypeError: RateLimit\Limiter::fixedWindow(): Argument #3 ($window) must be of type float, string given
TypeError: RateLimit\Limiter::fixedWindow(): Argument #3 ($window) must be of type float, array given
