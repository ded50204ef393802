<?php
// A token bucket: bursts up to the capacity, then a steady rate.
declare(strict_types=1);

use RateLimit\Limiter;

$limiter = Limiter::tokenBucket('example', capacity: 5, refill: 10, per: 1.0);

for ($i = 1; $i <= 7; $i++) {
    $decision = $limiter->consume('client-1');
    printf("call %d: %s, %d left, %s\n", $i, $decision->allowed ? 'allowed' : 'refused', $decision->remaining,
        $decision->allowed ? 'go on' : sprintf('try again in %.3f s', $decision->retryAfter));
}

usleep((int) ceil($decision->retryAfter * 1e6));
echo 'after that wait: ', $limiter->allow('client-1') ? 'allowed' : 'refused', "\n";
