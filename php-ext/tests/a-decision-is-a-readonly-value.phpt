--TEST--
A decision is a readonly value
--FILE--
<?php
require __DIR__ . '/helpers.inc';
use RateLimit\{Decision, Limiter, Store};
$d = Limiter::tokenBucket('api', 3, 1, 60, Store::memory(clock: new TestClock))->consume('k', 2);
var_dump($d);
echo json_encode($d), "\n", serialize($d), "\n";
echo implode(',', array_keys((array) $d)), ' ', implode(',', array_keys(get_object_vars($d))), "\n";
foreach ($d as $name => $value) {
    echo "$name ";
}
echo "\n";
var_dump(clone $d == $d, clone $d === $d, unserialize(serialize($d)) == $d, isset($d->limit), isset($d->nope));
attempt(function () use ($d) { $d->allowed = false; });
attempt(function () use ($d) { $r = &$d->limit; });
attempt(function () use ($d) { $d->limit++; });
attempt(function () use ($d) { unset($d->limit); });
attempt(function () use ($d) { $d->foo = 1; });
attempt(function () use ($d) { $e = clone $d; $e->limit = 5; });
attempt(fn () => new Decision);
attempt(fn () => (new ReflectionClass(Decision::class))->isInstantiable());
--EXPECT--
object(RateLimit\Decision)#4 (8) {
  ["allowed"]=>
  bool(true)
  ["limit"]=>
  int(3)
  ["remaining"]=>
  int(1)
  ["retryAfter"]=>
  float(0)
  ["resetAfter"]=>
  float(120)
  ["wait"]=>
  float(0)
  ["degraded"]=>
  bool(false)
  ["limiter"]=>
  string(3) "api"
}
{"allowed":true,"limit":3,"remaining":1,"retryAfter":0,"resetAfter":120,"wait":0,"degraded":false,"limiter":"api"}
O:18:"RateLimit\Decision":8:{s:7:"allowed";b:1;s:5:"limit";i:3;s:9:"remaining";i:1;s:10:"retryAfter";d:0;s:10:"resetAfter";d:120;s:4:"wait";d:0;s:8:"degraded";b:0;s:7:"limiter";s:3:"api";}
allowed,limit,remaining,retryAfter,resetAfter,wait,degraded,limiter allowed,limit,remaining,retryAfter,resetAfter,wait,degraded,limiter
allowed limit remaining retryAfter resetAfter wait degraded limiter 
bool(true)
bool(false)
bool(true)
bool(true)
bool(false)
Error: Cannot modify readonly property RateLimit\Decision::$allowed
Error: Cannot modify readonly property RateLimit\Decision::$limit
Error: Cannot modify readonly property RateLimit\Decision::$limit
Error: Cannot unset readonly property RateLimit\Decision::$limit
Error: Cannot create dynamic property RateLimit\Decision::$foo
Error: Cannot modify readonly property RateLimit\Decision::$limit
Error: Cannot directly construct RateLimit\Decision, use RateLimit\Limiter::consume() or another of its calls instead
false
