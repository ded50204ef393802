<?php
// What a decision costs in PHP, beside peers in the same run. Loop and method call are in every figure.
declare(strict_types=1);

use Illuminate\Cache\{ApcStore, ApcWrapper, RateLimiter, Repository};
use RateLimit\{BucketLimit, Limiter};
use Symfony\Component\Cache\Adapter\ApcuAdapter;
use Symfony\Component\RateLimiter\RateLimiterFactory;
use Symfony\Component\RateLimiter\Storage\CacheStorage;

require __DIR__ . '/Contest.php';
require __DIR__ . '/RedisServer.php';
require __DIR__ . '/HandWrittenBucketLimit.php';
// Debian's autoloaders of these versions speak up about themselves on PHP 8.2.
error_reporting(E_ALL & ~E_DEPRECATED);
require 'Symfony/Component/Cache/autoload.php';
require 'Symfony/Component/RateLimiter/autoload.php';
require 'Illuminate/Cache/autoload.php';

HandWrittenBucketLimit::$port = (new RedisServer())->port;

// A bucket of 2^32 - 1 that refills in 21 s: nobody in the contest is ever refused.
const CAPACITY = 4_294_967_295, REFILL = 204_522_252;
const KEY = 'client-203.0.113.7';

$ours = Limiter::tokenBucket('bench', CAPACITY, REFILL);
$symfony = (new RateLimiterFactory(
    ['id' => 'bench', 'policy' => 'token_bucket', 'limit' => CAPACITY, 'rate' => ['interval' => '1 second', 'amount' => REFILL]],
    new CacheStorage(new ApcuAdapter()),
))->create(KEY);
$laravel = new RateLimiter(new Repository(new ApcStore(new ApcWrapper())));

$contest = new Contest([
    'RateLimit allow()' => function (int $calls) use ($ours): void {
        for ($i = 0; $i < $calls; $i++) {
            $ours->allow(KEY) or throw new LogicException('refused');
        }
    },
    'RateLimit consume()->allowed' => function (int $calls) use ($ours): void {
        for ($i = 0; $i < $calls; $i++) {
            $ours->consume(KEY)->allowed or throw new LogicException('refused');
        }
    },
    'apcu_inc($key, 1, $ok, 60)' => function (int $calls): void {
        for ($i = 0; $i < $calls; $i++) {
            apcu_inc(KEY, 1, $ok, 60) or throw new LogicException('no APCu');
        }
    },
    'Symfony token bucket, APCu, no lock' => function (int $calls) use ($symfony): void {
        for ($i = 0; $i < $calls; $i++) {
            $symfony->consume()->isAccepted() or throw new LogicException('refused');
        }
    },
    'Laravel tooManyAttempts + hit, APCu' => function (int $calls) use ($laravel): void {
        for ($i = 0; $i < $calls; $i++) {
            $laravel->tooManyAttempts(KEY, PHP_INT_MAX) and throw new LogicException('refused');
            $laravel->hit(KEY, 60);
        }
    },
    'RateLimit new BucketLimit, bucket(1)' => function (int $calls): void {
        for ($i = 0; $i < $calls; $i++) {
            (new BucketLimit())->bucket(1);
        }
    },
    'hand-written BucketLimit, Redis' => function (int $calls): void {
        for ($i = 0; $i < $calls; $i++) {
            (new HandWrittenBucketLimit())->bucket(1);
        }
    },
]);

// measure => [ours, peer, bar]
const RATIOS = [
    'php_allow_vs_apcu' => ['RateLimit allow()', 'apcu_inc($key, 1, $ok, 60)', 0.55],
    'php_allow_vs_symfony' => ['RateLimit allow()', 'Symfony token bucket, APCu, no lock', 0.01],
    'php_allow_vs_laravel' => ['RateLimit allow()', 'Laravel tooManyAttempts + hit, APCu', 0.01],
    'php_consume_vs_apcu' => ['RateLimit consume()->allowed', 'apcu_inc($key, 1, $ok, 60)', 0.9],
    'php_bucketlimit_vs_redis' => ['RateLimit new BucketLimit, bucket(1)', 'hand-written BucketLimit, Redis', 0.01],
];

printf("%-37s %10s   %-37s %10s %8s %6s\n", 'PHP', 'ns a call', 'peer', 'ns a call', 'ratio', 'bar');
foreach (RATIOS as [$name, $peer, $bar]) {
    printf("%-37s %10.0f   %-37s %10.0f %8.4f %6.2f\n", $name, $contest->time($name), $peer, $contest->time($peer), $contest->ratio($name, $peer), $bar);
}
foreach (RATIOS as $measure => [$name, $peer]) {
    printf("ratio %s %.4f\n", $measure, $contest->ratio($name, $peer));
}
