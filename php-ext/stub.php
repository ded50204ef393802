<?php
/**
 * Prints ratelimit.stub.php: the classes as Reflection sees them, with the texts below for IDEs.
 *
 *     php -d extension=ratelimit stub.php > ratelimit.stub.php
 */
declare(strict_types=1);

const DOCS = [
    'StoreException' => 'Thrown when a store has failed and the limiter is to fail then (OnError::Fail), and by reset() whatever the policy.',
    'OnError' => 'What a limiter does when its store fails.',
    'OnError::Fallback' => 'The same limiter on a local store; its decisions are marked as degraded. The default.',
    'OnError::Allow' => 'Every call is allowed whose cost is within the limit.',
    'OnError::Deny' => 'Every call is refused whose cost is above 0.',
    'OnError::Fail' => 'StoreException.',
    'Decision' => 'The answer to one call. Times are seconds; (int) ($time * 1e6) is the exact number of microseconds. They are exact for a moment from the call on, at most 20 ms later.',
    'Decision::$allowed' => 'Whether the call was admitted.',
    'Decision::$limit' => 'The limit or capacity, in units; PHP_INT_MAX when unlimited.',
    'Decision::$remaining' => 'The largest cost that would be allowed right now, after this call.',
    'Decision::$retryAfter' => 'When refused: seconds until the same call would be allowed if nobody else came; null for never, as the cost exceeds the limit. 0.0 when allowed.',
    'Decision::$resetAfter' => 'Seconds until the key is like one never seen.',
    'Decision::$wait' => 'Seconds to wait before acting: of a reservation, or until the water ahead in a leaky bucket has run out.',
    'Decision::$degraded' => 'Whether the store failed and this came from the limiter\'s onError.',
    'Decision::$limiter' => 'The name of the limiter that decided.',
    'Decision::headers' => <<<'DOC'
        HTTP header fields for the response: RateLimit-Policy, RateLimit, X-RateLimit-Limit,
        X-RateLimit-Remaining, X-RateLimit-Reset, and Retry-After when refused but not for ever.
        Empty when unlimited. Of a decision that was unserialized, RateLimit-Policy has no w, and
        X-RateLimit-Reset counts from now.

        @return array<string, string> name => value
        DOC,
    'Store' => 'Where limiters count.',
    'Store::shared' => <<<'DOC'
        The memory that all processes of this PHP share; php.ini says how much, in ratelimit.shm_size.

        @param object|null $clock for tests: an object with now(): DateTimeInterface, and sleep(float $seconds) if acquire() is to wait
        DOC,
    'Store::memory' => <<<'DOC'
        Memory of this process, gone with the last limiter on it.

        @param int $maxKeys how many keys it holds before those closest to fresh give way; 1 or more
        @param object|null $clock for tests: an object with now(): DateTimeInterface, and sleep(float $seconds) if acquire() is to wait
        DOC,
    'Store::redis' => <<<'DOC'
        A Redis server. This build has none.

        @throws StoreException always
        DOC,
    'Limiter' => 'One algorithm with its parameters, a name, a store, and what to do when the store fails.',
    'Limiter::fixedWindow' => <<<'DOC'
        At most $limit units in each window, which opens at a key's first charge and ends $window later.

        @param string $name 1 to 64 of A-Z a-z 0-9 _ . -; limiters of different names share no state
        @param int $limit units, 1 to 4294967295
        @param float $window seconds, 0.000001 to 31622400 (366 days), rounded up to a microsecond
        @param Store|null $store null: Store::shared()
        DOC,
    'Limiter::slidingWindow' => <<<'DOC'
        At most $limit units in any $window, kept as counts of equal segments of it. A charge weighs for
        $window to $window + $window / $segments.

        @param string $name 1 to 64 of A-Z a-z 0-9 _ . -; limiters of different names share no state
        @param int $limit units, 1 to 4294967295
        @param float $window seconds, 0.000001 to 31622400 (366 days), rounded up to a microsecond
        @param int $segments 1 to 60
        @param Store|null $store null: Store::shared()
        DOC,
    'Limiter::leakyBucket' => <<<'DOC'
        Room for $capacity units, drained at $leak every $per. A caller who sleeps for a decision's wait works
        at a constant rate.

        @param string $name 1 to 64 of A-Z a-z 0-9 _ . -; limiters of different names share no state
        @param int $capacity units, 1 to 4294967295
        @param int $leak units per $per, 1 to 4294967295; at most 1000000000 per second, and a whole bucket in at most 1461 days
        @param float $per seconds, 0.000001 to 31622400 (366 days), rounded up to a microsecond
        @param Store|null $store null: Store::shared()
        DOC,
    'Limiter::tokenBucket' => <<<'DOC'
        $capacity units at once, refilled continuously at $refill every $per.

        @param string $name 1 to 64 of A-Z a-z 0-9 _ . -; limiters of different names share no state
        @param int $capacity units, 1 to 4294967295
        @param int $refill units per $per, 1 to 4294967295; at most 1000000000 per second, and a whole bucket in at most 1461 days
        @param float $per seconds, 0.000001 to 31622400 (366 days), rounded up to a microsecond
        @param Store|null $store null: Store::shared()
        DOC,
    'Limiter::unlimited' => 'No limit: every call is allowed and touches no store.',
    'Limiter::allow' => <<<'DOC'
        Charges $cost if it fits. The fastest call.

        @param string $key any bytes, at most 65536
        @param int $cost units, 0 or more
        @return bool whether it fitted
        DOC,
    'Limiter::consume' => <<<'DOC'
        Charges $cost if it fits, and says more.

        @param string $key any bytes, at most 65536
        @param int $cost units, 0 or more
        DOC,
    'Limiter::peek' => <<<'DOC'
        What consume() would answer, without a charge.

        @param string $key any bytes, at most 65536
        @param int $cost units, 0 or more
        DOC,
    'Limiter::reserve' => <<<'DOC'
        Charges now what fits within $maxWait; the decision's wait says how long to wait before acting. Buckets only.

        @param string $key any bytes, at most 65536
        @param int $cost units, 0 or more
        @param float $maxWait seconds, 0 to 31622400 (366 days), rounded down to a microsecond
        DOC,
    'Limiter::acquire' => <<<'DOC'
        Gets $cost by sleeping for at most $timeout. Answers at once when it would not be granted in time.

        @param string $key any bytes, at most 65536
        @param int $cost units, 0 or more
        @param float $timeout seconds, 0 to 31622400 (366 days), rounded down to a microsecond
        DOC,
    'Limiter::refund' => <<<'DOC'
        Gives $cost back, never beyond a fresh key.

        @param string $key any bytes, at most 65536
        @param int $cost units, 0 or more
        DOC,
    'Limiter::reset' => <<<'DOC'
        Forgets the key.

        @param string $key any bytes, at most 65536
        DOC,
    'Limiter::consumeAll' => <<<'DOC'
        Charges all or nothing, in the array's order whatever its keys; a pair of limiter and key that comes twice adds up.

        @param array<array{0: Limiter, 1: string, 2?: int}> $charges limiter, key, and cost (1 if left out); all on one store
        @return Decision when allowed: of the limiter with the least remaining; when refused: with the longest retryAfter
        DOC,
    'BucketLimit' => 'A leaky bucket per API, for applications that carry such a class as a file of their own. Subclasses may override the properties and bucket().',
    'BucketLimit::$capacity' => '@var int units that the bucket holds, 1 to 4294967295',
    'BucketLimit::$addNum' => '@var int units that bucket(null) adds',
    'BucketLimit::$rate' => '@var int|float units that run out per second; fractions are fine',
    'BucketLimit::$water_key' => '@var string which bucket, together with $api',
    'BucketLimit::__construct' => <<<'DOC'
        Null leaves a property as the class has it.

        @param int|null $capacity units that the bucket holds, 1 to 4294967295
        @param float|null $rate units that run out per second, from 1 in 366 days to 1000000000
        @param string|null $key the property $water_key
        @param Store|null $store null: Store::shared()
        DOC,
    'BucketLimit::bucket' => <<<'DOC'
        Adds water if there is room for it.

        @param int|null $addNum units, 0 or more; null: the property $addNum
        @param string $api which bucket, together with the property $water_key
        @return bool whether there was room
        DOC,
    'CurrentLimiting' => 'A fixed window per API and client address, for applications that carry such a class as a file of their own.',
    'CurrentLimiting::__construct' => <<<'DOC'
        @param string $api
        @param string $ip
        @param int $limit requests per window, 1 to 4294967295
        @param int|float $minutes how long a window is, above 0 and at most 527040 (366 days)
        @param Store|null $store null: Store::shared()
        DOC,
    'CurrentLimiting::CurrentLimit' => <<<'DOC'
        Counts the request if it may pass.

        @return bool whether it may pass
        DOC,
    'CurrentLimiting::attempts' => <<<'DOC'
        How many requests the open window has let pass.

        @return int
        DOC,
];

function literal(mixed $value): string
{
    return match (true) {
        $value === null => 'null',
        $value instanceof UnitEnum => (new ReflectionClass($value))->getShortName() . '::' . $value->name,
        is_float($value) => json_encode($value, JSON_PRESERVE_ZERO_FRACTION),
        default => var_export($value, true),
    };
}

function type(?ReflectionType $type): string
{
    // The namespace of the stub is that of the classes.
    return $type === null ? '' : str_replace('RateLimit\\', '', (string) $type) . ' ';
}

function parameter(ReflectionParameter $parameter): string
{
    $default = $parameter->isDefaultValueAvailable() ? ' = ' . literal($parameter->getDefaultValue()) : '';
    return type($parameter->getType()) . '$' . $parameter->getName() . $default;
}

function doc(string $of, string $indent = ''): string
{
    $text = DOCS[$of] ?? null;
    if ($text === null) {
        return '';
    }
    $lines = array_map(fn (string $line) => rtrim("$indent * $line"), explode("\n", $text));
    return count($lines) === 1 ? "$indent/** $text */\n" : "$indent/**\n" . implode("\n", $lines) . "\n$indent */\n";
}

function method(ReflectionMethod $method): string
{
    $class = $method->getDeclaringClass()->getShortName();
    $modifiers = implode(' ', Reflection::getModifierNames($method->getModifiers()));
    $parameters = implode(', ', array_map(parameter(...), $method->getParameters()));
    $returns = rtrim(type($method->getReturnType()));
    return doc("$class::{$method->name}", '    ')
        . "    $modifiers function {$method->name}($parameters)" . ($returns === '' ? '' : ": $returns") . " {}\n";
}

function property(ReflectionProperty $property): string
{
    $class = $property->getDeclaringClass()->getShortName();
    // What else there is to say, the class says: that it is readonly.
    $visible = $property->getModifiers() & (ReflectionProperty::IS_PUBLIC | ReflectionProperty::IS_PROTECTED);
    $default = $property->getDefaultValue() === null ? '' : ' = ' . literal($property->getDefaultValue());
    return doc("$class::\${$property->name}", '    ')
        . '    ' . implode(' ', Reflection::getModifierNames($visible)) . ' ' . type($property->getType()) . "\${$property->name}$default;\n";
}

function enumeration(ReflectionEnum $enum): string
{
    $cases = array_map(
        fn (ReflectionEnumBackedCase $case) => doc("{$enum->getShortName()}::{$case->name}", '    ')
            . "    case {$case->name} = " . literal($case->getBackingValue()) . ";\n",
        $enum->getCases(),
    );
    return "enum {$enum->getShortName()}: {$enum->getBackingType()}\n{\n" . implode($cases) . "}\n";
}

function declaration(ReflectionClass $class): string
{
    $own = fn (ReflectionProperty|ReflectionMethod $member) => $member->class === $class->name;
    $members = [
        ...array_map(property(...), array_filter($class->getProperties(), $own)),
        ...array_map(method(...), array_filter($class->getMethods(), $own)),
    ];
    $parent = $class->getParentClass();
    return ($class->isFinal() ? 'final ' : '')
        . (method_exists($class, 'isReadOnly') && $class->isReadOnly() ? 'readonly ' : '')
        . "class {$class->getShortName()}" . ($parent ? " extends \\{$parent->name}" : '')
        . "\n{\n" . implode("\n", $members) . "}\n";
}

$extension = new ReflectionExtension('ratelimit');
echo "<?php\n\n// Generated by stub.php from ratelimit {$extension->getVersion()}.\n\nnamespace RateLimit;\n";
foreach ($extension->getClasses() as $class) {
    echo "\n", doc($class->getShortName());
    echo $class->isEnum() ? enumeration(new ReflectionEnum($class->name)) : declaration($class);
}
