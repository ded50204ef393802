--TEST--
An unserialized decision has headers without a window
--FILE--
<?php
require __DIR__ . '/helpers.inc';
use RateLimit\{Limiter, Store};
$d = unserialize(serialize(Limiter::tokenBucket('api', 3, 1, 60, Store::memory(clock: new TestClock))->consume('k', 2)));
$h = $d->headers();
unset($h['X-RateLimit-Reset']);
print_r($h);
var_dump(abs($d->headers()['X-RateLimit-Reset'] - time() - 120) <= 2);
--EXPECT--
Array
(
    [RateLimit-Policy] => "api";q=3
    [RateLimit] => "api";r=1;t=120
    [X-RateLimit-Limit] => 3
    [X-RateLimit-Remaining] => 1
)
bool(true)
