--TEST--
A fresh decision may be there at the end
--FILE--
<?php
require __DIR__ . '/fresh.inc';
class Keeper
{
    public static mixed $static;
    public array $cycle = [];

    public function __construct(private string $name, public $decision)
    {
    }

    public function __destruct()
    {
        echo $this->name, ': ', wrong(get_object_vars($this->decision)) ?? 'right', "\n";
    }
}
function keep(): void
{
    static $kept;
    $kept = [fresh(), new Keeper('static variable', fresh())];
}
keep();
Keeper::$static = [fresh(), new Keeper('static property', fresh())];
define('KEPT', fresh());
$global = fresh();
$keeper = new Keeper('global', fresh());
$cycle = new Keeper('cycle', fresh());
$cycle->cycle[] = $cycle;
unset($cycle);
register_shutdown_function(function () use ($global) {
    echo 'shutdown: ', wrong(get_object_vars($global)) ?? 'right', "\n";
    $GLOBALS['late'] = fresh();
});
ob_start(function (string $text) {
    static $last;
    $last ??= fresh();
    return $text . 'output: ' . (wrong(get_object_vars($last)) ?? 'right') . "\n";
});
$leaked = fresh();
$leaked = [&$leaked, fresh()];
echo "end\n";
--EXPECT--
end
shutdown: right
global: right
static variable: right
static property: right
cycle: right
output: right
