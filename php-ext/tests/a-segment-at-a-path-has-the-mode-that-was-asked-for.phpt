--TEST--
A segment at a path has the mode that was asked for
--INI--
ratelimit.shm_path={TMP}/ratelimit-phpt-segment
ratelimit.shm_mode=0640
--FILE--
<?php
require __DIR__ . '/helpers.inc';
attempt(fn () => decoct(fileperms(sys_get_temp_dir() . '/ratelimit-phpt-segment') & 0777));
attempt(fn () => RateLimit\Limiter::fixedWindow('w', 3, 60)->consume(random_bytes(9))->remaining);
--CLEAN--
<?php
unlink(sys_get_temp_dir() . '/ratelimit-phpt-segment');
--EXPECT--
"640"
2
