--TEST--
Factories take named arguments
--FILE--
<?php
require __DIR__ . '/helpers.inc';
use RateLimit\{Limiter, OnError, Store};
var_dump(Limiter::tokenBucket(refill: 10, name: 'a', capacity: 100, onError: OnError::Deny));
var_dump(Limiter::slidingWindow('b', 5, 60, store: Store::memory()));
var_dump(Limiter::leakyBucket('c', 5, leak: 2, per: 0.5, store: Store::memory()));
var_dump((Limiter::unlimited(...))('d'));
attempt(fn () => Limiter::slidingWindow('a', 5, 60, foo: 1));
attempt(fn () => Limiter::slidingWindow('a', 5));
attempt(fn () => Limiter::unlimited('a', 5));
attempt(fn () => Limiter::fixedWindow('a', 5, 60, 'x'));
attempt(fn () => Limiter::fixedWindow('a', 5, 60, new stdClass));
attempt(fn () => Limiter::fixedWindow('a', 5, 60, null, 'fallback'));
attempt(fn () => Limiter::fixedWindow('a', 5, 60, null, null));
--EXPECT--
object(RateLimit\Limiter)#2 (3) {
  ["name"]=>
  string(1) "a"
  ["algorithm"]=>
  string(12) "token_bucket"
  ["limit"]=>
  int(100)
}
object(RateLimit\Limiter)#3 (3) {
  ["name"]=>
  string(1) "b"
  ["algorithm"]=>
  string(14) "sliding_window"
  ["limit"]=>
  int(5)
}
object(RateLimit\Limiter)#2 (3) {
  ["name"]=>
  string(1) "c"
  ["algorithm"]=>
  string(12) "leaky_bucket"
  ["limit"]=>
  int(5)
}
object(RateLimit\Limiter)#3 (3) {
  ["name"]=>
  string(1) "d"
  ["algorithm"]=>
  string(9) "unlimited"
  ["limit"]=>
  int(9223372036854775807)
}
Error: Unknown named parameter $foo
ArgumentCountError: RateLimit\Limiter::slidingWindow() expects at least 3 arguments, 2 given
ArgumentCountError: RateLimit\Limiter::unlimited() expects exactly 1 argument, 2 given
TypeError: RateLimit\Limiter::fixedWindow(): Argument #4 ($store) must be of type ?RateLimit\Store, string given
TypeError: RateLimit\Limiter::fixedWindow(): Argument #4 ($store) must be of type ?RateLimit\Store, stdClass given
TypeError: RateLimit\Limiter::fixedWindow(): Argument #5 ($onError) must be of type RateLimit\OnError, string given
TypeError: RateLimit\Limiter::fixedWindow(): Argument #5 ($onError) must be of type RateLimit\OnError, null given
