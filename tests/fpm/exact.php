<?php
// 8 FPM workers × 50 calls at a limit of 100, started together: exactly 100 are allowed.
declare(strict_types=1);

require __DIR__ . '/lib/Tap.php';
require __DIR__ . '/www/limiter.php';

const WORKERS = 8, CALLS = 50, LIMIT = 100, ROUNDS = 100;

/** One round; null when the requests did not meet in eight different workers, so that it proves little. */
function round_of(FastCgi $client, Fpm $fpm, string $algorithm, string $key, int $cost): ?int
{
    $start = microtime(true) + 0.006;
    $query = ['algorithm' => $algorithm, 'limit' => LIMIT, 'key' => $key, 'cost' => $cost, 'calls' => CALLS, 'start' => $start];
    $answers = array_map(
        fn (Response $r) => $r->json(),
        $client->all($fpm->socket(), "$fpm->dir/www/hammer.php", array_fill(0, WORKERS, $query)),
    );
    $allowed = array_sum(array_column($answers, 'allowed'));
    // An inexact round is told whoever ran it.
    $together = count(array_unique(array_column($answers, 'pid'))) === WORKERS;
    return $together || $allowed !== intdiv(LIMIT, $cost) ? $allowed : null;
}

Tap::run('exact', function (Tap $tap): void {
    $fpm = new Fpm(workers: WORKERS);
    $client = new FastCgi();
    foreach (ALGORITHMS as $algorithm) {
        foreach ([1, 3] as $cost) {
            $seen = [];
            for ($round = $try = 0; $round < ROUNDS && $try < 3 * ROUNDS; $try++) {
                $allowed = round_of($client, $fpm, $algorithm, "$cost-$try", $cost);
                if ($allowed !== null) {
                    $seen[$allowed] = ($seen[$allowed] ?? 0) + 1;
                    $round++;
                }
            }
            $tap->same([intdiv(LIMIT, $cost) => ROUNDS], $seen, "$algorithm, cost $cost: admitted => rounds");
        }
    }
});
