--TEST--
Fresh decisions of every kind are right
--FILE--
<?php
require __DIR__ . '/helpers.inc';
use RateLimit\{Decision, Limiter, Store};
/** All that a decision says: times to ten seconds, where they do not depend on when the test runs. */
function say(Decision $d): void
{
    $depends = $d->limiter === 'sliding';
    $round = fn (mixed $value) => is_float($value) ? ($depends ? $value > 0 : round($value, -1)) : $value;
    echo json_encode(array_values(array_map($round, get_object_vars($d)))), "\n";
}
$s = Store::memory();
$limiters = [
    Limiter::fixedWindow('fixed', 5, 10_000, $s),
    Limiter::slidingWindow('sliding', 5, 10_000, 1, $s),
    Limiter::leakyBucket('leaky', 5, 1, 10_000, $s),
    Limiter::tokenBucket('token', 5, 1, 10_000, $s),
    Limiter::unlimited('unlimited'),
];
foreach ($limiters as $l) {
    // Made before any is looked at: each tells of its own call.
    $made = [$l->consume('k', 2), $l->consume('k'), $l->consume('k', 0), $l->consume('k', 3), $l->consume('k', 6), $l->consume('k', 2)];
    array_map(say(...), array_reverse($made));
}
// A changed limit tells of itself.
say(Limiter::fixedWindow('fixed', 7, 10_000, $s)->consume('k'));
say(Limiter::fixedWindow('fixed', 3, 10_000, $s)->consume('k'));
// Calls in between do not change what was decided.
$l = $limiters[0];
$d = $l->consume('other', 2);
$l->consume('other', 2);
$l->reset('other');
say($d);
say(Limiter::consumeAll([[$l, 'all', 2], [$limiters[3], 'all', 1]]));
--EXPECT--
[true,5,0,0,10000,0,false,"fixed"]
[false,5,2,null,10000,0,false,"fixed"]
[false,5,2,10000,10000,0,false,"fixed"]
[true,5,2,0,10000,0,false,"fixed"]
[true,5,2,0,10000,0,false,"fixed"]
[true,5,3,0,10000,0,false,"fixed"]
[true,5,0,false,true,false,false,"sliding"]
[false,5,2,null,true,false,false,"sliding"]
[false,5,2,true,true,false,false,"sliding"]
[true,5,2,false,true,false,false,"sliding"]
[true,5,2,false,true,false,false,"sliding"]
[true,5,3,false,true,false,false,"sliding"]
[true,5,0,0,50000,30000,false,"leaky"]
[false,5,2,null,30000,0,false,"leaky"]
[false,5,2,10000,30000,0,false,"leaky"]
[true,5,2,0,30000,0,false,"leaky"]
[true,5,2,0,30000,20000,false,"leaky"]
[true,5,3,0,20000,0,false,"leaky"]
[true,5,0,0,50000,0,false,"token"]
[false,5,2,null,30000,0,false,"token"]
[false,5,2,10000,30000,0,false,"token"]
[true,5,2,0,30000,0,false,"token"]
[true,5,2,0,30000,0,false,"token"]
[true,5,3,0,20000,0,false,"token"]
[true,9223372036854775807,9223372036854775807,0,0,0,false,"unlimited"]
[true,9223372036854775807,9223372036854775807,0,0,0,false,"unlimited"]
[true,9223372036854775807,9223372036854775807,0,0,0,false,"unlimited"]
[true,9223372036854775807,9223372036854775807,0,0,0,false,"unlimited"]
[true,9223372036854775807,9223372036854775807,0,0,0,false,"unlimited"]
[true,9223372036854775807,9223372036854775807,0,0,0,false,"unlimited"]
[true,7,1,0,10000,0,false,"fixed"]
[false,3,0,10000,10000,0,false,"fixed"]
[true,5,3,0,10000,0,false,"fixed"]
[true,5,3,0,10000,0,false,"fixed"]
