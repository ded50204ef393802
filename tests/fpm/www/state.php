<?php
// One call on one key: what came of it.
declare(strict_types=1);

require __DIR__ . '/limiter.php';

$decision = limiter('token_bucket', (int) $_GET['limit'])->consume($_GET['key'], (int) $_GET['cost']);
echo json_encode(['pid' => getmypid(), 'allowed' => $decision->allowed, 'remaining' => $decision->remaining]);
