--TEST--
Rates and fill times out of range are errors
--FILE--
<?php
require __DIR__ . '/helpers.inc';
use RateLimit\Limiter;
foreach (['leakyBucket', 'tokenBucket'] as $bucket) {
    try {
        Limiter::$bucket('a', 1, 4294967295, 1.0);
    } catch (ValueError $e) {
        echo preg_match('/^RateLimit\\\\Limiter::\w+Bucket\(\): Argument #3 \(\$(leak|refill)\) must be /', $e->getMessage()), "\n";
    }
    try {
        Limiter::$bucket('a', 4294967295, 1, 31622400);
    } catch (ValueError $e) {
        echo preg_match('/^RateLimit\\\\Limiter::\w+Bucket\(\): Argument #2 \(\$capacity\) must be .*1,461 days/', $e->getMessage()), "\n";
    }
}
--EXPECT--
1
1
1
1
