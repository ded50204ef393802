<?php
// Calls allow() and leaves a byte in a file for each admission, so that a kill cannot hide one it made before.
declare(strict_types=1);

require __DIR__ . '/limiter.php';

$limiter = limiter($_GET['algorithm'], (int) $_GET['limit']);
$log = fopen(dirname(__DIR__) . '/log/' . $_GET['key'], 'a');
for ($i = (int) $_GET['calls']; $i > 0; $i--) {
    if ($limiter->allow($_GET['key'])) {
        fwrite($log, '.');
    }
}
echo json_encode(['pid' => getmypid()]);
