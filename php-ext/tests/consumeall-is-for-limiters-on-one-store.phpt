--TEST--
consumeAll is for limiters on one store
--FILE--
<?php
require __DIR__ . '/helpers.inc';
use RateLimit\{Limiter, Store};
$on = fn (Store $s) => Limiter::fixedWindow('a', 100, 3600, $s);
foreach ([[Store::memory(), Store::memory()], [Store::memory(), Store::shared()], [Store::memory(clock: new TestClock), Store::memory(clock: new TestClock)], [Store::shared(), Store::shared(new TestClock)]] as [$a, $b]) {
    try {
        Limiter::consumeAll([[$on($a), 'k'], [$on($b), 'k']]);
    } catch (ValueError $e) {
        echo strstr($e->getMessage(), ' must be', true), "\n";
    }
}
attempt(fn () => Limiter::consumeAll([[$on(Store::shared()), 'k'], [$on(Store::shared()), 'k']])->allowed);
--EXPECT--
RateLimit\Limiter::consumeAll(): Argument #1 ($charges)
RateLimit\Limiter::consumeAll(): Argument #1 ($charges)
RateLimit\Limiter::consumeAll(): Argument #1 ($charges)
RateLimit\Limiter::consumeAll(): Argument #1 ($charges)
true
