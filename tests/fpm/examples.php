<?php
// The pages among the examples, served: they let the limit through, then answer 429 with what a client needs to know.
declare(strict_types=1);

require __DIR__ . '/lib/Tap.php';

function page(Tap $tap, Fpm $fpm, string $script, int $capacity): void
{
    $client = new FastCgi();
    $responses = [];
    // More than the bucket refills meanwhile.
    for ($i = 0; $i < 20; $i++) {
        $batch = $client->all($fpm->socket(), "$fpm->dir/www/$script", array_fill(0, intdiv($capacity, 8), []));
        array_push($responses, ...$batch);
    }
    $statuses = array_count_values(array_map(fn (Response $r) => $r->status(), $responses));
    $tap->ok(($statuses[200] ?? 0) >= $capacity && ($statuses[429] ?? 0) > 0 && count($statuses) === 2,
        "$script: the burst, then 429", json_encode($statuses));
    $bodies = array_unique(array_map(fn (Response $r) => $r->error ?? preg_match('/Warning|Notice|Fatal|Deprecated/', $r->body), $responses));
    $tap->same([0], array_values($bodies), "$script: no error in any answer");
    $last = array_filter($responses, fn (Response $r) => $r->status() === 429);
    $refused = end($last);
    $tap->ok((int) $refused->header('Retry-After') >= 1, "$script: Retry-After", $refused->headers);
    $tap->ok(str_contains((string) $refused->header('RateLimit'), ';r=0;t='), "$script: RateLimit header", $refused->headers);
}

Tap::run('examples', function (Tap $tap): void {
    $fpm = new Fpm(workers: 2, scripts: __DIR__ . '/../../examples/php');
    page($tap, $fpm, 'hello.php', 1000);
    page($tap, $fpm, 'front_controller.php', 20);
});
