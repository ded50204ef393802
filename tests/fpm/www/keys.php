<?php
// Every key of a range once: which were allowed.
declare(strict_types=1);

require __DIR__ . '/limiter.php';

$limiter = limiter($_GET['algorithm'], (int) $_GET['limit']);
$allowed = 0;
for ($i = 0; $i < (int) $_GET['keys']; $i++) {
    $allowed += (int) $limiter->allow("user-$i");
}
echo json_encode(['pid' => getmypid(), 'allowed' => $allowed]);
