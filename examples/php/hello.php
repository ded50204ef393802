<?php
// A page behind a limiter: 1000 requests at once, then 500 a second, for each client.
// To be served: php -S 127.0.0.1:8080 -t examples/php, or by FPM.
declare(strict_types=1);

use RateLimit\Limiter;

$decision = Limiter::tokenBucket('hello', capacity: 1000, refill: 500)->consume($_SERVER['REMOTE_ADDR']);
foreach ($decision->headers() as $name => $value) {
    header("$name: $value");
}
if (!$decision->allowed) {
    http_response_code(429);
    exit("Too many requests\n");
}
echo "Hello\n";
