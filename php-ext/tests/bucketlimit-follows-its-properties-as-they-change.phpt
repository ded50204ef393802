--TEST--
BucketLimit follows its properties as they change
--FILE--
<?php
require __DIR__ . '/helpers.inc';
use RateLimit\{BucketLimit, Store};
class Open extends BucketLimit
{
    public $capacity = 2;
    public $rate = 1;
    public $water_key = 'open';
    public $addNum = 1;
    function drop() { unset($this->capacity); }
    function refer(&$to) { $this->capacity = &$to; }
}
$b = new Open(store: Store::memory(clock: new TestClock));
echo allowed(fn () => $b->bucket(1)), "\n";
$b->capacity = 5;
echo allowed(fn () => $b->bucket(1)), "\n";
$b->water_key = 'other';
echo allowed(fn () => $b->bucket(1)), "\n";
$b->addNum = 5;
$b->water_key = 'third';
echo allowed(fn () => $b->bucket(null)), "\n";
$n = 7;
$b->refer($n);
echo allowed(fn () => $b->bucket(1)), "\n";
$n = 8;
echo allowed(fn () => $b->bucket(1)), "\n";
$b->drop();
echo allowed(fn () => $b->bucket(10)), "\n";
for ($i = 0; $i < 3; $i++) {
    $b->water_key = "made $i";
    echo allowed(fn () => $b->bucket(60)), ' ';
}
--EXPECT--
2
3
5
1
2
1
5
1 1 1
