--TEST--
Waits round down to a microsecond
--FILE--
<?php
require __DIR__ . '/helpers.inc';
use RateLimit\{Limiter, Store};
$store = Store::memory(clock: new TestClock);
foreach ([0.999999, 0.9999999, 1.0, 1.0000009, 1] as $i => $wait) {
    $l = Limiter::tokenBucket("t$i", 1, 1, 1.0, $store);
    $l->allow('k');
    echo $wait, ' ', json_encode($l->reserve('k', 1, $wait)->allowed), "\n";
}
--EXPECT--
0.999999 false
0.9999999 false
1 true
1.0000009 true
1 true
