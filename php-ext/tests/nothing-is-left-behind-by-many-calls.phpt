--TEST--
Nothing is left behind by many calls
--FILE--
<?php
require __DIR__ . '/helpers.inc';
use RateLimit\{BucketLimit, Limiter, Store};
$store = Store::memory(clock: new TestClock);
$l = Limiter::tokenBucket('t', 10, 1, 1, $store);
$run = function (int $n) use ($l, $store) {
    for ($i = 0; $i < $n; $i++) {
        $d = $l->consume("k" . $i % 10);
        $d->headers();
        $l->allow('k');
        Limiter::consumeAll([[$l, "a" . $i % 3], [$l, 5, '1']]);
        (new BucketLimit(capacity: 5, key: "x" . $i % 3, store: $store))->bucket(1, 'y');
        try { $l->allow('k', -1); } catch (ValueError) {}
    }
};
$run(1000);
$before = memory_get_usage();
$run(20000);
var_dump(memory_get_usage() - $before);
--EXPECT--
int(0)
