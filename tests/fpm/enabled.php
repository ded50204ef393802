<?php
// ratelimit.enabled=0 is the emergency switch: every call is allowed, nothing is counted.
declare(strict_types=1);

require __DIR__ . '/lib/Tap.php';
require __DIR__ . '/www/limiter.php';

Tap::run('enabled', function (Tap $tap): void {
    $off = new Fpm(['ratelimit.enabled' => 0], workers: 2);
    $client = new FastCgi();
    foreach (ALGORITHMS as $algorithm) {
        $query = ['algorithm' => $algorithm, 'limit' => 10, 'key' => 'k', 'cost' => 1, 'calls' => 1000, 'start' => 0];
        $answer = $client->get($off->socket(), "$off->dir/www/hammer.php", $query)->json();
        $tap->same(1000, $answer['allowed'], "$algorithm, switched off: all allowed");
    }
    $off->stop();

    $on = new Fpm(['ratelimit.enabled' => 1], workers: 2);
    $query = ['algorithm' => 'token_bucket', 'limit' => 10, 'key' => 'k', 'cost' => 1, 'calls' => 1000, 'start' => 0];
    $tap->same(10, $client->get($on->socket(), "$on->dir/www/hammer.php", $query)->json()['allowed'], 'switched on: the limit');
});
