--TEST--
consumeAll coerces keys and costs as arguments in weak mode
--FILE--
<?php
require __DIR__ . '/helpers.inc';
use RateLimit\{Limiter, Store};
class Name { function __toString() { return '42'; } }
class Thrower { function __toString() { throw new LogicException('no string'); } }
$l = Limiter::fixedWindow('a', 100, 3600, Store::memory());
foreach ([[$l, 42, 1], [$l, '42', '2'], [$l, 42.0, 3.0], [$l, new Name, true], [$l, new Thrower], [$l, '42', 1.5], [$l, true]] as $entry) {
    attempt(fn () => Limiter::consumeAll([$entry])->remaining);
}
--EXPECTF--
99
97
94
93
LogicException: no string

Deprecated: Implicit conversion from float 1.5 to int loses precision in %s on line %d
92
99
