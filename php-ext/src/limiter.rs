//! `RateLimit\Limiter`: the calls on one limiter.

use crate::arguments::{key, key_and_cost, wait};
use crate::clock::Clock;
use crate::decision;
use crate::engine::call::Call;
use crate::engine::declare::keep;
use crate::engine::object::{self, Class, Native};
use crate::engine::raise::Php;
use crate::engine::value::{Text, as_object, boolean, put};
use crate::gate::{Gate, Op};
use crate::moment::Moment;
use crate::{acquire, consume_all, factory, handler, store};
use ext_php_rs::args::Arg;
use ext_php_rs::builders::{ClassBuilder, FunctionBuilder};
use ext_php_rs::ffi::zval;
use ext_php_rs::flags::{ClassFlags, DataType, MethodFlags};
use ext_php_rs::types::{ZendHashTable, Zval};
use std::ffi::CStr;

pub static CLASS: Class = Class::new();

/// The core's names of the parameters `$key, $cost, $maxWait`.
const PARAMETERS: &[&str] = &["key", "cost", "max_wait"];

pub struct Limiter {
    pub name: Text,
    pub gate: Gate,
    /// The store, if it has a clock to be asked.
    pub clocked: zval,
}

impl Native for Limiter {
    fn class() -> &'static Class {
        &CLASS
    }

    const INSTEAD_OF_NEW: Option<&'static CStr> =
        Some(c"RateLimit\\Limiter::tokenBucket() or another of its factories");

    fn held(&self) -> *mut zval {
        (&raw const self.clocked).cast_mut()
    }

    fn describe(&self, fields: &mut ZendHashTable) {
        let policy = self.gate.policy();
        let limit = i64::try_from(policy.limit()).unwrap_or(i64::MAX);
        let _ = fields.insert("name", self.name.borrow().lossy());
        let _ = fields.insert("algorithm", policy.algorithm());
        let _ = fields.insert("limit", limit);
    }
}

impl Limiter {
    /// Asks the store's clock for the time, if it has one.
    #[inline(always)]
    pub fn now(&self) -> Php<Moment> {
        Moment::now(&self.clocked)
    }

    /// The clock of the store, if it has one. The limiter holds it.
    pub fn clock(&self) -> Option<&Clock> {
        // SAFETY: the value is a store, and holds a reference to it.
        as_object(&self.clocked).and_then(|store| unsafe { store::of(store)?.clock() })
    }

    /// The window, or how long a whole bucket lasts, in microseconds.
    pub fn span(&self) -> Option<u64> {
        self.gate.policy().span().map(decision::micros)
    }

    #[inline(always)]
    fn decide(&self, result: &mut Zval, op: Op, key: &[u8], cost: u64) -> Php<()> {
        let made = self.now()?;
        let decision = self
            .gate
            .decide(op, key, cost)
            .map_err(|e| e.raise(PARAMETERS))?;
        decision::give(result, &decision, self, made);
        Ok(())
    }
}

fn allow(call: &Call<'_>, result: &mut Zval) -> Php<()> {
    let (key, cost) = key_and_cost(call)?;
    let limiter = call.native::<Limiter>()?;
    limiter.now()?;
    match limiter.gate.allow(key, cost) {
        Ok(allowed) => put(result, boolean(allowed)),
        Err(failure) => return Err(failure.raise(PARAMETERS)),
    }
    Ok(())
}

fn consume(call: &Call<'_>, result: &mut Zval) -> Php<()> {
    let (key, cost) = key_and_cost(call)?;
    let limiter = call.native::<Limiter>()?;
    let gate = &limiter.gate;
    if as_object(&limiter.clocked).is_some() {
        return limiter.decide(result, Op::Consume, key, cost);
    }
    match gate
        .decide_open(key, cost)
        .map_err(|e| e.raise(PARAMETERS))?
    {
        // SAFETY: `$this` is live during the call, and the outcome is this limiter's.
        Some(outcome) if outcome.is_open() => unsafe {
            decision::give_late(result, outcome, call.this());
        },
        Some(outcome) => {
            let (decision, _) = gate.explain(&outcome);
            decision::give(result, &decision, limiter, Moment::System);
        }
        None => return limiter.decide(result, Op::Consume, key, cost),
    }
    Ok(())
}

fn peek(call: &Call<'_>, result: &mut Zval) -> Php<()> {
    let (key, cost) = key_and_cost(call)?;
    call.native::<Limiter>()?
        .decide(result, Op::Peek, key, cost)
}

fn refund(call: &Call<'_>, result: &mut Zval) -> Php<()> {
    let (key, cost) = key_and_cost(call)?;
    call.native::<Limiter>()?
        .decide(result, Op::Refund, key, cost)
}

fn reserve(call: &Call<'_>, result: &mut Zval) -> Php<()> {
    let (key, cost) = key_and_cost(call)?;
    let max_wait = wait(call.double_or(3, 0.0)?, 3)?;
    call.native::<Limiter>()?
        .decide(result, Op::Reserve(max_wait), key, cost)
}

fn reset(call: &Call<'_>, _: &mut Zval) -> Php<()> {
    let key = key(call)?;
    let limiter = call.native::<Limiter>()?;
    limiter.now()?;
    limiter.gate.reset(key).map_err(|e| e.raise(PARAMETERS))
}

pub fn register() -> ext_php_rs::error::Result<()> {
    let decision = |f: FunctionBuilder<'static>| {
        f.returns(DataType::object("RateLimit\\Decision"), false, false)
    };
    let on_key = |f: FunctionBuilder<'static>| {
        let cost = Arg::new("cost", DataType::Long).default("1");
        f.arg(Arg::new("key", DataType::String))
            .not_required()
            .arg(cost)
    };
    let time = |name: &str, default: &str| Arg::new(name, DataType::Double).default(default);
    let allow = on_key(FunctionBuilder::new("allow", handler!(allow)));
    let consume = on_key(FunctionBuilder::new("consume", handler!(consume)));
    let peek = on_key(FunctionBuilder::new("peek", handler!(peek)));
    let reserve = on_key(FunctionBuilder::new("reserve", handler!(reserve)));
    let acquire = on_key(FunctionBuilder::new("acquire", handler!(acquire::acquire)));
    let refund = on_key(FunctionBuilder::new("refund", handler!(refund)));
    let reset =
        FunctionBuilder::new("reset", handler!(reset)).arg(Arg::new("key", DataType::String));
    let all = FunctionBuilder::new("consumeAll", handler!(consume_all::consume_all))
        .arg(Arg::new("charges", DataType::Array));
    let public = MethodFlags::Public;
    factory::methods(ClassBuilder::new("RateLimit\\Limiter"))
        .flags(ClassFlags::Final | ClassFlags::NoDynamicProperties)
        .method(
            FunctionBuilder::new("__construct", handler!(store::nothing)),
            MethodFlags::Private,
        )
        .method(allow.returns(DataType::Bool, false, false), public)
        .method(decision(consume), public)
        .method(decision(peek), public)
        .method(decision(reserve.arg(time("maxWait", "0.0"))), public)
        .method(decision(acquire.arg(time("timeout", "1.0"))), public)
        .method(decision(refund), public)
        .method(reset.returns(DataType::Void, false, false), public)
        .method(decision(all), public | MethodFlags::Static)
        .registration(|class, tables| {
            keep(tables);
            object::adopt::<Limiter>(class);
        })
        .register()
}
