--TEST--
Cycles through a clock are collected
--FILE--
<?php
require __DIR__ . '/helpers.inc';
use RateLimit\{BucketLimit, CurrentLimiting, Limiter, Store};
class Holder extends TestClock { public array $held = []; }
$make = [
    fn (Store $s) => Limiter::tokenBucket('t', 1, 1, 1, $s),
    fn (Store $s) => $s,
    fn (Store $s) => new BucketLimit(store: $s),
    fn (Store $s) => new CurrentLimiting('a', 'b', 1, 1, $s),
];
foreach ($make as $maker) {
    $clock = new Holder;
    $object = $maker(Store::memory(clock: $clock));
    if ($object instanceof BucketLimit) {
        $object->bucket(1);
    }
    $clock->held[] = $object;
    $seen = WeakReference::create($clock);
    $object = $clock = null;
    gc_collect_cycles();
    var_dump($seen->get());
}
--EXPECT--
NULL
NULL
NULL
NULL
