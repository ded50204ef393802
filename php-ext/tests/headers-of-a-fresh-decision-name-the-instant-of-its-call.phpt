--TEST--
Headers of a fresh decision name the instant of its call
--FILE--
<?php
require __DIR__ . '/fresh.inc';
use RateLimit\{Limiter, Store};
$headers = fresh()->headers();
unset($headers['X-RateLimit-Reset']);
echo json_encode($headers), "\n";
$d = fresh($limiter);
var_dump($limiter->get() !== null, count($d->headers()), $limiter->get(), (clone $d)->headers() === $d->headers());
/**
 * A decision whose window ends 30 ms before a full second, with that second: it shows
 * if the instant is taken for a later one.
 */
function due_just_before_a_second(): array
{
    for ($try = 0; $try < 100; $try++) {
        $before = microtime(true);
        $window = 1001 - fmod($before, 1) - 0.03;
        $d = Limiter::fixedWindow('w', 10, $window, Store::memory())->consume('k');
        // On a machine that was busy meanwhile, it ends after that second.
        if (microtime(true) - $before < 0.02) {
            return [$d, (int) $before + 1001];
        }
    }
    throw new Exception('too busy');
}
$decisions = array_map(due_just_before_a_second(...), range(1, 5));
usleep(60_000);
foreach ($decisions as [$d, $second]) {
    echo $d->headers()['X-RateLimit-Reset'] - $second, ' ', (clone $d)->headers()['X-RateLimit-Reset'] - $second, ' ';
    usleep(60_000);
    echo $d->headers()['X-RateLimit-Reset'] - $second, "\n";
}
// Looked at first, and headers later.
[$d, $second] = due_just_before_a_second();
usleep(60_000);
$d->limit;
usleep(60_000);
echo $d->headers()['X-RateLimit-Reset'] - $second, "\n";
--EXPECT--
{"RateLimit-Policy":"\"w\";q=10;w=1000","RateLimit":"\"w\";r=7;t=1000","X-RateLimit-Limit":"10","X-RateLimit-Remaining":"7"}
bool(true)
int(5)
NULL
bool(true)
0 0 0
0 0 0
0 0 0
0 0 0
0 0 0
0
