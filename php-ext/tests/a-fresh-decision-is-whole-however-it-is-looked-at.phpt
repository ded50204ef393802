--TEST--
A fresh decision is whole, however it is looked at
--FILE--
<?php
require __DIR__ . '/fresh.inc';
use RateLimit\Decision;
/** Names and values in a text, by a pattern with both. */
function found(string $text, string $pattern): array
{
    preg_match_all($pattern, $text, $found, PREG_SET_ORDER);
    foreach ($found as [, $name, $value]) {
        $value = $value === 'false' ? '' : $value;
        settype($value, TYPES[$name] ?? 'string');
        $values[$name] = $value;
    }
    return $values ?? [];
}
function printed(callable $print): string
{
    ob_start();
    $print();
    return ob_get_clean();
}
$all = [
    'get_object_vars' => get_object_vars(...),
    'get_mangled_object_vars' => get_mangled_object_vars(...),
    'cast' => fn (Decision $d) => (array) $d,
    'settype' => function (Decision $d) { settype($d, 'array'); return $d; },
    'destructuring' => function (Decision $d) {
        ['allowed' => $a, 'limit' => $l, 'remaining' => $r, 'retryAfter' => $y] = (array) $d;
        [4 => $s, 5 => $w, 6 => $g, 7 => $n] = array_values((array) $d);
        return array_combine(array_keys(TYPES), [$a, $l, $r, $y, $s, $w, $g, $n]);
    },
    'foreach' => function (Decision $d) { foreach ($d as $k => $v) { $seen[$k] = $v; } return $seen; },
    'foreach after the collector' => function (Decision $d) {
        $copy = $d;
        unset($copy);
        gc_collect_cycles();
        foreach ($d as $k => $v) { $seen[$k] = $v; }
        return $seen;
    },
    'current, next, key' => function (Decision $d) {
        for ($seen = []; ($k = @key($d)) !== null; @next($d)) { $seen[$k] = @current($d); }
        return $seen;
    },
    'json_encode' => fn (Decision $d) => json_decode(json_encode($d, JSON_PRESERVE_ZERO_FRACTION), true),
    'unserialize' => fn (Decision $d) => get_object_vars(unserialize(serialize($d))),
    'var_export' => fn (Decision $d) => found(var_export($d, true), "/'(\w+)' => '?(.*?)'?,$/m"),
    'print_r' => fn (Decision $d) => found(print_r($d, true), '/\[(\w+)\] => (.*)$/m'),
    'var_dump' => fn (Decision $d) => found(printed(fn () => var_dump($d)), '/\["(\w+)"\]=>\n *\w+\(.*?"?([^"()]*)[")]$/m'),
    'http_build_query' => fn (Decision $d) => found(http_build_query($d), '/(\w+)=([^&]*)/'),
    'clone' => fn (Decision $d) => get_object_vars(clone $d),
    'clone of a clone' => fn (Decision $d) => (array) clone clone $d,
    'reflection' => function (Decision $d) {
        foreach ((new ReflectionObject($d))->getProperties() as $p) { $seen[$p->name] = $p->getValue($d); }
        return $seen;
    },
];
foreach ($all as $how => $look) {
    look($how, $look);
}
// One property first; then the rest.
$one = [
    'by name' => fn (Decision $d, string $name) => match ($name) {
        'allowed' => $d->allowed, 'limit' => $d->limit, 'remaining' => $d->remaining, 'retryAfter' => $d->retryAfter,
        'resetAfter' => $d->resetAfter, 'wait' => $d->wait, 'degraded' => $d->degraded, 'limiter' => $d->limiter,
    },
    'by variable name' => fn (Decision $d, string $name) => $d->$name,
    'nullsafe' => fn (?Decision $d, string $name) => $d?->$name,
    '??' => fn (Decision $d, string $name) => $d->$name ?? 'nothing',
    'in a string' => function (Decision $d, string $name) { $s = "{$d->$name}"; settype($s, TYPES[$name]); return $s; },
    'reflection' => function (Decision $d, string $name) {
        $p = new ReflectionProperty(Decision::class, $name);
        $p->setAccessible(true);
        return $p->getValue($d);
    },
    'isset' => fn (Decision $d, string $name) => isset($d->$name) ? $d->$name : 'not set',
    'empty' => fn (Decision $d, string $name) => empty($d->$name) === !$d->$name ? $d->$name : 'empty is wrong',
    'isInitialized' => fn (Decision $d, string $name) => (new ReflectionProperty($d, $name))->isInitialized($d) ? $d->$name : 'not initialized',
    'array_column' => fn (Decision $d, string $name) => array_column([$d], $name)[0] ?? 'no column',
    'array_map over columns' => fn (Decision $d, string $name) => array_map(fn ($e) => $e->$name, [$d])[0],
];
foreach ($one as $how => $read) {
    foreach (array_keys(TYPES) as $name) {
        look("$how: $name", function (Decision $d) use ($read, $name) {
            $value = $read($d, $name);
            $vars = get_object_vars($d);
            return $vars[$name] === $value ? $vars : [$name => $value];
        });
    }
}
$d = fresh();
var_dump(isset($d->nope), empty($d->nope), $d->nope ?? 'none', array_column([fresh(), fresh()], 'remaining', 'limit'));
echo count($all), ' ways to all, ', count($one), " to one\n";
--EXPECT--
bool(false)
bool(true)
string(4) "none"
array(1) {
  [10]=>
  int(7)
}
17 ways to all, 11 to one
