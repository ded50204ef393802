--TEST--
The shared store is one for all limiters of a name
--FILE--
<?php
require __DIR__ . '/helpers.inc';
use RateLimit\{Limiter, Store};
attempt(fn () => [Limiter::fixedWindow('a', 3, 60)->consume('k')->remaining, Limiter::fixedWindow('a', 3, 60, Store::shared())->consume('k')->remaining,
    Limiter::fixedWindow('b', 3, 60)->consume('k')->remaining, Limiter::fixedWindow('a', 3, 60, Store::shared(new TestClock))->consume('k')->remaining,
    Limiter::fixedWindow('a', 3, 60, Store::memory())->consume('k')->remaining]);
--EXPECT--
[2,1,2,2,2]
