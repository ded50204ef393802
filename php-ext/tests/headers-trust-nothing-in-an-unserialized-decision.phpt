--TEST--
Headers trust nothing in an unserialized decision
--FILE--
<?php
require __DIR__ . '/helpers.inc';
function forge(array $properties): string
{
    $body = implode(array_map(fn ($k, $v) => serialize($k) . serialize($v), array_keys($properties), $properties));
    return 'O:18:"RateLimit\Decision":' . count($properties) . ":{{$body}}";
}
$names = fn (string $s) => array_keys(unserialize($s)->headers());
attempt(fn () => $names(forge([])));
attempt(fn () => $names(forge(['limit' => 1])));
attempt(fn () => $names(forge(['limit' => 1, 'remaining' => 1])));
attempt(fn () => $names(forge(['limit' => 1, 'remaining' => 1, 'limiter' => "x\"\r\nSet-Cookie: a"])));
attempt(fn () => $names(forge(['allowed' => false, 'limit' => 1, 'remaining' => 0, 'retryAfter' => -INF, 'resetAfter' => NAN, 'limiter' => 'a'])));
attempt(fn () => unserialize(forge(['allowed' => false, 'limit' => 1, 'remaining' => 0, 'retryAfter' => 1e300, 'resetAfter' => 1e300, 'limiter' => 'a']))->headers());
attempt(fn () => unserialize('O:18:"RateLimit\Decision":1:{s:5:"limit";s:1:"x";}'));
attempt(fn () => array_keys(unserialize('a:2:{i:0;O:18:"RateLimit\Decision":2:{s:5:"limit";i:5;s:9:"remaining";i:3;}i:1;R:3;}')[0]->headers()));
--EXPECT--
[]
[]
["X-RateLimit-Limit","X-RateLimit-Remaining","X-RateLimit-Reset"]
["X-RateLimit-Limit","X-RateLimit-Remaining","X-RateLimit-Reset"]
["RateLimit-Policy","RateLimit","X-RateLimit-Limit","X-RateLimit-Remaining","X-RateLimit-Reset","Retry-After"]
{"RateLimit-Policy":"\"a\";q=1","RateLimit":"\"a\";r=0;t=18446744073710","X-RateLimit-Limit":"1","X-RateLimit-Remaining":"0","X-RateLimit-Reset":"18446744073710","Retry-After":"18446744073710"}
TypeError: Cannot assign string to property RateLimit\Decision::$limit of type int
["X-RateLimit-Limit","X-RateLimit-Remaining","X-RateLimit-Reset"]
