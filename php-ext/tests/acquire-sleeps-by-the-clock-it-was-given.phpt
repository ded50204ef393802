--TEST--
Acquire sleeps by the clock it was given
--FILE--
<?php
require __DIR__ . '/helpers.inc';
use RateLimit\{Limiter, Store};
$clock = new TestClock;
$store = Store::memory(clock: $clock);
$start = $clock->micros;
foreach ([Limiter::tokenBucket('tb', 2, 1, 1.0, $store), Limiter::leakyBucket('lb', 2, 1, 1.0, $store), Limiter::fixedWindow('fw', 2, 1.5, $store)] as $l) {
    for ($i = 0; $i < 4; $i++) {
        $d = $l->acquire('k', 1, 2.0);
        echo $l->peek('k')->limiter, ' ', json_encode($d->allowed), ' ', $d->wait, ' at ', $clock->micros - $start, "\n";
    }
}
attempt(fn () => [$l->acquire('k', 3, 100)->retryAfter, $l->acquire('k', 1, 0)->allowed, $clock->micros - $start]);
--EXPECT--
tb true 0 at 0
tb true 0 at 0
tb true 0 at 1000000
tb true 0 at 2000000
lb true 0 at 2000000
lb true 0 at 3000000
lb true 0 at 4000000
lb true 0 at 5000000
fw true 0 at 5000000
fw true 0 at 5000000
fw true 0 at 6500000
fw true 0 at 6500000
[null,false,6500000]
