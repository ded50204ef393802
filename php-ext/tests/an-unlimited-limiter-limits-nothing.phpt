--TEST--
An unlimited limiter limits nothing
--FILE--
<?php
require __DIR__ . '/helpers.inc';
use RateLimit\Limiter;
$l = Limiter::unlimited('u');
attempt(fn () => [$l->allow('k', PHP_INT_MAX), $l->consume('k'), $l->peek('k'), $l->reserve('k'), $l->acquire('k'), $l->refund('k'), $l->reset('k')]);
--EXPECT--
[true,{"allowed":true,"limit":9223372036854775807,"remaining":9223372036854775807,"retryAfter":0.0,"resetAfter":0.0,"wait":0.0,"degraded":false,"limiter":"u"},{"allowed":true,"limit":9223372036854775807,"remaining":9223372036854775807,"retryAfter":0.0,"resetAfter":0.0,"wait":0.0,"degraded":false,"limiter":"u"},{"allowed":true,"limit":9223372036854775807,"remaining":9223372036854775807,"retryAfter":0.0,"resetAfter":0.0,"wait":0.0,"degraded":false,"limiter":"u"},{"allowed":true,"limit":9223372036854775807,"remaining":9223372036854775807,"retryAfter":0.0,"resetAfter":0.0,"wait":0.0,"degraded":false,"limiter":"u"},{"allowed":true,"limit":9223372036854775807,"remaining":9223372036854775807,"retryAfter":0.0,"resetAfter":0.0,"wait":0.0,"degraded":false,"limiter":"u"},null]
