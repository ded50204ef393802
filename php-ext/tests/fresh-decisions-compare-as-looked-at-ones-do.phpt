--TEST--
Fresh decisions compare as looked-at ones do
--FILE--
<?php
require __DIR__ . '/fresh.inc';
use RateLimit\{Decision, Limiter, Store};
/** What remains decides: it comes before the times, which are not quite the same for any two. */
function decision(int $cost, bool $look): Decision
{
    $d = Limiter::fixedWindow('w', 9, 1000, Store::memory())->consume('k', $cost);
    return $look ? looked($d) : $d;
}
function looked(Decision $d): Decision
{
    $d->remaining;
    return $d;
}
foreach ([[false, false], [false, true], [true, false], [true, true]] as [$one, $other]) {
    $less = fn () => decision(5, $one);
    $more = fn () => decision(2, $other);
    echo json_encode([
        $less() <=> $more(), $more() <=> $less(), $less() < $more(), $less() >= $more(), $more() > $less(), $less() == $more(), $less() != $more(),
        min($less(), $more())->remaining, max($less(), $more())->remaining, in_array($less(), [$more()]),
    ]), "\n";
    // Equal in all: copies of one.
    $d = fresh();
    $a = $one ? looked($d) : $d;
    $b = clone $a;
    $stored = unserialize(serialize(clone $d));
    echo json_encode([$a == $b, $b == $a, $a <=> $b, $a != $b, $a === $b, $a == $stored, $stored == $a, array_search($a, [$less(), $b])]), "\n";
}
// With itself, and with what is no decision.
$d = fresh($limiter);
var_dump($d == $d, $d <=> $d, $d === $d, $limiter->get() !== null);
foreach ([fresh(), looked(fresh())] as $d) {
    var_dump($d == new stdClass, $d == null, $d == true, $d == false, @($d == 1), $d == 'w', $d == []);
}
--EXPECT--
[-1,1,true,false,true,false,true,4,7,false]
[true,true,0,false,false,true,true,1]
[-1,1,true,false,true,false,true,4,7,false]
[true,true,0,false,false,true,true,1]
[-1,1,true,false,true,false,true,4,7,false]
[true,true,0,false,false,true,true,1]
[-1,1,true,false,true,false,true,4,7,false]
[true,true,0,false,false,true,true,1]
bool(true)
int(0)
bool(true)
bool(true)
bool(false)
bool(false)
bool(true)
bool(false)
bool(true)
bool(false)
bool(false)
bool(false)
bool(false)
bool(true)
bool(false)
bool(true)
bool(false)
bool(false)
