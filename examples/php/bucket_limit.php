<?php
// The loop that every hand-written BucketLimit.php is tried with, through the drop-in.
declare(strict_types=1);

use RateLimit\BucketLimit;

/** A subclass overrides what it always did; 100 units leak out a second, so that the loop is short. */
class ApiBucket extends BucketLimit
{
    protected $capacity = 60;
    protected $rate = 100;
    protected $water_key = 'example';
}

$allowed = $refused = 0;
$first = $last = null;
for ($i = 0; $i < 100; $i++) {
    $bucket = new ApiBucket();
    $bucket->bucket(10) ? $allowed++ : $refused++;
    $last = hrtime(true);
    $first ??= $last;
    usleep(30_000);
}

// Water leaves at 100 a second from the first call on, and the bucket holds 60: that much fits, in tens.
$seconds = ($last - $first) / 1e9;
$predicted = min(100, intdiv((int) (60 + 100 * $seconds), 10));
printf("100 x bucket(10) in %.2f s, capacity 60, 100 leak out a second\n", $seconds);
printf("allowed  %3d   predicted %3d\n", $allowed, $predicted);
printf("refused  %3d   predicted %3d\n", $refused, 100 - $predicted);
