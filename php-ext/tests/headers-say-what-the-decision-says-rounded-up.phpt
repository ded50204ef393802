--TEST--
Headers say what the decision says, rounded up
--FILE--
<?php
require __DIR__ . '/helpers.inc';
use RateLimit\{Limiter, Store};
$clock = new TestClock(1_000_000_000_500_000);
$store = Store::memory(clock: $clock);
$l = Limiter::tokenBucket('api.v1', 3, 2, 0.7, $store);
var_dump($l->consume('k', 1)->headers());
var_dump($l->consume('k', 3)->headers());
var_dump($l->consume('k', 4)->headers());
var_dump(Limiter::fixedWindow('w', 3, 1.000001, $store)->consume('k')->headers());
var_dump(Limiter::slidingWindow('s', 3, 59.5, 10, $store)->peek('k')->headers());
var_dump(Limiter::unlimited('u')->consume('k')->headers());
--EXPECT--
array(5) {
  ["RateLimit-Policy"]=>
  string(16) ""api.v1";q=3;w=2"
  ["RateLimit"]=>
  string(16) ""api.v1";r=2;t=1"
  ["X-RateLimit-Limit"]=>
  string(1) "3"
  ["X-RateLimit-Remaining"]=>
  string(1) "2"
  ["X-RateLimit-Reset"]=>
  string(10) "1000000001"
}
array(6) {
  ["RateLimit-Policy"]=>
  string(16) ""api.v1";q=3;w=2"
  ["RateLimit"]=>
  string(16) ""api.v1";r=2;t=1"
  ["X-RateLimit-Limit"]=>
  string(1) "3"
  ["X-RateLimit-Remaining"]=>
  string(1) "2"
  ["X-RateLimit-Reset"]=>
  string(10) "1000000001"
  ["Retry-After"]=>
  string(1) "1"
}
array(5) {
  ["RateLimit-Policy"]=>
  string(16) ""api.v1";q=3;w=2"
  ["RateLimit"]=>
  string(16) ""api.v1";r=2;t=1"
  ["X-RateLimit-Limit"]=>
  string(1) "3"
  ["X-RateLimit-Remaining"]=>
  string(1) "2"
  ["X-RateLimit-Reset"]=>
  string(10) "1000000001"
}
array(5) {
  ["RateLimit-Policy"]=>
  string(11) ""w";q=3;w=2"
  ["RateLimit"]=>
  string(11) ""w";r=2;t=2"
  ["X-RateLimit-Limit"]=>
  string(1) "3"
  ["X-RateLimit-Remaining"]=>
  string(1) "2"
  ["X-RateLimit-Reset"]=>
  string(10) "1000000002"
}
array(5) {
  ["RateLimit-Policy"]=>
  string(12) ""s";q=3;w=60"
  ["RateLimit"]=>
  string(11) ""s";r=3;t=0"
  ["X-RateLimit-Limit"]=>
  string(1) "3"
  ["X-RateLimit-Remaining"]=>
  string(1) "3"
  ["X-RateLimit-Reset"]=>
  string(10) "1000000001"
}
array(0) {
}
