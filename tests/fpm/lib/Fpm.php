<?php
declare(strict_types=1);

require_once __DIR__ . '/Signals.php';

/** A php-fpm of the test's own: its directory, config, sockets and workers, gone when the test ends. */
final class Fpm
{
    public readonly string $dir;
    public readonly int $pid;
    /** @var resource|null */
    private $process = null;

    /**
     * @param array<string, scalar> $ini php.ini settings
     * @param array<string, array<string, scalar>> $pools pool name => php_admin_value settings
     * @param list<string> $extra further php.ini lines, as `zend_extension=opcache`
     * @param string $scripts the directory whose scripts it serves
     */
    public function __construct(
        private readonly array $ini = [],
        private readonly array $pools = ['www' => []],
        private readonly int $workers = 8,
        private readonly array $extra = [],
        string $scripts = __DIR__ . '/../www',
    ) {
        $this->dir = sys_get_temp_dir() . '/ratelimit-fpm-' . bin2hex(random_bytes(6));
        exit_on_signals();
        register_shutdown_function($this->stop(...));
        // Workers of another user read the scripts, wherever the checkout is: hence the copy.
        mkdir("$this->dir/www", 0755, true);
        foreach (glob("$scripts/*.php") as $script) {
            copy($script, "$this->dir/www/" . basename($script));
        }
        mkdir("$this->dir/log");
        chmod("$this->dir/log", 0777);
        file_put_contents("$this->dir/php.ini", $this->phpIni());
        file_put_contents("$this->dir/fpm.conf", $this->fpmConf());
        $this->start();
    }

    public static function extension(): string
    {
        $file = getenv('RATELIMIT_EXTENSION') ?: dirname(__DIR__, 3) . '/build/ratelimit.so';
        return realpath($file) ?: throw new RuntimeException("no $file: run make build");
    }

    public function socket(string $pool = 'www'): string
    {
        return "$this->dir/$pool.sock";
    }

    /** Replaces every worker, and the master's image, under the same pid and sockets. */
    public function reload(): void
    {
        posix_kill($this->pid, SIGUSR2);
    }

    /** @return list<int> */
    public function workerPids(): array
    {
        $children = @file_get_contents("/proc/$this->pid/task/$this->pid/children") ?: '';
        return array_map(intval(...), preg_split('/ /', $children, -1, PREG_SPLIT_NO_EMPTY));
    }

    public function log(): string
    {
        return (string) @file_get_contents("$this->dir/fpm.log");
    }

    public function stop(): void
    {
        if ($this->process !== null) {
            $this->end();
        }
        self::remove($this->dir);
    }

    private function end(): void
    {
        $workers = $this->workerPids();
        proc_terminate($this->process, SIGTERM);
        $end = microtime(true) + 5;
        while (proc_get_status($this->process)['running'] && microtime(true) < $end) {
            usleep(2000);
        }
        if (proc_get_status($this->process)['running']) {
            proc_terminate($this->process, SIGKILL);
            array_map(fn (int $pid) => posix_kill($pid, SIGKILL), $workers);
        }
        proc_close($this->process);
        $this->process = null;
    }

    private function start(): void
    {
        $binary = getenv('PHP_FPM') ?: '/usr/sbin/php-fpm' . PHP_MAJOR_VERSION . '.' . PHP_MINOR_VERSION;
        $command = [$binary, '-F', '-c', "$this->dir/php.ini", '-y', "$this->dir/fpm.conf"];
        $out = ['file', "$this->dir/out", 'a'];
        // A scan directory that is not there keeps the machine's own conf.d out, an installed ratelimit.so too.
        $this->process = proc_open($command, [['file', '/dev/null', 'r'], $out, $out], $pipes, null,
            ['PHP_INI_SCAN_DIR' => "$this->dir/none"] + getenv());
        $this->pid = proc_get_status($this->process)['pid'];
        $end = microtime(true) + 10;
        while (!str_contains($this->log(), 'ready to handle connections')) {
            if (!proc_get_status($this->process)['running'] || microtime(true) > $end) {
                throw new RuntimeException("php-fpm did not start:\n" . file_get_contents("$this->dir/out") . $this->log());
            }
            usleep(2000);
        }
    }

    private function phpIni(): string
    {
        $lines = [...$this->extra, 'extension=' . self::extension(), 'display_errors=1', 'error_reporting=-1'];
        foreach ($this->ini as $name => $value) {
            $lines[] = "$name=\"$value\"";
        }
        return implode("\n", $lines) . "\n";
    }

    private function fpmConf(): string
    {
        // A reload waits this long for requests in flight; without it they would be cut off.
        $conf = "[global]\nerror_log=$this->dir/fpm.log\nprocess_control_timeout=5s\n";
        foreach ($this->pools as $pool => $values) {
            $conf .= "[$pool]\nlisten={$this->socket($pool)}\nlisten.mode=0666\npm=static\n"
                . "pm.max_children=$this->workers\ncatch_workers_output=yes\n";
            if (posix_getuid() === 0) {
                $conf .= "user=www-data\ngroup=www-data\n";
            }
            foreach ($values as $name => $value) {
                $conf .= "php_admin_value[$name]=$value\n";
            }
        }
        return $conf;
    }

    private static function remove(string $path): void
    {
        if (is_dir($path) && !is_link($path)) {
            foreach (array_diff(scandir($path), ['.', '..']) as $name) {
                self::remove("$path/$name");
            }
            rmdir($path);
        } else {
            @unlink($path);
        }
    }
}
