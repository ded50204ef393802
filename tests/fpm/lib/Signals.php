<?php
declare(strict_types=1);

/** So that an interrupted script still runs its shutdown functions, and with them stops its servers. */
function exit_on_signals(): void
{
    pcntl_async_signals(true);
    foreach ([SIGINT, SIGTERM, SIGHUP] as $signal) {
        pcntl_signal($signal, fn () => exit(128 + $signal));
    }
}
