--TEST--
The failure policies are a backed enum
--FILE--
<?php
require __DIR__ . '/helpers.inc';
use RateLimit\OnError;
attempt(fn () => array_map(fn ($case) => "$case->name $case->value", OnError::cases()));
attempt(fn () => [OnError::from('deny'), OnError::tryFrom('x'), OnError::Fail]);
attempt(fn () => OnError::from('x'));
attempt(fn () => [OnError::Fail instanceof BackedEnum, (new ReflectionClass(OnError::class))->isFinal(), OnError::Deny === OnError::from('deny')]);
function f(OnError $e = OnError::Allow) { static $x = OnError::Deny; return [$e, $x]; }
attempt(fn () => f());
attempt(fn () => unserialize(serialize(OnError::Deny)) === OnError::Deny);
--EXPECTF--
["Fallback fallback","Allow allow","Deny deny","Fail fail"]
["deny",null,"fail"]
ValueError: "x" is not a valid backing value for enum %SRateLimit\OnError%S
[true,true,true]
["allow","deny"]
true
