<?php
// Workers die by kill -9, and are suspended, under load: nothing is over-admitted, nothing is lost but what died
// with them, the rest go on.
declare(strict_types=1);

require __DIR__ . '/lib/Tap.php';
require __DIR__ . '/lib/Load.php';
require __DIR__ . '/www/limiter.php';

const LIMIT = 2000, AT_ONCE = 8, SECONDS = 1.5;

function kill_under_load(Tap $tap, Fpm $fpm, string $algorithm): void
{
    $key = fn (int $n) => "$algorithm-" . intdiv($n, AT_ONCE);
    $query = fn (int $n) => ['algorithm' => $algorithm, 'limit' => LIMIT, 'key' => $key($n), 'calls' => 500];
    $kills = $stops = 0;
    $stopped = null;
    $responses = Load::run($fpm, 'drain.php', AT_ONCE, SECONDS, $query, function (float $passed) use ($fpm, &$kills, &$stops, &$stopped): void {
        if ($stopped !== null && ($passed > $stopped['until'] || $passed >= SECONDS)) {
            posix_kill($stopped['pid'], SIGCONT);
            $stopped = null;
        }
        $pids = $fpm->workerPids();
        if ($passed >= SECONDS || count($pids) < AT_ONCE) {
            return;
        }
        if ($stopped === null && $stops < $passed / 0.1) {
            posix_kill($pids[0], SIGSTOP);
            $stopped = ['pid' => $pids[0], 'until' => $passed + 0.05];
            $stops++;
        }
        if ($kills < $passed / 0.03) {
            posix_kill($pids[array_rand($pids)], SIGKILL);
            $kills++;
        }
    });

    // A request that died may have taken one unit that it had no time to write down.
    $died = [];
    foreach ($responses as $response) {
        $died[$key($response->tag)] = ($died[$key($response->tag)] ?? 0) + ($response->error === null ? 0 : 1);
    }
    $over = $lost = [];
    $client = new FastCgi();
    foreach ($died as $name => $dead) {
        $client->get($fpm->socket(), "$fpm->dir/www/drain.php", ['key' => $name, 'calls' => LIMIT + 1] + $query(0));
        $admitted = filesize("$fpm->dir/log/$name");
        if ($admitted > LIMIT) {
            $over[$name] = $admitted;
        } elseif ($admitted < LIMIT - $dead) {
            $lost[$name] = "$admitted of " . LIMIT . ", $dead died";
        }
    }
    $failed = array_sum($died);
    $done = array_filter($responses, fn (Response $r) => $r->error === null);
    $tap->ok($kills > 20 && $failed > 0, "$algorithm: $kills workers killed, $failed of them in a request, $stops suspended", "$kills, $failed");
    $tap->ok($failed <= $kills, "$algorithm: no other request fails", "$failed failed, $kills killed");
    $tap->same([], $over, "$algorithm: no key over its limit, of " . count($died));
    $tap->same([], $lost, "$algorithm: no key loses more than died");
    $slowest = Load::slowest($done);
    $tap->ok($slowest < 1.0, sprintf('%s: slowest of the others %.0f ms', $algorithm, $slowest * 1e3));
}

Tap::run('kill', function (Tap $tap): void {
    $fpm = new Fpm(workers: AT_ONCE);
    foreach (ALGORITHMS as $algorithm) {
        kill_under_load($tap, $fpm, $algorithm);
    }
});
