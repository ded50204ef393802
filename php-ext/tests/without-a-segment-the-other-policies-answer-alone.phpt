--TEST--
Without a segment the other policies answer alone
--INI--
ratelimit.shm_path=/nonexistent/directory/segment
--FILE--
<?php
require __DIR__ . '/helpers.inc';
use RateLimit\{Limiter, OnError};
foreach ([OnError::Allow, OnError::Deny, OnError::Fail] as $policy) {
    $l = Limiter::tokenBucket('t', 3, 1, onError: $policy);
    echo $policy->name, "\n";
    attempt(fn () => [allowed(fn () => $l->allow('k')), $l->allow('k', 4)]);
    attempt(fn () => $l->consume('k'));
    attempt(fn () => $l->consume('k', 4));
    attempt(fn () => [$l->peek('k', 0)->allowed, $l->acquire('k', 1, 9)->allowed, $l->refund('k', 9)->allowed]);
    attempt(fn () => $l->reset('k'));
}
$on = fn (OnError $policy) => [Limiter::tokenBucket('t', 3, 1, onError: $policy), 'k', 3];
attempt(fn () => Limiter::consumeAll([$on(OnError::Allow), $on(OnError::Allow)])->allowed);
attempt(fn () => Limiter::consumeAll([$on(OnError::Allow), $on(OnError::Fallback)])->allowed);
attempt(fn () => Limiter::consumeAll([$on(OnError::Deny), $on(OnError::Fallback)])->retryAfter);
attempt(fn () => Limiter::consumeAll([$on(OnError::Deny), $on(OnError::Fail)]));
--EXPECTF--
Warning: PHP Startup: ratelimit: no shared memory: %s
Allow
[10,false]
{"allowed":true,"limit":3,"remaining":3,"retryAfter":0.0,"resetAfter":0.0,"wait":0.0,"degraded":true,"limiter":"t"}
{"allowed":false,"limit":3,"remaining":3,"retryAfter":null,"resetAfter":0.0,"wait":0.0,"degraded":true,"limiter":"t"}
[true,true,true]
RateLimit\StoreException: no shared memory: %s
Deny
[0,false]
{"allowed":false,"limit":3,"remaining":0,"retryAfter":1.0,"resetAfter":1.0,"wait":0.0,"degraded":true,"limiter":"t"}
{"allowed":false,"limit":3,"remaining":0,"retryAfter":null,"resetAfter":1.0,"wait":0.0,"degraded":true,"limiter":"t"}
[true,false,true]
RateLimit\StoreException: no shared memory: %s
Fail
RateLimit\StoreException: no shared memory: %s
RateLimit\StoreException: no shared memory: %s
RateLimit\StoreException: no shared memory: %s
RateLimit\StoreException: no shared memory: %s
RateLimit\StoreException: no shared memory: %s
true
false
1.0
RateLimit\StoreException: no shared memory: %s
