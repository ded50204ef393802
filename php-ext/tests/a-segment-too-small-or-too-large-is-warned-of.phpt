--TEST--
A segment too small or too large is warned of
--INI--
ratelimit.shm_size=63K
--FILE--
<?php
echo ini_get('ratelimit.shm_size');
--EXPECT--
Warning: PHP Startup: ratelimit.shm_size must be 64K to 64G, as in 32M, "63K" given; using the default in Unknown on line 0
32M
