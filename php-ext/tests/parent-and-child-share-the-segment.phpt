--TEST--
Parent and child share the segment
--SKIPIF--
<?php
function_exists('pcntl_fork') || die('skip no pcntl');
--FILE--
<?php
use RateLimit\{BucketLimit, Limiter};
require __DIR__ . '/helpers.inc';
$l = Limiter::tokenBucket('t', 10, 1, 3600);
$l->allow('k', 3);
$child = pcntl_fork();
if ($child === 0) {
    $l->allow('k', 2);
    (new BucketLimit)->bucket(50);
    exit;
}
pcntl_waitpid($child, $status);
attempt(fn () => [$l->peek('k')->remaining, (new BucketLimit)->bucket(50)]);
--EXPECT--
[5,false]
