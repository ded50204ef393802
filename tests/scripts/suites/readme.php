<?php
// Runs each ```php block of a Markdown file, and looks up each setting and make target that it names.
declare(strict_types=1);

require __DIR__ . '/../../fpm/lib/Tap.php';
require __DIR__ . '/../../fpm/lib/Cli.php';

/** Runs a block as a script; a block may leave out the opening tag. */
function run_php(string $code): array
{
    $file = tempnam(sys_get_temp_dir(), 'readme');
    // What a web server would have set.
    $server = '<?php $_SERVER["REMOTE_ADDR"] = "192.0.2.1";';
    file_put_contents("$file.server", $server);
    file_put_contents($file, str_starts_with($code, '<?php') ? $code : "<?php\n$code");
    $result = Cli::run($file, ["auto_prepend_file=$file.server", 'error_reporting=-1']);
    unlink($file);
    unlink("$file.server");
    return $result;
}

Tap::run('readme', function (Tap $tap) use ($argv): void {
    $text = file_get_contents($argv[1]);
    preg_match_all('/^```(\w+)\n(.*?)^```$/ms', $text, $blocks, PREG_SET_ORDER | PREG_OFFSET_CAPTURE);
    foreach ($blocks as [, [$language], [$code, $offset]]) {
        $where = $argv[1] . ' line ' . (substr_count($text, "\n", 0, $offset) + 1);
        if ($language === 'php') {
            [$status, $out] = run_php($code);
            $tap->ok($status === 0 && !preg_match('/^(Warning|Notice|Deprecated|Fatal|Parse)/m', $out), "$where: PHP runs", $out);
        } elseif ($language === 'ini') {
            preg_match_all('/^;?\s*(ratelimit\.\w+)/m', $code, $names);
            foreach ($names[1] as $name) {
                $tap->same('string', run_setting($name), "$where: $name is a setting");
            }
        } elseif (in_array($language, ['sh', 'console', 'shell', 'bash'], true)) {
            preg_match_all('/^(?:\$ )?(?:sudo )?make ([a-z]+)/m', $code, $targets);
            foreach ($targets[1] as $target) {
                exec('make -n ' . escapeshellarg($target) . ' 2>&1', $lines, $status);
                $tap->same(0, $status, "$where: make $target is a target");
            }
        }
    }
});

/** The type that ini_get() has for a setting: a string when there is one. */
function run_setting(string $name): string
{
    return run_php('echo gettype(ini_get(' . var_export($name, true) . '));')[1];
}
