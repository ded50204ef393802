--TEST--
BucketLimit reads what subclasses override
--FILE--
<?php
require __DIR__ . '/helpers.inc';
use RateLimit\{BucketLimit, Store};
class Redeclared extends BucketLimit { protected $capacity = 3; protected $water_key = 'redeclared'; }
class OwnConstructor extends BucketLimit { protected $water_key = 'own'; public $extra = 1; function __construct() { $this->capacity = 2; $this->rate = 0.5; } }
class Grandchild extends Redeclared { public $capacity = 1; protected $water_key = 'grandchild'; }
class Strings extends BucketLimit { protected $capacity = '4'; protected $rate = '0.5'; protected $water_key = 5; }
class Calls extends BucketLimit { function __construct(int $n) { parent::__construct(capacity: $n, rate: 1, key: 'calls', store: Store::memory()); } }
class OldBucket extends BucketLimit { protected $capacity = 5; protected $water_key = 'old'; public function bucket($addNum, $api = '') { return parent::bucket($addNum, "v1:$api"); } }
class Typed extends BucketLimit { protected $capacity = 6; protected $water_key = 'typed'; public function bucket(mixed $addNum, mixed $api = ''): bool { return parent::bucket($addNum, $api); } }
foreach ([new Redeclared, new OwnConstructor, new Grandchild, new Strings, new Calls(7), new OldBucket, new Typed] as $bucket) {
    echo $bucket::class, ' ', allowed(fn () => $bucket->bucket(1)), "\n";
}
--EXPECT--
Redeclared 3
OwnConstructor 2
Grandchild 1
Strings 4
Calls 7
OldBucket 5
Typed 6
