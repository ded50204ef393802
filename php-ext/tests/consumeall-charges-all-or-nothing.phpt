--TEST--
consumeAll charges all or nothing
--FILE--
<?php
require __DIR__ . '/helpers.inc';
use RateLimit\{Limiter, Store};
$store = Store::memory();
$a = Limiter::tokenBucket('a', 3, 1, 3600, $store);
$b = Limiter::fixedWindow('b', 10, 3600, $store);
attempt(fn () => Limiter::consumeAll([[$a, 'k'], [$b, 'k', 5]]));
attempt(fn () => Limiter::consumeAll([[$a, 'k', 3], [$b, 'k', 1]])->limiter);
attempt(fn () => [$a->peek('k')->remaining, $b->peek('k')->remaining]);
attempt(fn () => Limiter::consumeAll([[$b, 'k', 2], [$b, 'k', 2]])->remaining);
attempt(fn () => Limiter::consumeAll([[$a, 'k'], [$b, 'k', 1]])->headers()['RateLimit-Policy']);
attempt(fn () => Limiter::consumeAll([[Limiter::unlimited('u'), 'k'], [$b, 'x', 1]])->limiter);
--EXPECT--
{"allowed":true,"limit":3,"remaining":2,"retryAfter":0.0,"resetAfter":3600.0,"wait":0.0,"degraded":false,"limiter":"a"}
"a"
[2,5]
1
"\"b\";q=10;w=3600"
"b"
