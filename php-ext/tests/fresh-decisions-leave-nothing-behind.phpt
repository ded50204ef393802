--TEST--
Fresh decisions leave nothing behind, looked at or not
--FILE--
<?php
use RateLimit\{Limiter, Store};
$l = Limiter::tokenBucket('t', 4_000_000_000, 1_000_000_000, 10_000, Store::memory());
$run = function (int $n) use ($l) {
    $kept = [];
    for ($i = 0; $i < $n; $i++) {
        $d = $l->consume('k');
        match ($i % 10) {
            0 => $d->remaining,
            1 => $d->headers(),
            2 => (array) $d,
            3 => $d == clone $d,
            4 => $kept[$i % 1000] = $d,
            5 => isset($d->limiter),
            default => $d->allowed,
        };
    }
};
$run(10_000);
gc_collect_cycles();
$before = memory_get_usage();
$run(1_000_000);
gc_collect_cycles();
var_dump(memory_get_usage() - $before);
// The collector needs no memory for those that nobody looked at.
$kept = [];
for ($i = 0; $i < 1_000; $i++) {
    $kept[] = $d = $l->consume('k');
}
unset($d);
$before = memory_get_usage();
foreach ($kept as $d) {}
unset($d);
gc_collect_cycles();
var_dump(memory_get_usage() - $before < 1_000);
--EXPECT--
int(0)
bool(true)
