<?php
declare(strict_types=1);

require_once __DIR__ . '/Fpm.php';
require_once __DIR__ . '/FastCgi.php';

/** Counts checks, prints each, and closes with the line that tests/scripts/test adds up. */
final class Tap
{
    private int $passed = 0;
    private int $failed = 0;

    /** Runs the checks; an exception is a failed one, and the exit status says whether any failed. */
    public static function run(string $suite, callable $checks): never
    {
        $tap = new self();
        try {
            $checks($tap);
        } catch (Throwable $e) {
            $tap->ok(false, $suite . ' ran to its end', $e::class . ': ' . $e->getMessage() . ' at ' . basename($e->getFile()) . ':' . $e->getLine());
        }
        echo "$tap->passed passed, $tap->failed failed\n";
        exit($tap->failed ? 1 : 0);
    }

    public function ok(bool $ok, string $name, string $detail = ''): void
    {
        $ok ? $this->passed++ : $this->failed++;
        echo ($ok ? 'ok' : 'not ok') . ' - ' . $name . ($ok || $detail === '' ? '' : ": $detail") . "\n";
    }

    public function same(mixed $expected, mixed $got, string $name): void
    {
        $this->ok($expected === $got, $name, 'expected ' . json_encode($expected) . ', got ' . json_encode($got));
    }
}
