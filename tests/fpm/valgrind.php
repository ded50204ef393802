<?php
// valgrind finds nothing in a script that touches every method.
declare(strict_types=1);

require __DIR__ . '/lib/Tap.php';
require __DIR__ . '/lib/Cli.php';

const VALGRIND = ['valgrind', '--quiet', '--error-exitcode=99', '--leak-check=full',
    '--show-leak-kinds=definite', '--errors-for-leak-kinds=definite'];
// PHP's pools would hide what is leaked, and unloaded modules have no symbols.
const ENV = ['USE_ZEND_ALLOC' => '0', 'ZEND_DONT_UNLOAD_MODULES' => '1'];

Tap::run('valgrind', function (Tap $tap): void {
    // PCRE's JIT reads past the ends of strings, by design.
    [$status, $out] = Cli::run(__DIR__ . '/www/surface.php', ['pcre.jit=0'], VALGRIND, ENV);
    $tap->ok($status === 0 && preg_match('/^[0-9a-f]{64}$/', $out) === 1, 'surface.php under valgrind', "exit $status\n$out");
});
