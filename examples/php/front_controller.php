<?php
// Limits in front of a whole application, as a middleware would: a burst and a daily quota, both or neither charged.
// To be served: php -S 127.0.0.1:8080 examples/php/front_controller.php, or by FPM.
declare(strict_types=1);

use RateLimit\{Decision, Limiter, OnError};

/** Charges every limit of a client, or none if one of them is used up. */
function check_limits(string $client): Decision
{
    return Limiter::consumeAll([
        [Limiter::tokenBucket('burst', capacity: 20, refill: 5), $client],
        [Limiter::fixedWindow('daily', limit: 10_000, window: 86400, onError: OnError::Allow), $client],
    ]);
}

function respond_too_many(Decision $decision): never
{
    http_response_code(429);
    header('Content-Type: application/json');
    exit(json_encode(['error' => 'too many requests', 'limit' => $decision->limiter, 'retry_after' => $decision->retryAfter]) . "\n");
}

$decision = check_limits($_SERVER['REMOTE_ADDR']);
foreach ($decision->headers() as $name => $value) {
    header("$name: $value");
}
$decision->allowed or respond_too_many($decision);

// The application, from here on.
header('Content-Type: application/json');
echo json_encode(['hello' => 'world', 'remaining' => $decision->remaining]) . "\n";
