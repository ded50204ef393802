<?php
// Calls allow() `calls` times from the instant `start` on, and says how many were allowed.
declare(strict_types=1);

require __DIR__ . '/limiter.php';

$limiter = limiter($_GET['algorithm'], (int) $_GET['limit']);
$key = $_GET['key'];
$cost = (int) $_GET['cost'];
$calls = (int) $_GET['calls'];
$start = (float) $_GET['start'];

// Sleep to just before, spin the rest: eight workers spinning on two cores would start far apart.
// (Not time_sleep_until(), which warns when a busy machine comes back to it too late.)
usleep(max(0, (int) (($start - microtime(true) - 0.0005) * 1e6)));
while (microtime(true) < $start);

$allowed = 0;
for ($i = 0; $i < $calls; $i++) {
    $allowed += (int) $limiter->allow($key, $cost);
}
echo json_encode(['pid' => getmypid(), 'allowed' => $allowed]);
