<?php
declare(strict_types=1);

require_once __DIR__ . '/Fpm.php';

/** Runs a script in a PHP of its own, with the extension and no other configuration. */
final class Cli
{
    /**
     * @param list<string> $settings arguments of -d
     * @param list<string> $under a command to run PHP under
     * @return array{int, string} exit status, and output with errors
     */
    public static function run(string $script, array $settings = [], array $under = [], array $env = []): array
    {
        $command = [...$under, PHP_BINARY, '-n', '-d', 'extension=' . Fpm::extension(), '-d', 'display_errors=1'];
        foreach ($settings as $setting) {
            array_push($command, '-d', $setting);
        }
        $process = proc_open([...$command, $script], [1 => ['pipe', 'w'], 2 => ['redirect', 1]], $pipes, null, $env + getenv());
        $out = stream_get_contents($pipes[1]);
        return [proc_close($process), $out];
    }
}
