--TEST--
consumeAll takes any keys of the array, and references
--FILE--
<?php
require __DIR__ . '/helpers.inc';
use RateLimit\{Limiter, Store};
$l = Limiter::fixedWindow('a', 100, 3600, Store::memory());
$cost = 5;
$entry = [$l, 'k', &$cost];
$charges = ['x' => &$entry, 7 => [2 => 3, 1 => 'k', 0 => $l], -1 => [$l, 'k', 1]];
attempt(fn () => Limiter::consumeAll($charges)->remaining);
attempt(fn () => Limiter::consumeAll([[$l, 'k']])->remaining);
--EXPECT--
91
90
