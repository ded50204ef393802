--TEST--
A clock is any object with a public now
--FILE--
<?php
require __DIR__ . '/helpers.inc';
use RateLimit\{Limiter, Store};
class Hidden { private function now() {} }
class Shared { static function now() {} }
class Magic { function __call($n, $a) {} }
foreach ([new stdClass, new Hidden, new Shared, new Magic, fn () => 1] as $clock) {
    attempt(fn () => Store::memory(clock: $clock));
}
attempt(fn () => Store::shared('x'));
attempt(fn () => Store::shared(new stdClass));
--EXPECT--
TypeError: RateLimit\Store::memory(): Argument #2 ($clock) must have a public method now(): DateTimeInterface that is not static, stdClass given
TypeError: RateLimit\Store::memory(): Argument #2 ($clock) must have a public method now(): DateTimeInterface that is not static, Hidden given
TypeError: RateLimit\Store::memory(): Argument #2 ($clock) must have a public method now(): DateTimeInterface that is not static, Shared given
TypeError: RateLimit\Store::memory(): Argument #2 ($clock) must have a public method now(): DateTimeInterface that is not static, Magic given
TypeError: RateLimit\Store::memory(): Argument #2 ($clock) must have a public method now(): DateTimeInterface that is not static, Closure given
TypeError: RateLimit\Store::shared(): Argument #1 ($clock) must be of type ?object, string given
TypeError: RateLimit\Store::shared(): Argument #1 ($clock) must have a public method now(): DateTimeInterface that is not static, stdClass given
