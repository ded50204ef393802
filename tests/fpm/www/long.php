<?php
// One request that outlives its window several times, and asks all the while.
declare(strict_types=1);

use RateLimit\Limiter;

$limiter = Limiter::fixedWindow('long', limit: 3, window: (float) $_GET['window']);
$allowed = 0;
$since = microtime(true);
while (($passed = microtime(true) - $since) < (float) $_GET['seconds']) {
    $allowed += (int) $limiter->allow($_GET['key']);
    usleep(2000);
}
echo json_encode(['allowed' => $allowed, 'seconds' => $passed]);
