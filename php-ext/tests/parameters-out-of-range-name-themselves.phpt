--TEST--
Parameters out of range name themselves
--FILE--
<?php
require __DIR__ . '/helpers.inc';
use RateLimit\{Limiter, Store};
$units = [0, -1, 4294967296, PHP_INT_MAX];
foreach ($units as $n) {
    attempt(fn () => Limiter::fixedWindow('a', $n, 60));
    attempt(fn () => Limiter::slidingWindow('a', $n, 60));
    attempt(fn () => Limiter::leakyBucket('a', $n, 1));
    attempt(fn () => Limiter::leakyBucket('a', 1, $n));
    attempt(fn () => Limiter::tokenBucket('a', $n, 1));
    attempt(fn () => Limiter::tokenBucket('a', 1, $n));
}
attempt(fn () => Limiter::slidingWindow('a', 1, 60, 0));
attempt(fn () => Limiter::slidingWindow('a', 1, 60, 61));
attempt(fn () => Store::memory(-1));
--EXPECT--
ValueError: RateLimit\Limiter::fixedWindow(): Argument #2 ($limit) must be between 1 and 4294967295, 0 given
ValueError: RateLimit\Limiter::slidingWindow(): Argument #2 ($limit) must be between 1 and 4294967295, 0 given
ValueError: RateLimit\Limiter::leakyBucket(): Argument #2 ($capacity) must be between 1 and 4294967295, 0 given
ValueError: RateLimit\Limiter::leakyBucket(): Argument #3 ($leak) must be between 1 and 4294967295, 0 given
ValueError: RateLimit\Limiter::tokenBucket(): Argument #2 ($capacity) must be between 1 and 4294967295, 0 given
ValueError: RateLimit\Limiter::tokenBucket(): Argument #3 ($refill) must be between 1 and 4294967295, 0 given
ValueError: RateLimit\Limiter::fixedWindow(): Argument #2 ($limit) must be between 1 and 4294967295, -1 given
ValueError: RateLimit\Limiter::slidingWindow(): Argument #2 ($limit) must be between 1 and 4294967295, -1 given
ValueError: RateLimit\Limiter::leakyBucket(): Argument #2 ($capacity) must be between 1 and 4294967295, -1 given
ValueError: RateLimit\Limiter::leakyBucket(): Argument #3 ($leak) must be between 1 and 4294967295, -1 given
ValueError: RateLimit\Limiter::tokenBucket(): Argument #2 ($capacity) must be between 1 and 4294967295, -1 given
ValueError: RateLimit\Limiter::tokenBucket(): Argument #3 ($refill) must be between 1 and 4294967295, -1 given
ValueError: RateLimit\Limiter::fixedWindow(): Argument #2 ($limit) must be between 1 and 4294967295, 4294967296 given
ValueError: RateLimit\Limiter::slidingWindow(): Argument #2 ($limit) must be between 1 and 4294967295, 4294967296 given
ValueError: RateLimit\Limiter::leakyBucket(): Argument #2 ($capacity) must be between 1 and 4294967295, 4294967296 given
ValueError: RateLimit\Limiter::leakyBucket(): Argument #3 ($leak) must be between 1 and 4294967295, 4294967296 given
ValueError: RateLimit\Limiter::tokenBucket(): Argument #2 ($capacity) must be between 1 and 4294967295, 4294967296 given
ValueError: RateLimit\Limiter::tokenBucket(): Argument #3 ($refill) must be between 1 and 4294967295, 4294967296 given
ValueError: RateLimit\Limiter::fixedWindow(): Argument #2 ($limit) must be between 1 and 4294967295, 9223372036854775807 given
ValueError: RateLimit\Limiter::slidingWindow(): Argument #2 ($limit) must be between 1 and 4294967295, 9223372036854775807 given
ValueError: RateLimit\Limiter::leakyBucket(): Argument #2 ($capacity) must be between 1 and 4294967295, 9223372036854775807 given
ValueError: RateLimit\Limiter::leakyBucket(): Argument #3 ($leak) must be between 1 and 4294967295, 9223372036854775807 given
ValueError: RateLimit\Limiter::tokenBucket(): Argument #2 ($capacity) must be between 1 and 4294967295, 9223372036854775807 given
ValueError: RateLimit\Limiter::tokenBucket(): Argument #3 ($refill) must be between 1 and 4294967295, 9223372036854775807 given
ValueError: RateLimit\Limiter::slidingWindow(): Argument #4 ($segments) must be between 1 and 60, 0 given
ValueError: RateLimit\Limiter::slidingWindow(): Argument #4 ($segments) must be between 1 and 60, 61 given
ValueError: RateLimit\Store::memory(): Argument #1 ($maxKeys) must be greater than or equal to 1, -1 given
