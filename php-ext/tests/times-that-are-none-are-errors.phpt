--TEST--
Times that are none are errors
--FILE--
<?php
require __DIR__ . '/helpers.inc';
use RateLimit\{Limiter, Store};
$l = Limiter::tokenBucket('t', 5, 1, store: Store::memory());
foreach ([NAN, INF, -INF, -1, -1e-9, 31622400.1, 1e300] as $time) {
    attempt(fn () => Limiter::fixedWindow('a', 1, $time));
    attempt(fn () => Limiter::slidingWindow('a', 1, $time));
    attempt(fn () => Limiter::leakyBucket('a', 1, 1, $time));
    attempt(fn () => Limiter::tokenBucket('a', 1, 1, $time));
    attempt(fn () => $l->reserve('k', 1, $time));
    attempt(fn () => $l->acquire('k', 1, $time));
}
attempt(fn () => Limiter::fixedWindow('a', 1, 0));
attempt(fn () => Limiter::fixedWindow('a', 1, -0.0));
attempt(fn () => [$l->reserve('k', 1, 0)->allowed, $l->acquire('k', 1, -0.0)->allowed, $l->acquire('k', 1, 31622400)->allowed]);
attempt(fn () => Limiter::fixedWindow('a', 1, 31622400, Store::memory())->allow('k'));
--EXPECT--
ValueError: RateLimit\Limiter::fixedWindow(): Argument #3 ($window) must be between 0.000001 and 31622400 seconds (366 days), NAN given
ValueError: RateLimit\Limiter::slidingWindow(): Argument #3 ($window) must be between 0.000001 and 31622400 seconds (366 days), NAN given
ValueError: RateLimit\Limiter::leakyBucket(): Argument #4 ($per) must be between 0.000001 and 31622400 seconds (366 days), NAN given
ValueError: RateLimit\Limiter::tokenBucket(): Argument #4 ($per) must be between 0.000001 and 31622400 seconds (366 days), NAN given
ValueError: RateLimit\Limiter::reserve(): Argument #3 ($maxWait) must be between 0 and 31622400 seconds (366 days), NAN given
ValueError: RateLimit\Limiter::acquire(): Argument #3 ($timeout) must be between 0 and 31622400 seconds (366 days), NAN given
ValueError: RateLimit\Limiter::fixedWindow(): Argument #3 ($window) must be between 0.000001 and 31622400 seconds (366 days), INF given
ValueError: RateLimit\Limiter::slidingWindow(): Argument #3 ($window) must be between 0.000001 and 31622400 seconds (366 days), INF given
ValueError: RateLimit\Limiter::leakyBucket(): Argument #4 ($per) must be between 0.000001 and 31622400 seconds (366 days), INF given
ValueError: RateLimit\Limiter::tokenBucket(): Argument #4 ($per) must be between 0.000001 and 31622400 seconds (366 days), INF given
ValueError: RateLimit\Limiter::reserve(): Argument #3 ($maxWait) must be between 0 and 31622400 seconds (366 days), INF given
ValueError: RateLimit\Limiter::acquire(): Argument #3 ($timeout) must be between 0 and 31622400 seconds (366 days), INF given
ValueError: RateLimit\Limiter::fixedWindow(): Argument #3 ($window) must be between 0.000001 and 31622400 seconds (366 days), -INF given
ValueError: RateLimit\Limiter::slidingWindow(): Argument #3 ($window) must be between 0.000001 and 31622400 seconds (366 days), -INF given
ValueError: RateLimit\Limiter::leakyBucket(): Argument #4 ($per) must be between 0.000001 and 31622400 seconds (366 days), -INF given
ValueError: RateLimit\Limiter::tokenBucket(): Argument #4 ($per) must be between 0.000001 and 31622400 seconds (366 days), -INF given
ValueError: RateLimit\Limiter::reserve(): Argument #3 ($maxWait) must be between 0 and 31622400 seconds (366 days), -INF given
ValueError: RateLimit\Limiter::acquire(): Argument #3 ($timeout) must be between 0 and 31622400 seconds (366 days), -INF given
ValueError: RateLimit\Limiter::fixedWindow(): Argument #3 ($window) must be between 0.000001 and 31622400 seconds (366 days), -1 given
ValueError: RateLimit\Limiter::slidingWindow(): Argument #3 ($window) must be between 0.000001 and 31622400 seconds (366 days), -1 given
ValueError: RateLimit\Limiter::leakyBucket(): Argument #4 ($per) must be between 0.000001 and 31622400 seconds (366 days), -1 given
ValueError: RateLimit\Limiter::tokenBucket(): Argument #4 ($per) must be between 0.000001 and 31622400 seconds (366 days), -1 given
ValueError: RateLimit\Limiter::reserve(): Argument #3 ($maxWait) must be between 0 and 31622400 seconds (366 days), -1 given
ValueError: RateLimit\Limiter::acquire(): Argument #3 ($timeout) must be between 0 and 31622400 seconds (366 days), -1 given
ValueError: RateLimit\Limiter::fixedWindow(): Argument #3 ($window) must be between 0.000001 and 31622400 seconds (366 days), -1.0E-9 given
ValueError: RateLimit\Limiter::slidingWindow(): Argument #3 ($window) must be between 0.000001 and 31622400 seconds (366 days), -1.0E-9 given
ValueError: RateLimit\Limiter::leakyBucket(): Argument #4 ($per) must be between 0.000001 and 31622400 seconds (366 days), -1.0E-9 given
ValueError: RateLimit\Limiter::tokenBucket(): Argument #4 ($per) must be between 0.000001 and 31622400 seconds (366 days), -1.0E-9 given
ValueError: RateLimit\Limiter::reserve(): Argument #3 ($maxWait) must be between 0 and 31622400 seconds (366 days), -1.0E-9 given
ValueError: RateLimit\Limiter::acquire(): Argument #3 ($timeout) must be between 0 and 31622400 seconds (366 days), -1.0E-9 given
ValueError: RateLimit\Limiter::fixedWindow(): Argument #3 ($window) must be between 0.000001 and 31622400 seconds (366 days), 31622400.1 given
ValueError: RateLimit\Limiter::slidingWindow(): Argument #3 ($window) must be between 0.000001 and 31622400 seconds (366 days), 31622400.1 given
ValueError: RateLimit\Limiter::leakyBucket(): Argument #4 ($per) must be between 0.000001 and 31622400 seconds (366 days), 31622400.1 given
ValueError: RateLimit\Limiter::tokenBucket(): Argument #4 ($per) must be between 0.000001 and 31622400 seconds (366 days), 31622400.1 given
ValueError: RateLimit\Limiter::reserve(): Argument #3 ($maxWait) must be between 0 and 31622400 seconds (366 days), 31622400.1 given
ValueError: RateLimit\Limiter::acquire(): Argument #3 ($timeout) must be between 0 and 31622400 seconds (366 days), 31622400.1 given
ValueError: RateLimit\Limiter::fixedWindow(): Argument #3 ($window) must be between 0.000001 and 31622400 seconds (366 days), 1.0E+300 given
ValueError: RateLimit\Limiter::slidingWindow(): Argument #3 ($window) must be between 0.000001 and 31622400 seconds (366 days), 1.0E+300 given
ValueError: RateLimit\Limiter::leakyBucket(): Argument #4 ($per) must be between 0.000001 and 31622400 seconds (366 days), 1.0E+300 given
ValueError: RateLimit\Limiter::tokenBucket(): Argument #4 ($per) must be between 0.000001 and 31622400 seconds (366 days), 1.0E+300 given
ValueError: RateLimit\Limiter::reserve(): Argument #3 ($maxWait) must be between 0 and 31622400 seconds (366 days), 1.0E+300 given
ValueError: RateLimit\Limiter::acquire(): Argument #3 ($timeout) must be between 0 and 31622400 seconds (366 days), 1.0E+300 given
ValueError: RateLimit\Limiter::fixedWindow(): Argument #3 ($window) must be between 0.000001 and 31622400 seconds (366 days), 0 given
ValueError: RateLimit\Limiter::fixedWindow(): Argument #3 ($window) must be between 0.000001 and 31622400 seconds (366 days), -0 given
[true,true,true]
true
