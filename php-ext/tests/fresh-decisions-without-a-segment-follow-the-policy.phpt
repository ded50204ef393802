--TEST--
Fresh decisions without a segment follow the policy
--INI--
ratelimit.shm_path=/nonexistent/directory/segment
--FILE--
<?php
require __DIR__ . '/helpers.inc';
use RateLimit\{Limiter, OnError, Store};
// Windows this long are the ones whose decisions are written late.
foreach (OnError::cases() as $policy) {
    $l = Limiter::fixedWindow('w', 3, 10_000, null, $policy);
    foreach ([1, 4, 0, 3] as $cost) {
        attempt(function () use ($l, $cost) {
            $d = $l->consume('k', $cost);
            return array_values(array_map(fn ($v) => is_float($v) ? $v > 9_000 ? "long" : $v : $v, (array) $d));
        });
    }
    attempt(fn () => count($l->consume('k')->headers()));
    attempt(fn () => Limiter::fixedWindow('w', 3, 10_000, Store::memory(), $policy)->consume('k')->degraded);
}
--EXPECTF--
Warning: PHP Startup: ratelimit: no shared memory: %s
[true,3,2,0.0,"long",0.0,true,"w"]
[false,3,2,null,"long",0.0,true,"w"]
[true,3,2,0.0,"long",0.0,true,"w"]
[false,3,2,"long","long",0.0,true,"w"]
5
false
[true,3,3,0.0,0.0,0.0,true,"w"]
[false,3,3,null,0.0,0.0,true,"w"]
[true,3,3,0.0,0.0,0.0,true,"w"]
[true,3,3,0.0,0.0,0.0,true,"w"]
5
false
[false,3,0,1.0,1.0,0.0,true,"w"]
[false,3,0,null,1.0,0.0,true,"w"]
[true,3,0,0.0,1.0,0.0,true,"w"]
[false,3,0,1.0,1.0,0.0,true,"w"]
6
false
RateLimit\StoreException: no shared memory: %s
RateLimit\StoreException: no shared memory: %s
RateLimit\StoreException: no shared memory: %s
RateLimit\StoreException: no shared memory: %s
RateLimit\StoreException: no shared memory: %s
false
