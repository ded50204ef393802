--TEST--
The stub is what Reflection shows
--FILE--
<?php
ob_start();
require __DIR__ . '/../stub.php';
$stub = ob_get_clean();
// Before PHP 8.2 a class cannot be readonly, only its properties can.
var_dump(PHP_VERSION_ID < 80200 || $stub === file_get_contents(__DIR__ . '/../ratelimit.stub.php'));
--EXPECT--
bool(true)
