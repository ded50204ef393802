--TEST--
Without a segment Fallback counts in this process
--INI--
ratelimit.shm_path=/nonexistent/directory/segment
--FILE--
<?php
require __DIR__ . '/helpers.inc';
use RateLimit\{BucketLimit, CurrentLimiting, Limiter, Store};
$l = Limiter::fixedWindow('w', 3, 60);
attempt(fn () => [allowed(fn () => $l->allow('k')), $l->peek('k')->degraded, $l->peek('k')->remaining]);
attempt(fn () => [Limiter::fixedWindow('w', 3, 60)->consume('k')->allowed, Limiter::fixedWindow('w', 3, 60, Store::memory())->consume('k')->degraded]);
$clock = new TestClock;
$t = Limiter::fixedWindow('w', 3, 60, Store::shared($clock));
attempt(fn () => [allowed(fn () => $t->allow('k')), $t->acquire('k', 1, 60)->degraded, $clock->micros]);
attempt(fn () => Limiter::consumeAll([[$l, 'x', 2], [$l, 'y', 1]]));
attempt(fn () => allowed(fn () => (new BucketLimit(capacity: 4))->bucket(1)));
attempt(fn () => $l->reset('k'));
--EXPECTF--
Warning: PHP Startup: ratelimit: no shared memory: %s
[3,true,0]
[false,false]
[3,true,1000000060000000]
{"allowed":true,"limit":3,"remaining":1,"retryAfter":0.0,"resetAfter":60.0,"wait":0.0,"degraded":true,"limiter":"w"}
4
RateLimit\StoreException: no shared memory: %s
