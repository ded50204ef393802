<?php
declare(strict_types=1);

/** A clock that stands still unless told otherwise, so that two runs can be compared to the byte. */
final class TestClock
{
    public int $micros = 1_000_000_000_000_000;

    public function now(): DateTimeInterface
    {
        return DateTimeImmutable::createFromFormat('U u', sprintf('%d %06d', intdiv($this->micros, 1000000), $this->micros % 1000000));
    }

    public function sleep(float $seconds): void
    {
        $this->micros += (int) ceil($seconds * 1e6);
    }
}
