--TEST--
Peek, refund and reset do what they say
--FILE--
<?php
require __DIR__ . '/helpers.inc';
use RateLimit\{Limiter, Store};
$clock = new TestClock;
$store = Store::memory(clock: $clock);
foreach ([Limiter::fixedWindow('fw', 10, 60, $store), Limiter::slidingWindow('sw', 10, 60, store: $store), Limiter::leakyBucket('lb', 10, 1, 1, $store), Limiter::tokenBucket('tb', 10, 1, 1, $store)] as $l) {
    echo implode(' ', [
        $l->consume('k', 8)->remaining, $l->peek('k')->remaining, (int) $l->peek('k', 3)->allowed, (int) $l->consume('k', 3)->allowed,
        $l->refund('k', 5)->remaining, $l->peek('k', 11)->retryAfter ?? 'never', $l->reset('k') ?? 'void', $l->peek('k')->remaining,
    ]), "\n";
}
--EXPECT--
2 2 0 0 7 never void 10
2 2 0 0 7 never void 10
2 2 0 0 7 never void 10
2 2 0 0 7 never void 10
