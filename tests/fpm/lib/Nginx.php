<?php
declare(strict_types=1);

require_once __DIR__ . '/Fpm.php';

/** An nginx of the caller's own in front of a pool, on a free port of loopback, ended with the caller. */
final class Nginx
{
    public readonly int $port;
    /** @var resource|null */
    private $process = null;

    public function __construct(private readonly Fpm $fpm)
    {
        $probe = stream_socket_server('tcp://127.0.0.1:0');
        $this->port = (int) substr(strrchr(stream_socket_get_name($probe, false), ':'), 1);
        fclose($probe);
        file_put_contents("$fpm->dir/nginx.conf", $this->conf());
        $log = ['file', "$fpm->dir/nginx.out", 'a'];
        $this->process = proc_open(
            ['/usr/sbin/nginx', '-p', $fpm->dir, '-c', "$fpm->dir/nginx.conf", '-e', "$fpm->dir/nginx.err", '-g', 'daemon off;'],
            [['file', '/dev/null', 'r'], $log, $log], $pipes,
        );
        register_shutdown_function($this->stop(...));
        for ($end = microtime(true) + 5; !@fsockopen('127.0.0.1', $this->port); usleep(5000)) {
            microtime(true) < $end or throw new RuntimeException('nginx did not start: ' . @file_get_contents("$fpm->dir/nginx.err"));
        }
    }

    public function url(string $script): string
    {
        return "http://127.0.0.1:$this->port/$script";
    }

    /** @return array<int, int> status => how many requests ended with it, once stopped */
    public function requests(): array
    {
        return array_count_values(array_map(fn (array $line) => (int) $line[0], $this->lines()));
    }

    /** Seconds from the first request's end to the last one's. */
    public function seconds(): float
    {
        $times = array_map(fn (array $line) => (float) $line[1], $this->lines());
        return $times === [] ? 0.0 : max($times) - min($times);
    }

    /** Ends it, its log written out. */
    public function stop(): void
    {
        if ($this->process !== null) {
            proc_terminate($this->process, SIGTERM);
            for ($end = microtime(true) + 5; proc_get_status($this->process)['running'] && microtime(true) < $end;) {
                usleep(2000);
            }
            proc_close($this->process);
            $this->process = null;
        }
    }

    /** @return list<array{string, string}> status and time of each request */
    private function lines(): array
    {
        return array_map(fn (string $line) => explode(' ', $line), file("{$this->fpm->dir}/access.log", FILE_IGNORE_NEW_LINES));
    }

    private function conf(): string
    {
        $dir = $this->fpm->dir;
        $user = posix_getuid() === 0 ? "user www-data;\n" : '';
        return <<<CONF
            {$user}worker_processes 1;
            pid $dir/nginx.pid;
            events { worker_connections 512; }
            http {
                log_format outcome '\$status \$msec';
                access_log $dir/access.log outcome buffer=64k;
                client_body_temp_path $dir/t1; fastcgi_temp_path $dir/t2; proxy_temp_path $dir/t3;
                uwsgi_temp_path $dir/t4; scgi_temp_path $dir/t5;
                server {
                    listen 127.0.0.1:$this->port;
                    location ~ \.php$ {
                        fastcgi_pass unix:{$this->fpm->socket()};
                        fastcgi_param SCRIPT_FILENAME $dir/www\$uri;
                        fastcgi_param REQUEST_METHOD \$request_method;
                        fastcgi_param QUERY_STRING \$query_string;
                        fastcgi_param REMOTE_ADDR \$remote_addr;
                    }
                }
            }
            CONF;
    }
}
