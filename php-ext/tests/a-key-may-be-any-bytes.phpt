--TEST--
A key may be any bytes
--FILE--
<?php
require __DIR__ . '/helpers.inc';
use RateLimit\{Limiter, Store};
$l = Limiter::fixedWindow('k', 2, 60, Store::memory());
foreach (["a\0b", "a\0c", "\xff\xfe", '', 'ключ', "\0", "\0\0", str_repeat('x', 65536), str_repeat('x', 65535) . 'y'] as $key) {
    echo $l->consume($key)->remaining, ' ', $l->consume($key)->remaining, "\n";
}
foreach (['allow', 'consume', 'peek', 'reserve', 'acquire', 'refund', 'reset'] as $call) {
    attempt(fn () => $l->$call(str_repeat('x', 65537)));
}
--EXPECT--
1 0
1 0
1 0
1 0
1 0
1 0
1 0
1 0
1 0
ValueError: RateLimit\Limiter::allow(): Argument #1 ($key) must be at most 65536 bytes long, 65537 given
ValueError: RateLimit\Limiter::consume(): Argument #1 ($key) must be at most 65536 bytes long, 65537 given
ValueError: RateLimit\Limiter::peek(): Argument #1 ($key) must be at most 65536 bytes long, 65537 given
ValueError: RateLimit\Limiter::reserve(): Argument #1 ($key) must be at most 65536 bytes long, 65537 given
ValueError: RateLimit\Limiter::acquire(): Argument #1 ($key) must be at most 65536 bytes long, 65537 given
ValueError: RateLimit\Limiter::refund(): Argument #1 ($key) must be at most 65536 bytes long, 65537 given
ValueError: RateLimit\Limiter::reset(): Argument #1 ($key) must be at most 65536 bytes long, 65537 given
