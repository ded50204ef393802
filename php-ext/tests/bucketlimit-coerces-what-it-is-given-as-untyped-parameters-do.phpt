--TEST--
BucketLimit coerces what it is given, as untyped parameters do
--FILE--
<?php declare(strict_types=1);
require __DIR__ . '/helpers.inc';
use RateLimit\{BucketLimit, Store};
$b = new BucketLimit(store: Store::memory(clock: new TestClock));
foreach (['5', 5.0, true, ' 5', '5.0'] as $n) {
    attempt(fn () => $b->bucket($n));
}
foreach (['junk', [], new stdClass, -1, '-1', 1e30] as $n) {
    attempt(fn () => $b->bucket($n));
}
attempt(fn () => [$b->bucket(60, 5), $b->bucket(60, '5'), $b->bucket(60, null), $b->bucket(60, 1.5)]);
attempt(fn () => $b->bucket(1, []));
attempt(fn () => $b->bucket(1, str_repeat('x', 65536)));
--EXPECT--
true
true
true
true
true
TypeError: RateLimit\BucketLimit::bucket(): Argument #1 ($addNum) must be of type int, string given
TypeError: RateLimit\BucketLimit::bucket(): Argument #1 ($addNum) must be of type int, array given
TypeError: RateLimit\BucketLimit::bucket(): Argument #1 ($addNum) must be of type int, stdClass given
ValueError: RateLimit\BucketLimit::bucket(): Argument #1 ($addNum) must be greater than or equal to 0, -1 given
ValueError: RateLimit\BucketLimit::bucket(): Argument #1 ($addNum) must be greater than or equal to 0, -1 given
TypeError: RateLimit\BucketLimit::bucket(): Argument #1 ($addNum) must be of type int, float given
[true,false,false,true]
TypeError: RateLimit\BucketLimit::bucket(): Argument #2 ($api) must be of type string, array given
ValueError: RateLimit\BucketLimit::bucket(): Argument #2 ($api) and $water_key must be at most 65528 bytes long together
