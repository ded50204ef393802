<?php
// Decisions read in hot loops, each for the first time; prints what does not depend on the time.
declare(strict_types=1);

use RateLimit\{Decision, Limiter, Store};

const CALLS = 10_000;

/** One property of each decision, and then all of them. */
function reads(Limiter $limiter): array
{
    $said = ['remaining' => 0, 'limit' => 0, 'wait' => 0.0, 'allowed' => 0, 'limiter' => '', 'null' => 0, 'set' => 0, 'sane' => 0, 'headers' => 0];
    for ($i = 0; $i < CALLS; $i++) {
        $key = 'key-' . $i % 10;
        $said['remaining'] += $limiter->consume($key)->remaining;
        $said['limit'] += $limiter->consume($key)->limit;
        $said['allowed'] += (int) $limiter->consume($key)->allowed;
        $said['limiter'] = $limiter->consume($key)->limiter;
        $said['null'] += (int) ($limiter->consume($key)->retryAfter === null);
        $decision = $limiter->consume($key);
        $said['set'] += (int) isset($decision->resetAfter) + (int) !isset($decision->nope);
        $decision = $limiter->consume($key);
        $said['wait'] += $decision->wait;
        $said['sane'] += sane($decision);
        $said['headers'] += count($limiter->consume($key)->headers());
    }
    return $said;
}

/** A function of its own, so that a JIT knows the class but not the object. */
function sane(Decision $d): int
{
    return (int) ($d->resetAfter > 999_990.0 && $d->resetAfter <= 1_000_000.0 && !$d->degraded && $d->allowed && $d->remaining < $d->limit);
}

/** Changes refused, as often. */
function writes(Limiter $limiter): int
{
    $refused = 0;
    for ($i = 0; $i < CALLS; $i++) {
        $decision = $limiter->consume('written');
        try {
            $i % 2 ? $decision->remaining++ : $decision->limit = 5;
        } catch (Error) {
            $refused += $decision->limit === 10_000_000 && $decision->remaining === 9_999_999 - $i ? 1 : 0;
        }
    }
    return $refused;
}

$limiter = Limiter::fixedWindow('looks', 10_000_000, 1_000_000.0, Store::memory());
echo json_encode([reads($limiter), writes($limiter)]);
