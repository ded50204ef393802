<?php
declare(strict_types=1);

use RateLimit\Limiter;

const ALGORITHMS = ['fixed_window', 'sliding_window', 'leaky_bucket', 'token_bucket'];

/** A limiter that gives nothing back while a test runs: an hour per unit, a window of a day. */
function limiter(string $algorithm, int $limit): Limiter
{
    $name = "test-$algorithm";
    return match ($algorithm) {
        'fixed_window' => Limiter::fixedWindow($name, $limit, 86400.0),
        'sliding_window' => Limiter::slidingWindow($name, $limit, 86400.0),
        'leaky_bucket' => Limiter::leakyBucket($name, $limit, 1, 3600.0),
        'token_bucket' => Limiter::tokenBucket($name, $limit, 1, 3600.0),
    };
}
