<?php
declare(strict_types=1);

/** Requests that keep coming, some at a time, while the test does something to the server. */
final class Load
{
    /**
     * @param callable(int): array $query the query of the n-th request
     * @param callable(float, array<Response>): void $meanwhile called often, with the seconds passed and the responses so far
     * @return list<Response>
     */
    public static function run(Fpm $fpm, string $script, int $atOnce, float $seconds, callable $query, callable $meanwhile): array
    {
        $client = new FastCgi();
        $responses = [];
        $since = microtime(true);
        for ($sent = 0; ($passed = microtime(true) - $since) < $seconds || $client->inFlight() > 0;) {
            $meanwhile($passed, $responses);
            while ($passed < $seconds && $client->inFlight() < $atOnce) {
                $client->send($fpm->socket(), "$fpm->dir/www/$script", $query($sent), $sent);
                $sent++;
            }
            $response = $client->next(0.005);
            if ($response !== null) {
                $responses[] = $response;
            }
            if ($passed > $seconds + 10) {
                throw new RuntimeException("{$client->inFlight()} requests hang");
            }
        }
        return $responses;
    }

    /** @param list<Response> $responses */
    public static function slowest(array $responses): float
    {
        return max(array_map(fn (Response $r) => $r->seconds, $responses));
    }
}
