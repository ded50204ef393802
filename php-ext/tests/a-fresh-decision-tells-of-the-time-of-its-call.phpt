--TEST--
A fresh decision tells of the time of its call, not of when it is looked at
--FILE--
<?php
use RateLimit\{Limiter, Store};
/** Seconds on the clock that limiters read. */
function now(): float
{
    return hrtime(true) / 1e9;
}
/** At most this much after the call, or after the reading that it was admitted on. */
const LATE = 0.02;
$s = Store::memory();
// 60 ms are worth 600 units here. The first charge is itself the start.
foreach (['tokenBucket', 'leakyBucket'] as $kind) {
    $limiter = Limiter::$kind($kind, 1_000_000, 1_000_000, 100, $s);
    $decisions = ['at once' => $limiter->consume('a', 900_000)];
    $decisions['at once']->remaining;
    $decisions['late'] = $limiter->consume('b', 900_000);
    usleep(60_000);
    foreach ($decisions as $when => $d) {
        $fits = $d->remaining - 100_000;
        echo "$kind $when: ", json_encode([$fits >= 0 && $fits <= LATE * 1e4, $d->resetAfter <= 90 && $d->resetAfter >= 90 - LATE]), "\n";
    }
}
// How long to wait for one's turn counts from the call, too; both calls have a reading of their own.
$before = now();
$limiter->consume('c', 900_000);
$second = $limiter->consume('c', 50_000);
$between = now() - $before;
usleep(60_000);
var_dump($second->wait <= 90 && $second->wait >= 90 - $between - 2 * LATE);
// Against the clock: the moment is not before the call, nor later after it than that.
$limiter = Limiter::fixedWindow('w', 1_000_000, 100, $s);
$limiter->consume('k');
$before = now();
$ends = $limiter->peek('k')->resetAfter;
$after = now();
// The end of the window lies between these two.
$ends = [$before + $ends, $after + $ends];
for ($i = 0; $i < 20; $i++) {
    usleep(3_000);
    $called = now();
    $d = $limiter->consume('k');
    $returned = now();
    if ($i % 2) {
        usleep(60_000);
    }
    // Both ends of what the moment may be.
    $earliest = $ends[0] - $d->resetAfter;
    $latest = $ends[1] - $d->resetAfter;
    if ($latest < $called - 1e-6 || $earliest > $returned + LATE + 1e-6) {
        printf("%d: called from %.6f to %.6f, tells of %.6f to %.6f\n", $i, $called, $returned, $earliest, $latest);
    }
}
echo "20 calls\n";
--EXPECT--
tokenBucket at once: [true,true]
tokenBucket late: [true,true]
leakyBucket at once: [true,true]
leakyBucket late: [true,true]
bool(true)
20 calls
