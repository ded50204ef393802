<?php
// nginx and eight FPM workers under wrk on examples/php/hello.php: what was let through, beside what the limit says.
declare(strict_types=1);

require __DIR__ . '/../fpm/lib/Nginx.php';

const WORKERS = 8, SECONDS = 5;
// As in examples/php/hello.php.
const CAPACITY = 1000, REFILL = 500;

$fpm = new Fpm(workers: WORKERS, scripts: __DIR__ . '/../../examples/php');
$nginx = new Nginx($fpm);
shell_exec(sprintf('wrk -t1 -c16 -d%ds %s', SECONDS, escapeshellarg($nginx->url('hello.php'))));
$nginx->stop();

$requests = $nginx->requests();
// wrk hangs up on what is in flight when its time is over: nginx notes those as 499.
$cut = $requests[499] ?? 0;
$answered = array_sum($requests) - $cut;
$seconds = $nginx->seconds();
[$allowed, $refused] = [$requests[200] ?? 0, $requests[429] ?? 0];
$predicted = (int) (CAPACITY + REFILL * $seconds);
printf("%d requests in %.2f s by wrk through nginx to %d FPM workers\n", $answered, $seconds, WORKERS);
printf("limit: %d at once, then %d a second, shared by all workers\n", CAPACITY, REFILL);
printf("allowed  %6d   predicted %6d\n", $allowed, $predicted);
printf("refused  %6d   predicted %6d\n", $refused, $answered - $predicted);
printf("(give or take %d: nginx notes when a response ended, not when it was decided)\n", REFILL * 0.01);
// nginx notes when a response ended, not when it was decided: 10 ms of slack for that.
$slack = REFILL * 0.01 + 1 + $cut;
exit(abs($allowed - $predicted) <= $slack && $allowed + $refused === $answered ? 0 : 1);
