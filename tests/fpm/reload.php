<?php
// A reload under load: nobody waits, nothing fails; an anonymous segment starts empty, one at a path goes on.
declare(strict_types=1);

require __DIR__ . '/lib/Tap.php';
require __DIR__ . '/lib/Load.php';

const LIMIT = 1000, TAKEN = 7;

function reload_under_load(Tap $tap, string $kind, Fpm $fpm, int $remaining): void
{
    $client = new FastCgi();
    $ask = fn (int $cost) => $client->get($fpm->socket(), "$fpm->dir/www/state.php", ['limit' => LIMIT, 'key' => 'state', 'cost' => $cost])->json();
    $tap->same(LIMIT - TAKEN, $ask(TAKEN)['remaining'], "$kind: a charge before the reload");

    $old = $fpm->workerPids();
    $before = null;
    $responses = Load::run($fpm, 'hammer.php', 4, 2.0,
        fn (int $n) => ['algorithm' => 'token_bucket', 'limit' => LIMIT, 'key' => "load-$n", 'cost' => 1, 'calls' => 20, 'start' => 0],
        function (float $passed, array $responses) use ($fpm, &$before): void {
            if ($before === null && $passed > 0.5) {
                $before = count($responses);
                $fpm->reload();
            }
        },
    );
    $after = count($responses) - $before;
    $errors = array_filter(array_map(fn (Response $r) => $r->error, $responses));
    $answers = array_map(fn (Response $r) => json_decode($r->body, true)['allowed'] ?? null, $responses);
    $tap->same([], array_values($errors), "$kind: no request fails ($before before, $after after)");
    $tap->same([20], array_values(array_unique($answers)), "$kind: every request is answered in full");
    $tap->ok($before > 50 && $after > 50, "$kind: requests on both sides of the reload", "$before, $after");
    $slowest = Load::slowest($responses);
    $tap->ok($slowest < 1.0, sprintf('%s: slowest request %.0f ms, under a second', $kind, $slowest * 1e3));
    $tap->same([], array_intersect($old, $fpm->workerPids()), "$kind: all workers are new");
    $tap->same($remaining, $ask(0)['remaining'], "$kind: state after the reload");
}

Tap::run('reload', function (Tap $tap): void {
    $fpm = new Fpm();
    reload_under_load($tap, 'anonymous', $fpm, LIMIT);
    $fpm->stop();

    $path = '/dev/shm/ratelimit-test-' . bin2hex(random_bytes(6));
    register_shutdown_function(fn () => @unlink($path));
    reload_under_load($tap, 'path', new Fpm(['ratelimit.shm_path' => $path]), LIMIT - TAKEN);
});
