--TEST--
var_dump shows what a limiter and a store are
--FILE--
<?php
require __DIR__ . '/helpers.inc';
use RateLimit\{Limiter, Store};
var_dump(Limiter::slidingWindow('api', 100, 60, store: Store::memory()), Limiter::unlimited('u'), Store::memory(), Store::shared());
--EXPECT--
object(RateLimit\Limiter)#2 (3) {
  ["name"]=>
  string(3) "api"
  ["algorithm"]=>
  string(14) "sliding_window"
  ["limit"]=>
  int(100)
}
object(RateLimit\Limiter)#1 (3) {
  ["name"]=>
  string(1) "u"
  ["algorithm"]=>
  string(9) "unlimited"
  ["limit"]=>
  int(9223372036854775807)
}
object(RateLimit\Store)#3 (1) {
  ["kind"]=>
  string(6) "memory"
}
object(RateLimit\Store)#4 (1) {
  ["kind"]=>
  string(6) "shared"
}
