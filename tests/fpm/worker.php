<?php
// What a long-lived worker must not mix up: windows that end inside a request, and keys that meet in one process.
declare(strict_types=1);

require __DIR__ . '/lib/Tap.php';
require __DIR__ . '/www/limiter.php';

Tap::run('worker', function (Tap $tap): void {
    $fpm = new Fpm(workers: 1);
    $client = new FastCgi();

    $answer = $client->get($fpm->socket(), "$fpm->dir/www/long.php", ['window' => 0.2, 'seconds' => 1.1, 'key' => 'k'])->json();
    // Each window opens at the first call after the last one's end, 2 ms later or more on a busy machine.
    $windows = (int) ceil($answer['seconds'] / 0.2);
    $tap->ok($answer['allowed'] >= 9 && $answer['allowed'] <= 3 * $windows,
        "windows of 0.2 s end inside a request of 1.1 s: {$answer['allowed']} allowed", json_encode($answer));

    foreach (ALGORITHMS as $algorithm) {
        $query = ['algorithm' => $algorithm, 'limit' => 2, 'keys' => 1400];
        $allowed = $pids = [];
        for ($request = 0; $request < 4; $request++) {
            $answer = $client->get($fpm->socket(), "$fpm->dir/www/keys.php", $query)->json();
            $allowed[] = $answer['allowed'];
            $pids[] = $answer['pid'];
        }
        $tap->same([1400, 1400, 0, 0], $allowed, "$algorithm: 1,400 keys in one worker, two calls each");
        $tap->same(1, count(array_unique($pids)), "$algorithm: it was one worker");
    }
});
