--TEST--
Switched off, every call is allowed and nothing is counted
--INI--
ratelimit.enabled=0
--FILE--
<?php
require __DIR__ . '/helpers.inc';
use RateLimit\{BucketLimit, CurrentLimiting, Limiter, OnError, Store};
foreach ([Limiter::fixedWindow('w', 3, 60), Limiter::tokenBucket('t', 3, 1, store: Store::memory(), onError: OnError::Fail), Limiter::leakyBucket('l', 3, 1, store: Store::shared(new TestClock))] as $l) {
    attempt(fn () => [allowed(fn () => $l->allow('k')), $l->allow('k', 4), $l->consume('k', 4)->allowed, $l->acquire('k', 4)->allowed, $l->reset('k')]);
    attempt(fn () => [$l->consume('k'), $l->peek('k')->remaining, $l->reserve('k', 1, 1)->wait, $l->refund('k')->remaining]);
}
attempt(fn () => Limiter::consumeAll([[$l, 'k', 9], [$l, 'k', 9]])->allowed);
attempt(fn () => [(new BucketLimit)->bucket(1000), (new CurrentLimiting('a', 'b', 1, 1))->CurrentLimit(), (new CurrentLimiting('a', 'b', 1, 1))->attempts()]);
attempt(fn () => Limiter::fixedWindow('w', 0, 60));
attempt(fn () => $l->allow('k', -1));
--EXPECT--
[10,true,true,true,null]
[{"allowed":true,"limit":3,"remaining":3,"retryAfter":0.0,"resetAfter":0.0,"wait":0.0,"degraded":false,"limiter":"w"},3,0.0,3]
[10,true,true,true,null]
[{"allowed":true,"limit":3,"remaining":3,"retryAfter":0.0,"resetAfter":0.0,"wait":0.0,"degraded":false,"limiter":"t"},3,0.0,3]
[10,true,true,true,null]
[{"allowed":true,"limit":3,"remaining":3,"retryAfter":0.0,"resetAfter":0.0,"wait":0.0,"degraded":false,"limiter":"l"},3,0.0,3]
true
[true,true,0]
ValueError: RateLimit\Limiter::fixedWindow(): Argument #2 ($limit) must be between 1 and 4294967295, 0 given
ValueError: RateLimit\Limiter::allow(): Argument #2 ($cost) must be greater than or equal to 0, -1 given
