--TEST--
BucketLimit can be cloned but not serialized
--FILE--
<?php
require __DIR__ . '/helpers.inc';
use RateLimit\{BucketLimit, Store};
$b = new BucketLimit(capacity: 3, store: Store::memory(clock: new TestClock));
$b->bucket(2);
$c = clone $b;
attempt(fn () => [$c->bucket(1), $c->bucket(1), $b->bucket(1), $b == $c]);
attempt(fn () => serialize($b));
--EXPECT--
[true,false,false,false]
Exception: Serialization of 'RateLimit\BucketLimit' is not allowed
