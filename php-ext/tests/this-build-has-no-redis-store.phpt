--TEST--
This build has no Redis store
--FILE--
<?php
require __DIR__ . '/helpers.inc';
use RateLimit\{Store, StoreException};
attempt(fn () => Store::redis());
attempt(fn () => Store::redis('redis://localhost', timeout: 0.5, prefix: 'x:', clock: new TestClock));
var_dump(is_subclass_of(StoreException::class, RuntimeException::class), (new StoreException('m', 7, new Exception('p')))->getPrevious()->getMessage());
--EXPECT--
RateLimit\StoreException: this build of ratelimit has no Redis store; use Store::shared() or Store::memory()
RateLimit\StoreException: this build of ratelimit has no Redis store; use Store::shared() or Store::memory()
bool(true)
string(1) "p"
