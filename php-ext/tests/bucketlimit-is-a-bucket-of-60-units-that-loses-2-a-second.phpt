--TEST--
BucketLimit is a bucket of 60 units that loses 2 a second
--FILE--
<?php
require __DIR__ . '/helpers.inc';
use RateLimit\{BucketLimit, Store};
$clock = new TestClock;
$b = new BucketLimit(store: Store::memory(clock: $clock));
var_dump($b);
attempt(fn () => [$b->bucket(20), $b->bucket(40), $b->bucket(1), $b->bucket(0), $b->bucket(61)]);
$clock->micros += 499_999;
attempt(fn () => $b->bucket(1));
$clock->micros++;
attempt(fn () => [$b->bucket(1), $b->bucket(1)]);
$clock->micros += 10_000_000;
attempt(fn () => [$b->bucket(null), $b->bucket(1)]);
attempt(fn () => $b->bucket());
attempt(fn () => $b->bucket(1, 'a', 2));
--EXPECT--
object(RateLimit\BucketLimit)#2 (4) {
  ["capacity":protected]=>
  int(60)
  ["addNum":protected]=>
  int(20)
  ["rate":protected]=>
  int(2)
  ["water_key":protected]=>
  string(14) "water_capacity"
}
[true,true,false,true,false]
false
[true,false]
[true,false]
ArgumentCountError: RateLimit\BucketLimit::bucket() expects at least 1 argument, 0 given
ArgumentCountError: RateLimit\BucketLimit::bucket() expects at most 2 arguments, 3 given
