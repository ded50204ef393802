<?php
// A million decisions in one process; prints how far PHP's memory and the process's own grew after a warm-up.
declare(strict_types=1);

require __DIR__ . '/limiter.php';

use RateLimit\BucketLimit;

/** Private memory: the shared segment's pages count as they are touched, and are nobody's growth. */
function anonymous_kb(): int
{
    preg_match('/^RssAnon:\s+(\d+)/m', file_get_contents('/proc/self/status'), $match);
    return (int) $match[1];
}

function decide(int $calls): void
{
    $allowed = 0;
    for ($i = 0; $i < $calls; $i += 5) {
        $limiter = limiter(ALGORITHMS[$i % 4], 1000);
        $key = 'key-' . $i % 1000;
        $allowed += (int) $limiter->allow($key);
        $allowed += (int) $limiter->consume($key)->allowed;
        $allowed += count($limiter->peek($key)->headers());
        $allowed += (int) $limiter->consume($key, 1001)->allowed;
        $allowed += (int) (new BucketLimit())->bucket(1, $key);
    }
}

$rss = anonymous_kb();
$heap = memory_get_usage();
// The first rounds settle the pools.
foreach ([50_000, 50_000, 1_000_000] as $calls) {
    [$heap_before, $rss_before] = [$heap, $rss];
    decide($calls);
    $rss = anonymous_kb();
    $heap = memory_get_usage();
}
echo json_encode(['heap_bytes' => $heap - $heap_before, 'rss_kb' => $rss - $rss_before]);
