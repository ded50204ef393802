--TEST--
Names are 1 to 64 plain characters
--FILE--
<?php
require __DIR__ . '/helpers.inc';
use RateLimit\Limiter;
foreach (['', 'a b', "a\0b", "\xff", 'ä', str_repeat('x', 65), "a\n"] as $name) {
    attempt(fn () => Limiter::fixedWindow($name, 1, 1));
    attempt(fn () => Limiter::unlimited($name));
}
attempt(fn () => Limiter::unlimited(str_repeat('x', 64))->allow('k'));
attempt(fn () => Limiter::unlimited('AZaz09_.-')->allow('k'));
--EXPECTF--
ValueError: RateLimit\Limiter::fixedWindow(): Argument #1 ($name) must be %s given
ValueError: RateLimit\Limiter::unlimited(): Argument #1 ($name) must be %s given
ValueError: RateLimit\Limiter::fixedWindow(): Argument #1 ($name) must be %s given
ValueError: RateLimit\Limiter::unlimited(): Argument #1 ($name) must be %s given
ValueError: RateLimit\Limiter::fixedWindow(): Argument #1 ($name) must be %s given
ValueError: RateLimit\Limiter::unlimited(): Argument #1 ($name) must be %s given
ValueError: RateLimit\Limiter::fixedWindow(): Argument #1 ($name) must be %s given
ValueError: RateLimit\Limiter::unlimited(): Argument #1 ($name) must be %s given
ValueError: RateLimit\Limiter::fixedWindow(): Argument #1 ($name) must be %s given
ValueError: RateLimit\Limiter::unlimited(): Argument #1 ($name) must be %s given
ValueError: RateLimit\Limiter::fixedWindow(): Argument #1 ($name) must be %s given
ValueError: RateLimit\Limiter::unlimited(): Argument #1 ($name) must be %s given
ValueError: RateLimit\Limiter::fixedWindow(): Argument #1 ($name) must be 1 to 64 of A-Z, a-z, 0-9, _ . -, "a\n" given
ValueError: RateLimit\Limiter::unlimited(): Argument #1 ($name) must be 1 to 64 of A-Z, a-z, 0-9, _ . -, "a\n" given
true
true
