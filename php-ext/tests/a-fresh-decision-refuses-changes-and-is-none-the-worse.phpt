--TEST--
A fresh decision refuses changes and is none the worse
--FILE--
<?php
require __DIR__ . '/fresh.inc';
require __DIR__ . '/helpers.inc';
use RateLimit\Decision;
function refer(&$place): void {}
$changes = [
    '=' => function (Decision $d, string $name) { $d->$name = 5; },
    '= to what it is' => function (Decision $d, string $name) { $d->$name = $d->$name; },
    '+=' => function (Decision $d, string $name) { $d->$name .= 1; },
    '++' => function (Decision $d, string $name) { $d->$name++; },
    '--' => function (Decision $d, string $name) { --$d->$name; },
    '??=' => function (Decision $d, string $name) { $d->$name ??= 5; throw new Error('was set'); },
    '=&' => function (Decision $d, string $name) { $r = 5; $d->$name = &$r; },
    '&' => function (Decision $d, string $name) { $r = &$d->$name; },
    'by reference' => function (Decision $d, string $name) { refer($d->$name); },
    '[]' => function (Decision $d, string $name) { $d->$name[] = 5; },
    'unset' => function (Decision $d, string $name) { unset($d->$name); },
    'unset of a part' => function (Decision $d, string $name) { unset($d->$name['x']); },
    'list' => function (Decision $d, string $name) { [$d->$name] = [5]; },
    'foreach' => function (Decision $d, string $name) { foreach ([5] as $d->$name); },
    'foreach by reference' => function (Decision $d, string $name) { foreach ($d as &$value) { $value = 5; } },
    'reflection' => function (Decision $d, string $name) { (new ReflectionProperty($d, $name))->setValue($d, 5); },
];
foreach ($changes as $how => $change) {
    foreach (array_keys(TYPES) as $name) {
        look("$how: $name", function (Decision $d) use ($change, $name, &$said) {
            try {
                $change($d, $name);
                $said["no error ($name)"] = true;
            } catch (Error $e) {
                $said[preg_replace('/::\$\w+/', '', $e->getMessage())] = true;
            }
            return get_object_vars($d);
        });
    }
    echo "$how: ", implode(' | ', array_keys($said)), "\n";
    $said = [];
}
look('a property that is not there', function (Decision $d) {
    attempt(function () use ($d) { $d->nope = 5; });
    attempt(function () use ($d) { $r = &$d->nope; });
    attempt(function () use ($d) { unset($d->nope); });
    attempt(fn () => @$d->nope);
    attempt(fn () => new ArrayObject($d));
    attempt(fn () => @Closure::bind(function () { $this->limit = 5; }, $d, Decision::class));
    return get_object_vars($d);
});
$d = fresh();
$copy = clone $d;
attempt(function () use ($copy) { $copy->remaining = 5; });
var_dump($copy == $d, wrong(get_object_vars($d)));
--EXPECT--
=: Cannot modify readonly property RateLimit\Decision
= to what it is: Cannot modify readonly property RateLimit\Decision
+=: Cannot modify readonly property RateLimit\Decision
++: Cannot modify readonly property RateLimit\Decision
--: Cannot modify readonly property RateLimit\Decision
??=: was set
=&: Cannot modify readonly property RateLimit\Decision
&: Cannot modify readonly property RateLimit\Decision
by reference: Cannot modify readonly property RateLimit\Decision
[]: Cannot modify readonly property RateLimit\Decision
unset: Cannot unset readonly property RateLimit\Decision
unset of a part: Cannot modify readonly property RateLimit\Decision
list: Cannot modify readonly property RateLimit\Decision
foreach: Cannot modify readonly property RateLimit\Decision
foreach by reference: Cannot acquire reference to readonly property RateLimit\Decision
reflection: Cannot modify readonly property RateLimit\Decision
Error: Cannot create dynamic property RateLimit\Decision::$nope
Error: Cannot create dynamic property RateLimit\Decision::$nope
null
null
InvalidArgumentException: Overloaded object of type RateLimit\Decision is not compatible with ArrayObject
null
Error: Cannot modify readonly property RateLimit\Decision::$remaining
bool(true)
NULL
