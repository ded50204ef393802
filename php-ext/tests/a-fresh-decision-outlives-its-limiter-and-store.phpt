--TEST--
A fresh decision outlives its limiter and store
--FILE--
<?php
require __DIR__ . '/fresh.inc';
use RateLimit\{Decision, Limiter, Store};
function right(Decision $d): string
{
    return wrong(get_object_vars($d)) ?? 'right';
}
// It holds the limiter until somebody looks, or nobody ever can.
$d = fresh($limiter);
$at_first = $limiter->get() !== null;
$seen = $d->allowed;
$asked = $limiter->get() !== null;
$said = right($d);
var_dump($at_first, $seen, $asked, $said, $limiter->get());
$d = fresh($limiter);
$d = null;
var_dump($limiter->get());
$many = [fresh($one), fresh($two)];
$l = $one->get();
$more = [$l->consume('k'), $l->consume('other')];
unset($l);
$many[0]->limit;
var_dump($one->get() !== null);
$more[1]->limit;
unset($more[0]);
var_dump($one->get(), $two->get() !== null);
unset($many, $more);
var_dump($two->get());
// In weak maps, object stores and fibers, through generators, and with exceptions thrown between.
$map = new WeakMap;
$set = new SplObjectStorage;
$d = fresh($limiter);
$map[$d] = $set[$d] = 'here';
$weak = WeakReference::create($d);
var_dump($limiter->get() !== null, $map[$d], $set[$d], right($weak->get()));
unset($set[$d], $d);
var_dump(count($map), $weak->get());
function yielding(): Generator
{
    $d = fresh();
    yield $d;
    yield right($d);
}
foreach (yielding() as $d) {
    echo is_string($d) ? $d : 'yielded', "\n";
}
$fiber = new Fiber(function () {
    $d = fresh();
    $other = Fiber::suspend($d);
    echo right($d), ' ', right($other), "\n";
    return fresh();
});
$started = $fiber->start();
$fiber->resume(fresh());
echo right($started), ' ', right($fiber->getReturn()), "\n";
class Refused extends Exception
{
    public function __construct(public readonly Decision $decision)
    {
        parent::__construct();
    }
}
try {
    $d = fresh();
    try {
        throw new Refused($d);
    } finally {
        unset($d);
    }
} catch (Refused $e) {
    echo right($e->decision), "\n";
}
try {
    (function (Decision $d) { throw new Exception; })(fresh($limiter));
} catch (Exception $e) {
    unset($e);
}
var_dump($limiter->get());
// Cycles through who keeps it.
$keeper = new stdClass;
$keeper->self = $keeper;
$keeper->decision = fresh($limiter);
unset($keeper);
$before = $limiter->get() !== null;
gc_collect_cycles();
var_dump($before, $limiter->get());
--EXPECT--
bool(true)
bool(true)
bool(false)
string(5) "right"
NULL
NULL
bool(true)
NULL
bool(true)
NULL
bool(true)
string(4) "here"
string(4) "here"
string(5) "right"
int(0)
NULL
yielded
right
right right
right right
right
NULL
bool(true)
NULL
