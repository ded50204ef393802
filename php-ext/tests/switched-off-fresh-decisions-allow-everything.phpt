--TEST--
Switched off, fresh decisions allow everything
--INI--
ratelimit.enabled=0
--FILE--
<?php
require __DIR__ . '/helpers.inc';
use RateLimit\{Limiter, OnError, Store};
foreach ([Store::memory(), Store::shared()] as $store) {
    $l = Limiter::fixedWindow('w', 3, 10_000, $store, OnError::Fail);
    foreach ([1, 4, 3, 3] as $cost) {
        attempt(fn () => $l->consume('k', $cost));
    }
    $headers = $l->consume('k')->headers();
    unset($headers['X-RateLimit-Reset']);
    attempt(fn () => $headers);
}
--EXPECT--
{"allowed":true,"limit":3,"remaining":3,"retryAfter":0.0,"resetAfter":0.0,"wait":0.0,"degraded":false,"limiter":"w"}
{"allowed":true,"limit":3,"remaining":3,"retryAfter":0.0,"resetAfter":0.0,"wait":0.0,"degraded":false,"limiter":"w"}
{"allowed":true,"limit":3,"remaining":3,"retryAfter":0.0,"resetAfter":0.0,"wait":0.0,"degraded":false,"limiter":"w"}
{"allowed":true,"limit":3,"remaining":3,"retryAfter":0.0,"resetAfter":0.0,"wait":0.0,"degraded":false,"limiter":"w"}
{"RateLimit-Policy":"\"w\";q=3;w=10000","RateLimit":"\"w\";r=3;t=0","X-RateLimit-Limit":"3","X-RateLimit-Remaining":"3"}
{"allowed":true,"limit":3,"remaining":3,"retryAfter":0.0,"resetAfter":0.0,"wait":0.0,"degraded":false,"limiter":"w"}
{"allowed":true,"limit":3,"remaining":3,"retryAfter":0.0,"resetAfter":0.0,"wait":0.0,"degraded":false,"limiter":"w"}
{"allowed":true,"limit":3,"remaining":3,"retryAfter":0.0,"resetAfter":0.0,"wait":0.0,"degraded":false,"limiter":"w"}
{"allowed":true,"limit":3,"remaining":3,"retryAfter":0.0,"resetAfter":0.0,"wait":0.0,"degraded":false,"limiter":"w"}
{"RateLimit-Policy":"\"w\";q=3;w=10000","RateLimit":"\"w\";r=3;t=0","X-RateLimit-Limit":"3","X-RateLimit-Remaining":"3"}
