--TEST--
BucketLimit has one bucket per key and API
--FILE--
<?php
require __DIR__ . '/helpers.inc';
use RateLimit\{BucketLimit, Store};
$store = Store::memory();
$b = fn (string $key) => new BucketLimit(capacity: 1, rate: 0.001, key: $key, store: $store);
attempt(fn () => [$b('ab')->bucket(1, 'c'), $b('a')->bucket(1, 'bc'), $b('abc')->bucket(1), $b('')->bucket(1, 'abc'), $b("a\0")->bucket(1, "\xff")]);
attempt(fn () => [$b('ab')->bucket(1, 'c'), $b('abc')->bucket(1, ''), $b("a\0")->bucket(1, "\xff")]);
--EXPECT--
[true,true,true,true,true]
[false,false,false]
