--TEST--
A clock may call the limiter that asks it
--FILE--
<?php
require __DIR__ . '/helpers.inc';
use RateLimit\{BucketLimit, Limiter, Store};
class Caller extends TestClock
{
    public ?Closure $call = null;
    function now(): DateTimeInterface
    {
        if ($call = $this->call) {
            $this->call = null;
            echo 'inside: ', json_encode($call()), "\n";
        }
        return parent::now();
    }
}
$clock = new Caller;
$store = Store::memory(clock: $clock);
$l = Limiter::tokenBucket('t', 3, 1, 60, $store);
foreach (['consume', 'peek', 'acquire', 'refund'] as $name) {
    $clock->call = fn () => $l->consume('k')->remaining;
    attempt(fn () => $l->$name('k')->remaining);
}
$clock->call = fn () => Limiter::consumeAll([[$l, 'all']])->remaining;
attempt(fn () => Limiter::consumeAll([[$l, 'all']])->remaining);
$b = new BucketLimit(capacity: 3, store: $store);
$clock->call = fn () => $b->bucket(1);
attempt(fn () => $b->bucket(3));
$clock->call = fn () => $b->__construct(capacity: 9, store: Store::memory());
attempt(fn () => $b->bucket(9));
--EXPECT--
inside: 2
1
inside: 0
0
inside: 0
0
inside: 0
1
inside: 2
1
inside: true
false
inside: null
true
