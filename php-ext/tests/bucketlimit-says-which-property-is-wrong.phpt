--TEST--
BucketLimit says which property is wrong
--FILE--
<?php
require __DIR__ . '/helpers.inc';
use RateLimit\BucketLimit;
class Open extends BucketLimit { public $capacity = 60; public $addNum = 20; public $rate = 2; public $water_key = 'w'; }
$set = fn (string $name, mixed $value) => attempt(function () use ($name, $value) { $b = new Open; $b->$name = $value; return $b->bucket(null); });
foreach (['junk', '', [], null, new stdClass, 0, -1, 1.5, 4294967296, NAN] as $value) {
    $set('capacity', $value);
}
foreach (['junk', [], null, 0, -1, INF, NAN, 1e-9, 2e9] as $value) {
    $set('rate', $value);
}
foreach (['junk', [], -1, 1.5] as $value) {
    $set('addNum', $value);
}
foreach ([[], new stdClass, null, 5, 1.5] as $value) {
    $set('water_key', $value);
}
attempt(function () { $b = new Open; $b->capacity = 4294967295; $b->rate = 0.001; return $b->bucket(1); });
attempt(fn () => new Open(capacity: 0));
attempt(fn () => new Open(capacity: 'x'));
attempt(fn () => new Open(rate: 0));
attempt(fn () => new Open(rate: NAN));
attempt(fn () => new Open(capacity: 4294967295, rate: 0.001));
attempt(fn () => new Open(store: 1));
attempt(fn () => new Open(null, null, null, null));
--EXPECT--
TypeError: RateLimit\BucketLimit::$capacity must be a number, string given
TypeError: RateLimit\BucketLimit::$capacity must be a number, string given
TypeError: RateLimit\BucketLimit::$capacity must be a number, array given
TypeError: RateLimit\BucketLimit::$capacity must be a number, null given
TypeError: RateLimit\BucketLimit::$capacity must be a number, object given
ValueError: RateLimit\BucketLimit::$capacity must be between 1 and 4294967295, 0 given
ValueError: RateLimit\BucketLimit::$capacity must be between 1 and 4294967295, -1 given
ValueError: RateLimit\BucketLimit::$capacity must be between 1 and 4294967295, 1.5 given
ValueError: RateLimit\BucketLimit::$capacity must be between 1 and 4294967295, 4294967296 given
ValueError: RateLimit\BucketLimit::$capacity must be between 1 and 4294967295, NAN given
TypeError: RateLimit\BucketLimit::$rate must be a number, string given
TypeError: RateLimit\BucketLimit::$rate must be a number, array given
TypeError: RateLimit\BucketLimit::$rate must be a number, null given
ValueError: RateLimit\BucketLimit::$rate must be between 1 in 366 days and 1000000000 units per second, 0 given
ValueError: RateLimit\BucketLimit::$rate must be between 1 in 366 days and 1000000000 units per second, -1 given
ValueError: RateLimit\BucketLimit::$rate must be between 1 in 366 days and 1000000000 units per second, INF given
ValueError: RateLimit\BucketLimit::$rate must be between 1 in 366 days and 1000000000 units per second, NAN given
ValueError: RateLimit\BucketLimit::$rate must be between 1 in 366 days and 1000000000 units per second, 1.0E-9 given
ValueError: RateLimit\BucketLimit::$rate must be at most 1,000,000,000 per second, 2000000000 given
TypeError: RateLimit\BucketLimit::$addNum must be a whole number, string given
TypeError: RateLimit\BucketLimit::$addNum must be a whole number, array given
ValueError: RateLimit\BucketLimit::bucket(): Argument #1 ($addNum) must be greater than or equal to 0, -1 given
TypeError: RateLimit\BucketLimit::$addNum must be a whole number, float given
TypeError: RateLimit\BucketLimit::$water_key must be of type string, array given
TypeError: RateLimit\BucketLimit::$water_key must be of type string, object given
true
true
true
ValueError: RateLimit\BucketLimit::$capacity must be such that a whole bucket takes at most 1,461 days, 4294967295 at a rate of 0.001 given
ValueError: RateLimit\BucketLimit::__construct(): Argument #1 ($capacity) must be between 1 and 4294967295, 0 given
TypeError: RateLimit\BucketLimit::__construct(): Argument #1 ($capacity) must be of type int, string given
ValueError: RateLimit\BucketLimit::__construct(): Argument #2 ($rate) must be between 1 in 366 days and 1000000000 units per second, 0 given
ValueError: RateLimit\BucketLimit::__construct(): Argument #2 ($rate) must be between 1 in 366 days and 1000000000 units per second, NAN given
ValueError: RateLimit\BucketLimit::__construct(): Argument #1 ($capacity) must be such that a whole bucket takes at most 1,461 days, 4294967295 at a rate of 0.001 given
TypeError: RateLimit\BucketLimit::__construct(): Argument #4 ($store) must be of type ?RateLimit\Store, int given
{"capacity":60,"addNum":20,"rate":2,"water_key":"w"}
