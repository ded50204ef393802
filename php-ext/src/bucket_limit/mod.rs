//! `RateLimit\BucketLimit`: the leaky bucket that applications carry as a class of their own.
//!
//! Its parameters are protected properties. A subclass that redeclares one keeps its parent's
//! slot, so the slots are what is read, whether or not a constructor ran.

mod properties;

use crate::arguments::{MAX_KEY, in_units, prefix};
use crate::engine::call::Call;
use crate::engine::declare::{keep, protected_property, untype};
use crate::engine::object::{self, Class, Native};
use crate::engine::raise::{self, Php};
use crate::engine::value::{self, Text, boolean, double, long, put, undef};
use crate::gate::Gate;
use crate::handler;
use crate::moment::Moment;
use crate::store::{self, Store};
use ext_php_rs::args::Arg;
use ext_php_rs::builders::{ClassBuilder, FunctionBuilder};
use ext_php_rs::ffi::{zend_object, zval};
use ext_php_rs::flags::{DataType, MethodFlags};
use ext_php_rs::types::Zval;
use properties::{
    CAPACITY, RATE, WATER_KEY, Wrong, default_add_num, policy, property, set_property, text,
};
use ratelimit_core::OnError;
use std::cell::RefCell;
use std::ffi::CStr;

static CLASS: Class = Class::new();

/// All buckets are this limiter's; whose they are is in the key.
const NAME: &[u8] = b"BucketLimit";

/// The Rust side. Changed in place, never while PHP code runs.
pub struct BucketLimit(RefCell<State>);

struct State {
    /// The store that the constructor was given, or unset.
    store: zval,
    built: Option<Built>,
}

/// The limiter of the properties as they were seen last.
struct Built {
    capacity: zval,
    rate: zval,
    water_key: zval,
    gate: Gate,
    /// The bucket's key, of which the first `prefix` bytes come from `water_key`.
    key: Vec<u8>,
    prefix: usize,
}

impl Native for BucketLimit {
    fn class() -> &'static Class {
        &CLASS
    }

    const INSTEAD_OF_NEW: Option<&'static CStr> = None;
    const CLONEABLE: bool = true;

    fn initial() -> Option<Self> {
        Some(Self::on(undef()))
    }

    fn copy(&self) -> Option<Self> {
        Some(Self::on(self.0.borrow().store.shallow_clone()))
    }

    fn held(&self) -> *mut zval {
        // SAFETY: the cell is not borrowed while the collector runs.
        unsafe { &raw mut (*self.0.as_ptr()).store }
    }
}

impl BucketLimit {
    fn on(store: zval) -> Self {
        BucketLimit(RefCell::new(State { store, built: None }))
    }

    /// The limiter of the object's properties, and the key that they begin.
    fn with_built<T>(
        &self,
        this: *mut zend_object,
        run: impl FnOnce(&mut Built) -> Php<T>,
    ) -> Php<T> {
        let state = &mut *self.0.borrow_mut();
        let (capacity, rate) = (property(this, CAPACITY), property(this, RATE));
        let water_key = property(this, WATER_KEY);
        let same = |built: &&mut Built| {
            identical(&built.capacity, capacity)
                && identical(&built.rate, rate)
                && identical(&built.water_key, water_key)
        };
        if let Some(built) = state.built.as_mut().filter(|b| same(b)) {
            return run(built);
        }
        let policy = policy(capacity, rate).map_err(Wrong::property)?;
        let key = prefix(&text(water_key)?);
        let store = value::as_object(&state.store);
        // SAFETY: the state holds its store.
        let store = store.and_then(|object| unsafe { store::of(object) });
        let gate = Gate::new(NAME, policy, store, OnError::Fallback).map_err(|e| e.raise(&[]))?;
        run(state.built.insert(Built {
            capacity: capacity.shallow_clone(),
            rate: rate.shallow_clone(),
            water_key: water_key.shallow_clone(),
            gate,
            prefix: key.len(),
            key,
        }))
    }
}

/// The same value by its bits. Strings that were seen are held, so none takes another's place.
fn identical(seen: &zval, now: &zval) -> bool {
    // SAFETY: numbers and pointers fill the whole of a value.
    unsafe { seen.u1.type_info == now.u1.type_info && seen.value.lval == now.value.lval }
}

fn construct(call: &Call<'_>, _: &mut Zval) -> Php<()> {
    let this = call.this();
    let capacity = call
        .is_set(1)
        .then(|| in_units(call.long(1)?, 1))
        .transpose()?;
    let rate = call.is_set(2).then(|| call.double(2)).transpose()?;
    let key = call
        .is_set(3)
        .then(|| call.text(3))
        .transpose()?
        .map(|key| key.share());
    let store = Store::argument(call, 4)?;
    let capacity = capacity.map(|units| long(units as i64));
    let rate = rate.map(double);
    if capacity.is_some() || rate.is_some() {
        let effective = |own: &Option<zval>, slot| match own {
            Some(value) => value.shallow_clone(),
            None => property(this, slot).shallow_clone(),
        };
        let check = policy(&effective(&capacity, CAPACITY), &effective(&rate, RATE));
        check.map_err(|wrong| match wrong.slot {
            CAPACITY if capacity.is_some() => raise::argument_value(1, &wrong.text),
            RATE if rate.is_some() => raise::argument_value(2, &wrong.text),
            _ => wrong.property(),
        })?;
    }
    let key = key.as_ref().map(Text::to_value);
    for (slot, value) in [(CAPACITY, capacity), (RATE, rate), (WATER_KEY, key)] {
        if let Some(value) = value {
            set_property(this, slot, value);
        }
    }
    if let Some(store) = store {
        // SAFETY: the store is an argument, and the frame holds it.
        let store = unsafe { value::shared_object(store) };
        let state = State { store, built: None };
        // Dropped after the cell's borrow has ended: its clock may go with it.
        let old = call.native::<BucketLimit>()?.0.replace(state);
        drop(old);
    }
    Ok(())
}

fn bucket(call: &Call<'_>, result: &mut Zval) -> Php<()> {
    let (this, native) = (call.this(), call.native::<BucketLimit>()?);
    let add_num = if call.is_set(1) {
        call.weak_long(1)?
    } else {
        default_add_num(this)?
    };
    let Ok(cost) = u64::try_from(add_num) else {
        let message = format!("must be greater than or equal to 0, {add_num} given");
        return Err(raise::argument_value(1, &message));
    };
    let api = if call.is_set(2) {
        call.weak_text(2)?.bytes()
    } else {
        b""
    };
    native.read_clock()?;
    native.with_built(this, |built| {
        built.key.truncate(built.prefix);
        built.key.extend_from_slice(api);
        if built.key.len() > MAX_KEY {
            let most = MAX_KEY - size_of::<u64>();
            let message = format!("and $water_key must be at most {most} bytes long together");
            return Err(raise::argument_value(2, &message));
        }
        let allowed = built
            .gate
            .allow(&built.key, cost)
            .map_err(|e| e.raise(&["", "cost"]))?;
        put(result, boolean(allowed));
        Ok(())
    })
}

impl BucketLimit {
    /// Asks the store's clock, if it has one. PHP code may call the constructor meanwhile, so
    /// the cell is not borrowed then; the store is pinned.
    fn read_clock(&self) -> Php<()> {
        let store = value::as_object(&self.0.borrow().store);
        match store {
            None => Ok(()),
            // SAFETY: the state holds the store until PHP code runs.
            Some(store) => unsafe { Moment::of(store) }.map(|_| ()),
        }
    }
}

pub fn register() -> ext_php_rs::error::Result<()> {
    let null = |name: &str, of: DataType| Arg::new(name, of).allow_null().default("null");
    let construct = FunctionBuilder::new("__construct", handler!(construct))
        .not_required()
        .arg(null("capacity", DataType::Long))
        .arg(null("rate", DataType::Double))
        .arg(null("key", DataType::String))
        .arg(null("store", DataType::object("RateLimit\\Store")));
    let bucket = FunctionBuilder::new("bucket", handler!(bucket))
        .arg(Arg::new("addNum", DataType::Mixed))
        .not_required()
        .arg(Arg::new("api", DataType::Mixed).default("''"));
    ClassBuilder::new("RateLimit\\BucketLimit")
        .property(protected_property("capacity", 60i64))
        .property(protected_property("addNum", 20i64))
        .property(protected_property("rate", 2i64))
        .property(protected_property("water_key", "water_capacity"))
        .method(construct, MethodFlags::Public)
        .method(bucket, MethodFlags::Public)
        .registration(|class, tables| {
            keep(tables);
            object::adopt::<BucketLimit>(class);
            untype(class, "bucket", 2);
        })
        .register()
}
