<?php
// A million decisions in one process, without growth: a long-lived worker's day.
declare(strict_types=1);

require __DIR__ . '/lib/Tap.php';
require __DIR__ . '/lib/Cli.php';

Tap::run('memory', function (Tap $tap): void {
    [$status, $out] = Cli::run(__DIR__ . '/www/million.php');
    $tap->same(0, $status, "a million decisions: $out");
    $grown = json_decode($out, true);
    $tap->same(0, $grown['heap_bytes'] ?? null, "PHP's heap does not grow");
    // The allocator may move a page or two; a leak of a byte per decision would be a thousand kB.
    $tap->ok(($grown['rss_kb'] ?? 1e9) < 128, 'nor does the process', $out);
});
