--TEST--
phpinfo shows the segment and the settings
--FILE--
<?php
require __DIR__ . '/helpers.inc';
use RateLimit\Limiter;
Limiter::fixedWindow('w', 1, 60)->allow('k');
ob_start();
(new ReflectionExtension('ratelimit'))->info();
echo preg_replace('/\d{3,}/', 'N', ob_get_clean());
--EXPECT--
ratelimit

ratelimit => enabled
Version => 0.1.0
Segment => anonymous
Segment bytes => N
Capacity => N
Live keys => 1
Live keys given up => 0
Decisions allowed => 1
Decisions refused => 0

Directive => Local Value => Master Value
ratelimit.enabled => 1 => 1
ratelimit.enable_cli => 1 => 1
ratelimit.namespace => no value => no value
ratelimit.shm_size => 32M => 32M
ratelimit.shm_path => no value => no value
ratelimit.shm_mode => N => N
ratelimit.shm_group => no value => no value
