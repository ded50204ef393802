<?php
declare(strict_types=1);

/**
 * The class that RateLimit\BucketLimit replaces, as applications carry it: a leaky bucket read by
 * GET, computed in PHP and written by SET, over a connection of each object's own. The peer of a
 * benchmark, not for use: two workers lose each other's water.
 */
class HandWrittenBucketLimit
{
    /** Set by the benchmark; the usual class has it written into its constructor. */
    public static int $port = 6379;

    protected $capacity = 60;
    protected $addNum = 20;
    protected $rate = 2;
    protected $water_key = 'water_capacity';
    private Redis $redis;

    public function __construct()
    {
        $this->redis = new Redis();
        $this->redis->connect('127.0.0.1', self::$port);
    }

    public function bucket($addNum, $api = '')
    {
        $this->addNum = $addNum;
        $now = time();
        $state = json_decode((string) $this->redis->get($this->water_key), true);
        $water = $state['water'] ?? 0;
        $leaked = ($now - ($state['time'] ?? $now)) * $this->rate;
        $water = max(0, $water - $leaked);
        $fits = $water + $this->addNum <= $this->capacity;
        if ($fits) {
            $water += $this->addNum;
        }
        $this->redis->set($this->water_key, json_encode(['water' => $water, 'time' => $now]));
        return $fits;
    }
}
