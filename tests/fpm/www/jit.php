<?php
// What opcache is at, for the test that wants to be sure it is on.
$status = function_exists('opcache_get_status') ? opcache_get_status(false) : false;
echo json_encode(['opcache' => $status !== false, 'jit' => $status['jit']['on'] ?? false]);
