<?php
use RateLimit\Limiter;

// So large that nobody is refused: both pages do the same but for the call.
if (!Limiter::tokenBucket('hello', 4_294_967_295, 204_522_252)->allow($_SERVER['REMOTE_ADDR'])) {
    http_response_code(429);
    exit;
}
echo "Hello\n";
