--TEST--
A fatal error inside a clock ends the request and nothing else
--FILE--
<?php
require __DIR__ . '/helpers.inc';
use RateLimit\{Limiter, Store};
class Fatal extends TestClock { function now(): DateTimeInterface { set_time_limit(1); echo "fatal\n"; eval('class TestClock {}'); } }
register_shutdown_function(function () {
    echo "shut down\n";
    attempt(fn () => Limiter::tokenBucket('t', 1, 1, 1, Store::memory())->allow('k'));
});
$l = Limiter::tokenBucket('t', 1, 1, 1, Store::memory(clock: new Fatal));
Limiter::consumeAll([[$l, 'k' . time(), 1]]);
--EXPECTF--
fatal

Fatal error: Cannot %a
shut down
true
