--TEST--
A clock must return a time since 1970
--FILE--
<?php
require __DIR__ . '/helpers.inc';
use RateLimit\{Limiter, Store};
class Says { function __construct(public mixed $now) {} function now() { return $this->now; } }
class Raw extends DateTimeImmutable { function __construct() {} }
class Formatted extends DateTime { function format($f): string { return 'nonsense'; } }
foreach ([5, null, 'now', new stdClass, new DateTime('1969-12-31 23:59:59.999999 UTC'), new DateTimeImmutable('@-99999999999999'), new Raw,
    new DateTime('1970-01-01 UTC'), new DateTimeImmutable('2024-02-29 12:00:00.123456 Asia/Tokyo'), new Formatted('@1')] as $now) {
    attempt(fn () => Limiter::tokenBucket('t', 1, 1, 1, Store::memory(clock: new Says($now)))->allow('k'));
}
--EXPECTF--
TypeError: Says::now(): Return value must be of type DateTimeInterface, int returned
TypeError: Says::now(): Return value must be of type DateTimeInterface, null returned
TypeError: Says::now(): Return value must be of type DateTimeInterface, string returned
TypeError: Says::now(): Return value must be of type DateTimeInterface, object returned
ValueError: Says::now() must be in the years 1970 to 292277, to the microsecond
ValueError: Says::now() must be in the years 1970 to 292277, to the microsecond
%SError: %sinitialized by %s
true
true
true
