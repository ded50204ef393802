//! The static methods that make limiters.

use crate::arguments::{between, period, units};
use crate::engine::call::Call;
use crate::engine::object;
use crate::engine::raise::Php;
use crate::engine::value::{self, Borrowed, put};
use crate::failure::Failure;
use crate::gate::Gate;
use crate::handler;
use crate::limiter::Limiter;
use crate::on_error;
use crate::store::{self, Store};
use ext_php_rs::args::Arg;
use ext_php_rs::builders::{ClassBuilder, FunctionBuilder};
use ext_php_rs::flags::{DataType, MethodFlags};
use ext_php_rs::types::Zval;
use ratelimit_core::{Error, Policy};
use std::time::Duration;

const SEGMENTS: std::ops::RangeInclusive<i64> = 1..=60;

fn fixed_window(call: &Call<'_>, result: &mut Zval) -> Php<()> {
    let parameters = &["name", "limit", "window"];
    let (name, limit) = (call.text(1)?, units(call, 2)?);
    let policy = Policy::fixed_window(limit, period(call.double(3)?, 3)?);
    make(call, result, name, policy, 4, parameters)
}

fn sliding_window(call: &Call<'_>, result: &mut Zval) -> Php<()> {
    let parameters = &["name", "limit", "window", "segments"];
    let (name, limit) = (call.text(1)?, units(call, 2)?);
    let window = period(call.double(3)?, 3)?;
    let segments = between(call.long_or(4, 10)?, SEGMENTS, 4)?;
    let policy = Policy::sliding_window(limit, window, segments as u32);
    make(call, result, name, policy, 5, parameters)
}

fn leaky_bucket(call: &Call<'_>, result: &mut Zval) -> Php<()> {
    let parameters = &["name", "capacity", "leak", "per"];
    bucket(call, result, Policy::leaky_bucket, parameters)
}

fn token_bucket(call: &Call<'_>, result: &mut Zval) -> Php<()> {
    let parameters = &["name", "capacity", "refill", "per"];
    bucket(call, result, Policy::token_bucket, parameters)
}

fn bucket(
    call: &Call<'_>,
    result: &mut Zval,
    policy: fn(u64, u64, Duration) -> Result<Policy, Error>,
    parameters: &[&str],
) -> Php<()> {
    let (name, capacity, rate) = (call.text(1)?, units(call, 2)?, units(call, 3)?);
    let policy = policy(capacity, rate, period(call.double_or(4, 1.0)?, 4)?);
    make(call, result, name, policy, 5, parameters)
}

fn unlimited(call: &Call<'_>, result: &mut Zval) -> Php<()> {
    let name = call.text(1)?;
    let gate = Gate::unlimited(name.bytes()).map_err(|e| e.raise(&["name"]))?;
    give(result, name, gate, value::undef());
    Ok(())
}

/// Reads `$store` and `$onError`, which are the arguments from `number` on.
fn make(
    call: &Call<'_>,
    result: &mut Zval,
    name: Borrowed<'_>,
    policy: Result<Policy, Error>,
    number: u32,
    parameters: &[&str],
) -> Php<()> {
    let store = Store::argument(call, number)?;
    let on_error = on_error::argument(call, number + 1)?;
    let policy = policy.map_err(|e| Failure::from(e).raise(parameters))?;
    // SAFETY: the store is an argument, and the frame holds it.
    let (native, clocked) = unsafe { (store.and_then(|s| store::of(s)), store::clocked(store)) };
    let gate = Gate::new(name.bytes(), policy, native, on_error);
    give(
        result,
        name,
        gate.map_err(|e| e.raise(parameters))?,
        clocked,
    );
    Ok(())
}

fn give(result: &mut Zval, name: Borrowed<'_>, gate: Gate, clocked: Zval) {
    let limiter = Limiter {
        name: name.share(),
        gate,
        clocked,
    };
    // SAFETY: the object is new, and its reference becomes the result's.
    put(result, unsafe { value::object(object::make(limiter)) });
}

/// Declares them.
pub fn methods(class: ClassBuilder) -> ClassBuilder {
    let name = |f: FunctionBuilder<'static>| f.arg(Arg::new("name", DataType::String));
    let int = |name: &str| Arg::new(name, DataType::Long);
    let float = |name: &str| Arg::new(name, DataType::Double);
    let tail = |f: FunctionBuilder<'static>| {
        let on_error = Arg::new("onError", DataType::object("RateLimit\\OnError"));
        f.arg(
            Arg::new("store", DataType::object("RateLimit\\Store"))
                .allow_null()
                .default("null"),
        )
        .arg(on_error.default("RateLimit\\OnError::Fallback"))
    };
    let fixed = name(FunctionBuilder::new("fixedWindow", handler!(fixed_window)))
        .arg(int("limit"))
        .arg(float("window"))
        .not_required();
    let sliding = name(FunctionBuilder::new(
        "slidingWindow",
        handler!(sliding_window),
    ))
    .arg(int("limit"))
    .arg(float("window"))
    .not_required()
    .arg(int("segments").default("10"));
    let leaky = name(FunctionBuilder::new("leakyBucket", handler!(leaky_bucket)))
        .arg(int("capacity"))
        .arg(int("leak"))
        .not_required()
        .arg(float("per").default("1.0"));
    let token = name(FunctionBuilder::new("tokenBucket", handler!(token_bucket)))
        .arg(int("capacity"))
        .arg(int("refill"))
        .not_required()
        .arg(float("per").default("1.0"));
    let unlimited = name(FunctionBuilder::new("unlimited", handler!(unlimited)));
    let all = [
        tail(fixed),
        tail(sliding),
        tail(leaky),
        tail(token),
        unlimited,
    ];
    all.into_iter().fold(class, |class, factory| {
        let limiter = DataType::object("RateLimit\\Limiter");
        let flags = MethodFlags::Public | MethodFlags::Static;
        class.method(factory.returns(limiter, false, false), flags)
    })
}
