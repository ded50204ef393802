--TEST--
CurrentLimiting can be subclassed as the class it replaces
--FILE--
<?php
require __DIR__ . '/helpers.inc';
use RateLimit\{CurrentLimiting, Store};
class OldLimiting extends CurrentLimiting
{
    public function __construct($api, $ip) { parent::__construct($api, $ip, 2, 1, Store::memory()); }
    public function CurrentLimit(): bool { return !parent::CurrentLimit(); }
    public function attempts(): int { return 10 + parent::attempts(); }
}
class Forgetful extends CurrentLimiting { function __construct() {} }
$l = new OldLimiting('a', 'b');
attempt(fn () => [$l->CurrentLimit(), $l->CurrentLimit(), $l->CurrentLimit(), $l->attempts()]);
attempt(fn () => (new Forgetful)->CurrentLimit());
attempt(fn () => (new Forgetful)->attempts());
attempt(fn () => $l->__construct('a', 'b'));
attempt(fn () => clone $l);
attempt(fn () => serialize($l));
--EXPECT--
[false,false,true,12]
Error: RateLimit\CurrentLimiting::__construct() was not called
Error: RateLimit\CurrentLimiting::__construct() was not called
Error: RateLimit\CurrentLimiting::__construct() was called twice
Error: Trying to clone an uncloneable object of class OldLimiting
Exception: Serialization of 'OldLimiting' is not allowed
