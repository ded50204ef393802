--TEST--
Acquire on a clock that cannot sleep refuses and charges nothing
--FILE--
<?php
require __DIR__ . '/helpers.inc';
use RateLimit\{Limiter, Store};
$store = Store::memory(clock: new StillClock);
foreach ([Limiter::tokenBucket('tb', 2, 1, 1.0, $store), Limiter::leakyBucket('lb', 2, 1, 1.0, $store), Limiter::fixedWindow('fw', 2, 1.5, $store)] as $l) {
    attempt(fn () => $l->acquire('k')->remaining);
    $l->consume('k', 1);
    $before = $l->peek('k');
    attempt(fn () => $l->acquire('k', 1, 2.0)->allowed);
    attempt(fn () => [$l->acquire('k', 1, 0)->allowed, $l->acquire('k', 1, 0.5)->allowed, $l->acquire('k', 3, 9)->retryAfter, $l->acquire('k', 0)->allowed]);
    var_dump($l->peek('k') == $before);
}
--EXPECT--
1
false
[false,false,null,true]
bool(true)
1
false
[false,false,null,true]
bool(true)
1
false
[false,false,null,true]
bool(true)
