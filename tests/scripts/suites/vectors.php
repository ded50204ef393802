<?php
// Plays vector files through the extension loaded here: `vectors.php memory|shared FILE…`.
declare(strict_types=1);

use RateLimit\{Decision, Limiter, Store};

require __DIR__ . '/../../fpm/www/clock.php';

/** One vector's limiters, on a store whose clock the steps set. */
final class Player
{
    /** @var array<string, Limiter> */
    private array $limiters = [];

    /** @param string $own what sets this vector's keys apart on a store that it shares with others */
    public function __construct(array $vector, private TestClock $clock, private Store $store, private string $own)
    {
        foreach ($vector['policies'] ?? ['only' => $vector['policy']] as $name => $policy) {
            $this->define($name, $policy);
        }
    }

    /** @return string|null what is wrong with the answer, if anything is */
    public function play(array $step): ?string
    {
        $this->clock->micros = $step['at_us'];
        $name = $step['limiter'] ?? 'only';
        if ($step['op'] === 'policy') {
            $this->define($name, $step['policy']);
            return null;
        }
        $decision = $this->call($step, $name);
        if (!isset($step['expect'])) {
            return null;
        }
        $got = array_intersect_key(self::answer($decision), $step['expect']);
        // In one order, since null must not pass for 0.
        ksort($got);
        ksort($step['expect']);
        return $got === $step['expect'] ? null : 'expected ' . json_encode($step['expect']) . ', got ' . json_encode($got);
    }

    private function call(array $step, string $name): ?Decision
    {
        if ($step['op'] === 'consume_all') {
            return Limiter::consumeAll(array_map(fn (array $c) => [$this->limiters[$c[0]], $this->own . $c[1], $c[2]], $step['charges']));
        }
        $limiter = $this->limiters[$name];
        $key = $this->own . $step['key'];
        $cost = $step['cost'] ?? 1;
        return match ($step['op']) {
            'consume' => $limiter->consume($key, $cost),
            'peek' => $limiter->peek($key, $cost),
            'reserve' => $limiter->reserve($key, $cost, $step['max_wait_us'] / 1e6),
            'refund' => $limiter->refund($key, $cost),
            'reset' => $limiter->reset($key),
        };
    }

    private function define(string $name, array $p): void
    {
        $this->limiters[$name] = match ($p['algorithm']) {
            'token_bucket' => Limiter::tokenBucket($name, $p['capacity'], $p['refill'], $p['per_us'] / 1e6, $this->store),
            'leaky_bucket' => Limiter::leakyBucket($name, $p['capacity'], $p['leak'], $p['per_us'] / 1e6, $this->store),
            'fixed_window' => Limiter::fixedWindow($name, $p['limit'], $p['window_us'] / 1e6, $this->store),
            'sliding_window' => Limiter::slidingWindow($name, $p['limit'], $p['window_us'] / 1e6, $p['segments'], $this->store),
        };
    }

    private static function answer(Decision $d): array
    {
        $us = fn (?float $seconds) => $seconds === null ? null : (int) ($seconds * 1e6);
        return ['allowed' => $d->allowed, 'limit' => $d->limit, 'remaining' => $d->remaining, 'retry_after_us' => $us($d->retryAfter),
            'reset_after_us' => $us($d->resetAfter), 'wait_us' => $us($d->wait), 'limiter' => $d->limiter];
    }
}

$files = array_slice($argv, 2);
$passed = $failed = 0;
foreach ($files as $file) {
    foreach (json_decode(file_get_contents($file), true, flags: JSON_THROW_ON_ERROR) as $i => $vector) {
        $clock = new TestClock();
        // A store takes the first reading when it is made.
        $clock->micros = $vector['steps'][0]['at_us'];
        $store = $argv[1] === 'shared' ? Store::shared($clock) : Store::memory(clock: $clock);
        $wrong = null;
        try {
            $player = new Player($vector, $clock, $store, basename($file) . "-$i-");
            foreach ($vector['steps'] as $n => $step) {
                if (($wrong = $player->play($step)) !== null) {
                    $wrong = "step $n ({$step['op']}): $wrong";
                    break;
                }
            }
        } catch (Throwable $e) {
            $wrong = $e::class . ': ' . $e->getMessage();
        }
        $wrong === null ? $passed++ : $failed++;
        if ($wrong !== null) {
            echo "{$vector['name']}, $argv[1], through PHP: $wrong\n";
        }
    }
}
echo "$passed passed, $failed failed\n";
exit($failed ? 1 : 0);
