--TEST--
Limiters and stores are not made, copied or kept by PHP
--FILE--
<?php
require __DIR__ . '/helpers.inc';
use RateLimit\{Limiter, Store};
$s = Store::memory();
$l = Limiter::unlimited('u');
attempt(fn () => new Limiter);
attempt(fn () => new Store);
foreach ([$l, $s] as $object) {
    attempt(fn () => clone $object);
    attempt(fn () => serialize($object));
    attempt(function () use ($object) { $object->x = 1; });
    attempt(fn () => (new ReflectionClass($object))->newInstanceWithoutConstructor());
    attempt(fn () => (new ReflectionClass($object))->isInstantiable());
    attempt(fn () => unserialize('O:' . strlen($object::class) . ':"' . $object::class . '":0:{}'));
}
attempt(fn () => [$l == $l, $l == Limiter::unlimited('u'), $s == Store::memory()]);
--EXPECT--
Error: Cannot directly construct RateLimit\Limiter, use RateLimit\Limiter::tokenBucket() or another of its factories instead
Error: Cannot directly construct RateLimit\Store, use RateLimit\Store::shared(), ::memory() or ::redis() instead
Error: Trying to clone an uncloneable object of class RateLimit\Limiter
Exception: Serialization of 'RateLimit\Limiter' is not allowed
Error: Cannot create dynamic property RateLimit\Limiter::$x
ReflectionException: Class RateLimit\Limiter is an internal class marked as final that cannot be instantiated without invoking its constructor
false
Exception: Unserialization of 'RateLimit\Limiter' is not allowed
Error: Trying to clone an uncloneable object of class RateLimit\Store
Exception: Serialization of 'RateLimit\Store' is not allowed
Error: Cannot create dynamic property RateLimit\Store::$x
ReflectionException: Class RateLimit\Store is an internal class marked as final that cannot be instantiated without invoking its constructor
false
Exception: Unserialization of 'RateLimit\Store' is not allowed
[true,false,false]
