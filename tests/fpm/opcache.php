<?php
// The whole surface answers the same with opcache, and with either JIT, as without: CLI and FPM.
declare(strict_types=1);

require __DIR__ . '/lib/Tap.php';
require __DIR__ . '/lib/Cli.php';

// Enough for a loop and the functions in it to become hot.
const ROUNDS = 300;
const ON = ['opcache.enable' => 1, 'opcache.enable_cli' => 1, 'opcache.jit_buffer_size' => '16M'];
const MODES = [
    'opcache' => ['opcache.jit' => 'disable'] + ON,
    'function JIT' => ['opcache.jit' => 'function'] + ON,
    'tracing JIT' => ['opcache.jit' => 'tracing'] + ON,
];
// Eight calls a round and key, 1000 rounds on each of ten keys; what is counted once a call is 10,000, or a multiple.
const LOOKS = '[{"remaining":99960030000,"limit":100000000000,"wait":0,"allowed":10000,"limiter":"looks","null":0,"set":20000,"sane":10000,"headers":50000},10000]';

Tap::run('opcache', function (Tap $tap): void {
    [$status, $expected] = Cli::run(__DIR__ . '/www/surface.php', ['memory_limit=256M']);
    $tap->ok($status === 0 && preg_match('/^[0-9a-f]{64}$/', $expected) === 1, 'surface.php without opcache', $expected);
    [$status, $looks] = Cli::run(__DIR__ . '/www/looks.php');
    $tap->same([0, LOOKS], [$status, $looks], 'looks.php without opcache');
    foreach (MODES as $mode => $ini) {
        $settings = ['zend_extension=opcache', ...array_map(fn ($k, $v) => "$k=$v", array_keys($ini), $ini)];
        $state = ['opcache' => true, 'jit' => $mode !== 'opcache'];
        $tap->same(json_encode($state), Cli::run(__DIR__ . '/www/jit.php', $settings)[1], "CLI, $mode: is what runs");
        $tap->same([0, $expected], Cli::run(__DIR__ . '/www/surface.php', $settings), "CLI, $mode: same answers");
        $tap->same([0, LOOKS], Cli::run(__DIR__ . '/www/looks.php', $settings), "CLI, $mode: decisions are whole at first look");

        $fpm = new Fpm($ini, workers: 2, extra: ['zend_extension=opcache']);
        $client = new FastCgi();
        $tap->same($state, $client->get($fpm->socket(), "$fpm->dir/www/jit.php")->json(), "FPM, $mode: is what runs");
        $bodies = array_map(
            fn (Response $r) => $r->error ?? $r->body,
            $client->all($fpm->socket(), "$fpm->dir/www/surface.php", array_fill(0, 6, ['rounds' => 100])),
        );
        $tap->same([$expected], array_values(array_unique($bodies)), "FPM, $mode: same answers");
        $fpm->stop();
    }
});
