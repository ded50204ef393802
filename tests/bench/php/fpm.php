<?php
// What one allow() costs a page: nginx and FPM under wrk, with and without it, in turn.
declare(strict_types=1);

require __DIR__ . '/../../fpm/lib/Nginx.php';
require __DIR__ . '/Contest.php';

const RUNS = 20, SECONDS = 2, WORKERS = 8;

function throughput(Nginx $nginx, string $script): float
{
    $command = sprintf('wrk -t1 -c%d -d%ds %s', WORKERS, SECONDS, escapeshellarg($nginx->url($script)));
    $out = (string) shell_exec($command);
    if (str_contains($out, 'Non-2xx') || !preg_match('/Requests\/sec:\s+([\d.]+)/', $out, $match)) {
        throw new RuntimeException("wrk: $out");
    }
    return (float) $match[1];
}

/** @return array{float, float} the interval that holds the median of 20 with 95.9 %: the 6th and 15th in order */
function interval(array $values): array
{
    sort($values);
    return [$values[5], $values[14]];
}

$fpm = new Fpm(['opcache.enable' => 1], workers: WORKERS, extra: ['zend_extension=opcache'], scripts: __DIR__ . '/www');
$nginx = new Nginx($fpm);
$with = $without = $ratios = [];
throughput($nginx, 'hello.php');
for ($run = 0; $run < RUNS; $run++) {
    // Who goes first changes, so that a drift of the machine favours neither.
    foreach ($run % 2 ? [true, false] : [false, true] as $limited) {
        $rate = throughput($nginx, $limited ? 'hello_limited.php' : 'hello.php');
        $limited ? $with[] = $rate : $without[] = $rate;
    }
    $ratios[] = $with[$run] / $without[$run];
}

[$low, $high] = interval($ratios);
printf("hello page, nginx + FPM, %d runs of %d s in turn\n", RUNS, SECONDS);
foreach (['without a limiter' => $without, 'with one allow()' => $with] as $name => $rates) {
    printf("%-18s %8.0f requests/s, median (%.0f to %.0f)\n", $name, Contest::median($rates), ...interval($rates));
}
printf("with / without     %.4f, median of pairs; 95%% interval %.4f to %.4f: %s\n", Contest::median($ratios), $low, $high,
    $high >= 1 ? 'no drop outside the interval' : 'a drop');
printf("ratio fpm_hello %.4f\n", Contest::median($ratios));
