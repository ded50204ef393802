<?php
declare(strict_types=1);

/** What a request came to: its body, or why there is none. */
final class Response
{
    public function __construct(
        public readonly int|string $tag,
        public readonly string $body,
        public readonly ?string $error,
        public readonly float $seconds,
        public readonly string $headers = '',
    ) {
    }

    public function status(): int
    {
        return preg_match('/^Status: (\d+)/m', $this->headers, $match) ? (int) $match[1] : 200;
    }

    public function header(string $name): ?string
    {
        return preg_match("/^$name: *(.*?)\r?$/mi", $this->headers, $match) ? $match[1] : null;
    }

    public function json(): array
    {
        return json_decode($this->body, true) ?? throw new RuntimeException("not JSON: $this->error $this->body");
    }
}

/** A FastCGI client that keeps many requests in flight, each on a connection of its own. */
final class FastCgi
{
    private const TYPE_BEGIN = 1, TYPE_END = 3, TYPE_PARAMS = 4, TYPE_STDIN = 5, TYPE_STDOUT = 6;

    /** @var array<int, array{tag: int|string, stream: resource, since: float, data: string}> */
    private array $flying = [];

    /** Sends a request; `next()` brings its response. */
    public function send(string $socket, string $script, array $query = [], int|string $tag = ''): void
    {
        $since = microtime(true);
        $stream = @stream_socket_client("unix://$socket", $code, $why, 10.0);
        if ($stream === false) {
            throw new RuntimeException("connect $socket: $why");
        }
        // Whoever took the connection may be dead by now: then the response says so.
        @fwrite($stream, self::request($script, http_build_query($query)));
        stream_set_blocking($stream, false);
        $this->flying[(int) $stream] = ['tag' => $tag, 'stream' => $stream, 'since' => $since, 'data' => ''];
    }

    public function inFlight(): int
    {
        return count($this->flying);
    }

    /** The next response to arrive, or null when none does in time. */
    public function next(float $timeout = 10.0): ?Response
    {
        $end = microtime(true) + $timeout;
        while ($this->flying && ($left = $end - microtime(true)) > 0) {
            $read = array_column($this->flying, 'stream');
            $write = $except = null;
            if (!@stream_select($read, $write, $except, (int) $left, (int) (fmod($left, 1) * 1e6))) {
                continue;
            }
            foreach ($read as $stream) {
                $one = &$this->flying[(int) $stream];
                $one['data'] .= $chunk = (string) fread($stream, 65536);
                if ($chunk === '' && feof($stream)) {
                    unset($this->flying[(int) $stream]);
                    fclose($stream);
                    return self::response($one['tag'], $one['data'], microtime(true) - $one['since']);
                }
                unset($one);
            }
        }
        return null;
    }

    /**
     * Sends all at once and waits for all.
     * @param array<int|string, array> $queries tag => query
     * @return array<int|string, Response>
     */
    public function all(string $socket, string $script, array $queries): array
    {
        foreach ($queries as $tag => $query) {
            $this->send($socket, $script, $query, $tag);
        }
        $got = [];
        while ($this->flying) {
            $response = $this->next() ?? throw new RuntimeException("$script: no answer in 10 s");
            $got[$response->tag] = $response;
        }
        return $got;
    }

    public function get(string $socket, string $script, array $query = []): Response
    {
        return $this->all($socket, $script, [$query])[0];
    }

    private static function record(int $type, string $content): string
    {
        return pack('CCnnCC', 1, $type, 1, strlen($content), 0, 0) . $content;
    }

    private static function request(string $script, string $query): string
    {
        $params = '';
        $vars = ['SCRIPT_FILENAME' => $script, 'REQUEST_METHOD' => 'GET', 'QUERY_STRING' => $query,
            'REMOTE_ADDR' => '192.0.2.1'];
        foreach ($vars as $name => $value) {
            $params .= pack('NN', strlen($name) | 1 << 31, strlen($value) | 1 << 31) . $name . $value;
        }
        // Role 1, responder; flags 0, so that the end of the response is the end of the connection.
        return self::record(self::TYPE_BEGIN, pack('nCx5', 1, 0))
            . self::record(self::TYPE_PARAMS, $params) . self::record(self::TYPE_PARAMS, '')
            . self::record(self::TYPE_STDIN, '');
    }

    private static function response(int|string $tag, string $data, float $seconds): Response
    {
        $out = '';
        $ended = false;
        for ($at = 0; $at + 8 <= strlen($data); $at += 8 + $head['length'] + $head['padding']) {
            $head = unpack('Cversion/Ctype/nid/nlength/Cpadding', $data, $at);
            if ($head['type'] === self::TYPE_STDOUT) {
                $out .= substr($data, $at + 8, $head['length']);
            }
            $ended = $ended || $head['type'] === self::TYPE_END;
        }
        [$headers, $body] = explode("\r\n\r\n", $out, 2) + ['', ''];
        $error = match (true) {
            !$ended => 'connection closed before the response ended',
            (bool) preg_match('/^Status: 5/m', $headers) => strtok($headers, "\r\n"),
            // With errors displayed, as here, PHP calls even this a success.
            (bool) preg_match('/(Fatal|Parse) error/', $body) => trim(strip_tags($body)),
            default => null,
        };
        return new Response($tag, $body, $error, $seconds, $headers);
    }
}
