--TEST--
CurrentLimiting says which argument is wrong
--FILE--
<?php declare(strict_types=1);
require __DIR__ . '/helpers.inc';
use RateLimit\{CurrentLimiting, Store};
$m = Store::memory();
attempt(fn () => new CurrentLimiting('a', 'b', 1));
attempt(fn () => (new CurrentLimiting(5, null, '3', '1.5', $m))->CurrentLimit());
foreach ([0, -1, 'x', [], 4294967296] as $limit) {
    attempt(fn () => new CurrentLimiting('a', 'b', $limit, 1, $m));
}
foreach ([0, -1, NAN, INF, 'x', 527041] as $minutes) {
    attempt(fn () => new CurrentLimiting('a', 'b', 1, $minutes, $m));
}
attempt(fn () => new CurrentLimiting([], 'b', 1, 1, $m));
attempt(fn () => new CurrentLimiting('a', new stdClass, 1, 1, $m));
attempt(fn () => new CurrentLimiting(str_repeat('a', 65000), str_repeat('b', 529), 1, 1, $m));
attempt(fn () => new CurrentLimiting('a', 'b', 1, 1, 'x'));
--EXPECT--
ArgumentCountError: RateLimit\CurrentLimiting::__construct() expects at least 4 arguments, 3 given
true
ValueError: RateLimit\CurrentLimiting::__construct(): Argument #3 ($limit) must be between 1 and 4294967295, 0 given
ValueError: RateLimit\CurrentLimiting::__construct(): Argument #3 ($limit) must be between 1 and 4294967295, -1 given
TypeError: RateLimit\CurrentLimiting::__construct(): Argument #3 ($limit) must be of type int, string given
TypeError: RateLimit\CurrentLimiting::__construct(): Argument #3 ($limit) must be of type int, array given
ValueError: RateLimit\CurrentLimiting::__construct(): Argument #3 ($limit) must be between 1 and 4294967295, 4294967296 given
ValueError: RateLimit\CurrentLimiting::__construct(): Argument #4 ($minutes) must be above 0 and at most 527040 minutes (366 days), 0 given
ValueError: RateLimit\CurrentLimiting::__construct(): Argument #4 ($minutes) must be above 0 and at most 527040 minutes (366 days), -1 given
ValueError: RateLimit\CurrentLimiting::__construct(): Argument #4 ($minutes) must be above 0 and at most 527040 minutes (366 days), NAN given
ValueError: RateLimit\CurrentLimiting::__construct(): Argument #4 ($minutes) must be above 0 and at most 527040 minutes (366 days), INF given
TypeError: RateLimit\CurrentLimiting::__construct(): Argument #4 ($minutes) must be of type float, string given
ValueError: RateLimit\CurrentLimiting::__construct(): Argument #4 ($minutes) must be above 0 and at most 527040 minutes (366 days), 527041 given
TypeError: RateLimit\CurrentLimiting::__construct(): Argument #1 ($api) must be of type string, array given
TypeError: RateLimit\CurrentLimiting::__construct(): Argument #2 ($ip) must be of type string, stdClass given
ValueError: RateLimit\CurrentLimiting::__construct(): Argument #1 ($api) and $ip must be at most 65528 bytes long together
TypeError: RateLimit\CurrentLimiting::__construct(): Argument #5 ($store) must be of type ?RateLimit\Store, string given
