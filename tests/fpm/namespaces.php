<?php
// Two pools under one master share the segment, and with a namespace each no state.
declare(strict_types=1);

require __DIR__ . '/lib/Tap.php';

Tap::run('namespaces', function (Tap $tap): void {
    $fpm = new Fpm(
        pools: [
            'one' => ['ratelimit.namespace' => 'site-one'],
            'two' => ['ratelimit.namespace' => 'site-two'],
            'twin' => ['ratelimit.namespace' => 'site-one'],
            'wish' => ['ratelimit.shm_size' => '1M'],
        ],
        workers: 2,
    );
    $client = new FastCgi();
    $take = fn (string $pool, int $cost) => $client->get(
        $fpm->socket($pool), "$fpm->dir/www/state.php", ['limit' => 10, 'key' => 'k', 'cost' => $cost],
    )->json()['remaining'];
    $tap->same(3, $take('one', 7), 'a pool charges');
    $tap->same(10, $take('two', 0), 'a pool of another namespace sees nothing of it');
    $tap->same(8, $take('two', 2), 'and charges its own');
    $tap->same(3, $take('one', 0), 'which the first does not see');
    $tap->same(3, $take('twin', 0), 'a pool of the same namespace does');
    $tap->same(3, $take('wish', 7), 'a pool that wants a segment of its own has the common one');
    $size = $client->get(
        $fpm->socket('wish'), "$fpm->dir/www/setting.php", ['name' => 'ratelimit.shm_size'],
    )->json()['value'];
    $tap->same('32M', $size, 'and shows the size that it has');
});
