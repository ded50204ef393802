<?php
// Touches every class and method, `rounds` times, on both stores; prints a digest that must not depend on who runs it.
declare(strict_types=1);

use RateLimit\{BucketLimit, CurrentLimiting, Decision, Limiter, OnError, Store};

require __DIR__ . '/clock.php';

class OldBucketLimit extends BucketLimit
{
    protected $capacity = 30;
    protected $water_key = 'old';

    public function __construct()
    {
    }
}

function error_of(callable $call): string
{
    try {
        $call();
        return 'no error';
    } catch (ValueError | TypeError | Error $e) {
        return $e::class;
    }
}

/** @return list<Limiter> one of each algorithm; a unit comes back after `per` */
function limiters(?Store $store, float $per): array
{
    return [
        Limiter::fixedWindow('fw', 20, 10 * $per, $store),
        Limiter::slidingWindow('sw', limit: 20, window: 10 * $per, segments: 5, store: $store, onError: OnError::Deny),
        Limiter::leakyBucket('lb', 20, 2, per: $per, store: $store),
        Limiter::tokenBucket('tb', 20, 2, $per, $store, OnError::Allow),
    ];
}

/** @return list<mixed> what each call on one key said */
function calls(Limiter $limiter, string $key): array
{
    $bucket = in_array($limiter->peek($key)->limiter, ['lb', 'tb'], true);
    return [
        $limiter->allow($key), $limiter->allow($key, 3),
        $limiter->consume($key, 2), $limiter->peek($key, 20), $limiter->consume($key, 21),
        $bucket ? $limiter->reserve($key, 4, 5.0) : error_of(fn () => $limiter->reserve($key, 1, 1.0)),
        $limiter->acquire($key, 5, 3.0), $limiter->refund($key, 2), $limiter->consume($key)->headers(),
    ];
}

/** A call's outcome; the parts that depend on the time of day only where time stands still. */
function outcome(mixed $said, bool $timed): mixed
{
    return match (true) {
        $said instanceof Decision && !$timed => [$said->allowed, $said->limit, $said->remaining, $said->limiter],
        $said instanceof Decision => get_object_vars($said),
        is_array($said) && !$timed => array_keys($said),
        default => $said,
    };
}

$rounds = (int) ($_GET['rounds'] ?? $argv[1] ?? 100);
$clock = new TestClock();
// The shared store outlives the run: keys of this run's own are fresh.
$own = bin2hex(random_bytes(8));
$said = [];
for ($round = 0; $round < $rounds; $round++) {
    $key = "$own-" . $round % 7 . "\0\xff";
    foreach ([[Store::memory(1024, $clock), 1.0, true], [Store::shared(), 86400.0, false]] as [$store, $per, $timed]) {
        $limiters = limiters($store, $per);
        foreach ($limiters as $limiter) {
            foreach (calls($limiter, $key) as $call) {
                $said[] = outcome($call, $timed);
            }
        }
        $said[] = outcome(Limiter::consumeAll([...array_map(fn (Limiter $l) => [$l, $key], $limiters), [$limiters[0], "$own-b", 2]]), $timed);
        $limiters[$round % 4]->reset($key);
        $clock->sleep(1.5);
    }
    $bucket = new BucketLimit(capacity: 10, rate: 0.01, key: $own, store: Store::shared());
    $old = new OldBucketLimit();
    $window = new CurrentLimiting("api-$own-$round", '127.0.0.1', 3, 1);
    array_push($said, $bucket->bucket(7, "api-$round"), $bucket->bucket(7, "api-$round"), $bucket->bucket(1),
        $old->bucket(25, "$own-$round"), $old->bucket(25, "$own-$round"),
        $window->CurrentLimit(), $window->CurrentLimit(), $window->attempts(),
        Limiter::unlimited('un')->consume($key)->remaining,
        error_of(fn () => Limiter::tokenBucket('bad name', 1, 1)), error_of(fn () => $limiters[0]->allow($key, -1)),
        error_of(fn () => clone $limiters[0]), error_of(fn () => Limiter::consumeAll([])));
}
// A whole shared store on a test clock, once.
$said[] = Limiter::tokenBucket("clock", 5, 1, store: Store::shared($clock))->consume($own)->remaining;
echo hash('sha256', serialize($said));
