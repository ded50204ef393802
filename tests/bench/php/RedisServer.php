<?php
declare(strict_types=1);

require_once __DIR__ . '/../../fpm/lib/Signals.php';

/** A redis-server of the benchmark's own on a free port of loopback, ended with it. */
final class RedisServer
{
    public readonly int $port;
    /** @var resource */
    private $process;

    public function __construct()
    {
        $probe = stream_socket_server('tcp://127.0.0.1:0');
        $this->port = (int) substr(strrchr(stream_socket_get_name($probe, false), ':'), 1);
        fclose($probe);
        $null = ['file', '/dev/null', 'r+'];
        $this->process = proc_open(
            ['redis-server', '--bind', '127.0.0.1', '--port', (string) $this->port, '--save', '', '--appendonly', 'no', '--dir', sys_get_temp_dir()],
            [$null, $null, $null], $pipes,
        );
        exit_on_signals();
        register_shutdown_function(fn () => proc_terminate($this->process));
        for ($end = microtime(true) + 5; !@fsockopen('127.0.0.1', $this->port); usleep(10000)) {
            microtime(true) < $end or throw new RuntimeException('redis-server does not answer');
        }
    }
}
