--TEST--
enable_cli=0 switches the command line off
--INI--
ratelimit.enable_cli=Off
--FILE--
<?php
require __DIR__ . '/helpers.inc';
use RateLimit\Limiter;
attempt(fn () => allowed(fn () => Limiter::fixedWindow('w', 3, 60)->allow('k')));
ob_start();
(new ReflectionExtension('ratelimit'))->info();
echo implode("\n", preg_grep('/^ratelimit =>|^Segment/', explode("\n", ob_get_clean())));
--EXPECT--
10
ratelimit => switched off
Segment => none (switched off)
