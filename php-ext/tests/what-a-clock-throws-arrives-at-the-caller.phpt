--TEST--
What a clock throws arrives at the caller
--FILE--
<?php
require __DIR__ . '/helpers.inc';
use RateLimit\{BucketLimit, CurrentLimiting, Limiter, Store};
class Thrower extends TestClock
{
    public bool $armed = false;
    function now(): DateTimeInterface { return $this->armed ? throw new DomainException('now broke') : parent::now(); }
    function sleep(float $s): void { throw new DomainException('sleep broke'); }
}
$clock = new Thrower;
$store = Store::memory(clock: $clock);
$l = Limiter::tokenBucket('t', 1, 1, 1, $store);
$l->allow('k');
attempt(fn () => $l->acquire('k', 1, 5));
$clock->armed = true;
foreach (['allow', 'consume', 'peek', 'reserve', 'acquire', 'refund', 'reset'] as $call) {
    attempt(fn () => $l->$call('k'));
}
attempt(fn () => Limiter::consumeAll([[$l, 'k']]));
attempt(fn () => (new BucketLimit(store: $store))->bucket(1));
$window = new CurrentLimiting('a', 'b', 1, 1, $store);
attempt(fn () => $window->CurrentLimit());
attempt(fn () => $window->attempts());
--EXPECT--
DomainException: sleep broke
DomainException: now broke
DomainException: now broke
DomainException: now broke
DomainException: now broke
DomainException: now broke
DomainException: now broke
DomainException: now broke
DomainException: now broke
DomainException: now broke
DomainException: now broke
DomainException: now broke
