--TEST--
A clock may drop the last reference to who asks it
--FILE--
<?php
require __DIR__ . '/helpers.inc';
use RateLimit\{Limiter, Store};
class Dropper extends TestClock
{
    function now(): DateTimeInterface
    {
        $GLOBALS['store'] = $GLOBALS['limiter'] = $GLOBALS['charges'] = $GLOBALS['bucket'] = null;
        gc_collect_cycles();
        return parent::now();
    }
    function sleep(float $s): void { $this->now(); parent::sleep($s); }
}
foreach (['allow', 'consume', 'peek', 'reserve', 'acquire', 'refund', 'reset'] as $call) {
    $store = Store::memory(clock: new Dropper);
    $limiter = Limiter::tokenBucket('t', 1, 1, 60, $store);
    attempt(fn () => $GLOBALS['limiter']->$call('k'));
}
$limiter = Limiter::tokenBucket('t', 1, 1, 0.5, Store::memory(clock: new Dropper));
attempt(fn () => $GLOBALS['limiter']->acquire('k', 1, 9)->allowed);
$charges = [[Limiter::tokenBucket('t', 1, 1, 60, Store::memory(clock: new Dropper)), 'k' . time(), 1]];
$first = &$charges[0];
attempt(fn () => Limiter::consumeAll($GLOBALS['charges'])->limiter);
$bucket = new RateLimit\BucketLimit(store: Store::memory(clock: new Dropper));
attempt(fn () => $GLOBALS['bucket']->bucket(1));
--EXPECT--
true
{"allowed":true,"limit":1,"remaining":0,"retryAfter":0.0,"resetAfter":60.0,"wait":0.0,"degraded":false,"limiter":"t"}
{"allowed":true,"limit":1,"remaining":1,"retryAfter":0.0,"resetAfter":0.0,"wait":0.0,"degraded":false,"limiter":"t"}
{"allowed":true,"limit":1,"remaining":0,"retryAfter":0.0,"resetAfter":60.0,"wait":0.0,"degraded":false,"limiter":"t"}
{"allowed":true,"limit":1,"remaining":0,"retryAfter":0.0,"resetAfter":60.0,"wait":0.0,"degraded":false,"limiter":"t"}
{"allowed":true,"limit":1,"remaining":1,"retryAfter":0.0,"resetAfter":0.0,"wait":0.0,"degraded":false,"limiter":"t"}
null
true
"t"
true
