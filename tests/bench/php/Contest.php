<?php
declare(strict_types=1);

/** Times contenders in turn, round after round, so that whatever else the machine does meets all of them. */
final class Contest
{
    private const ROUNDS = 15, ROUND_SECONDS = 0.03;

    /** @var array<string, list<float>> contender => nanoseconds per call, by round */
    private array $times = [];

    /** @param array<string, callable(int): void> $contenders each makes that many calls */
    public function __construct(array $contenders)
    {
        $calls = array_map(self::calls(...), $contenders);
        for ($round = 0; $round < self::ROUNDS; $round++) {
            foreach ($contenders as $name => $run) {
                $this->times[$name][] = self::seconds($run, $calls[$name]) / $calls[$name] * 1e9;
            }
        }
    }

    /** Median nanoseconds per call. */
    public function time(string $name): float
    {
        return self::median($this->times[$name]);
    }

    /** Median over the rounds of how long `$name` took for each second of `$peer`. */
    public function ratio(string $name, string $peer): float
    {
        return self::median(array_map(fn (float $a, float $b) => $a / $b, $this->times[$name], $this->times[$peer]));
    }

    public static function median(array $values): float
    {
        sort($values);
        $half = intdiv(count($values), 2);
        return count($values) % 2 ? $values[$half] : ($values[$half - 1] + $values[$half]) / 2;
    }

    private static function seconds(callable $run, int $calls): float
    {
        $since = hrtime(true);
        $run($calls);
        return (hrtime(true) - $since) / 1e9;
    }

    /** As many calls as fill a round; finding out is the warm-up. */
    private static function calls(callable $run): int
    {
        for ($calls = 16; ($took = self::seconds($run, $calls)) < self::ROUND_SECONDS / 4; $calls *= 2);
        return (int) ceil($calls * self::ROUND_SECONDS / $took);
    }
}
