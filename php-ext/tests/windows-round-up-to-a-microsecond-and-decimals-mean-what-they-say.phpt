--TEST--
Windows round up to a microsecond, and decimals mean what they say
--FILE--
<?php
require __DIR__ . '/helpers.inc';
use RateLimit\{Limiter, Store};
$store = Store::memory(clock: new TestClock);
foreach ([0.1, 1.5, 600.001, 0.3, 0.1 + 0.2, 1e-6, 1e-9, 1.0000001, 5e-324, 31622400] as $i => $window) {
    echo $window, ' ', (int) (Limiter::fixedWindow("w$i", 1, $window, $store)->consume('k')->resetAfter * 1e6), "\n";
}
--EXPECT--
0.1 100000
1.5 1500000
600.001 600001000
0.3 300000
0.3 300001
1.0E-6 1
1.0E-9 1
1.0000001 1000001
4.9406564584125E-324 1
31622400 31622400000000
