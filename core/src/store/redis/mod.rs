//! State on a Redis or Valkey server that all hosts share.
//!
//! A script decides, on the server's clock, and answers with what the key held and when; the
//! decision's numbers are then worked out by the functions that decide on a local store.

mod ask;
mod breaker;
mod failure;
mod held;
mod key;
mod options;
mod process;
mod route;
mod script;
mod target;
mod transport;
mod wire;

pub(crate) use held::Held;
pub use options::{RedisOptions, RedisStats};

use crate::algorithm::{Op, Verdict};
use crate::clock::Source;
use crate::error::ArgumentError;
use crate::policy::Policy;
use crate::store::gauges::{self, Gauge};
use ask::Task;
use breaker::{Breaker, Way};
use failure::{Failure, Kind};
use process::Process;
use redis::{Cmd, Value};
use siphasher::sip::SipHasher13;
use std::sync::Arc;
use std::sync::atomic::Ordering::Relaxed;
use std::time::{Duration, Instant};
use target::Target;
use transport::{Request, Transport};
use wire::{Address, Tls};

const LEAST_TIMEOUT: Duration = Duration::from_millis(1);
const MOST_TIMEOUT: Duration = Duration::from_secs(3600);
/// A prefix is part of every key.
const LONGEST_PREFIX: usize = 256;

impl std::fmt::Debug for Redis {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}", self.target)
    }
}

/// The servers of a URL, with a prefix.
pub(crate) struct Redis {
    target: Arc<Target>,
    tls: Option<Tls>,
    prefix: Vec<u8>,
    timeout: Duration,
    source: Source,
}

/// Why a call got no answer from the servers.
#[derive(Debug, Clone)]
pub(crate) struct Trouble {
    pub reason: String,
    /// When it makes sense to ask again, in microseconds from now.
    pub retry_after: u64,
}

impl Trouble {
    pub(crate) fn foreign() -> Trouble {
        Trouble {
            reason: "a key holds something else".into(),
            retry_after: 0,
        }
    }
}

/// What a script says.
pub(crate) struct Told {
    pub allowed: bool,
    pub now: u64,
    /// What each key held before.
    pub values: Vec<Option<Vec<u8>>>,
}

/// One of several charges.
pub(crate) struct Part<'a> {
    pub policy: &'a Policy,
    pub key: Vec<u8>,
    /// What all charges on its key ask for together, and what it asks for itself.
    pub all: u64,
    pub own: u64,
}

impl Redis {
    pub(crate) fn new(options: &RedisOptions) -> Result<Redis, ArgumentError> {
        let target = Target::parse(&options.url)?;
        if !(LEAST_TIMEOUT..=MOST_TIMEOUT).contains(&options.timeout) {
            let value = format_args!("{:?}", options.timeout);
            return Err(ArgumentError::new("timeout", value, "1 ms to 1 hour"));
        }
        let prefix = options.prefix.clone();
        if prefix.len() > LONGEST_PREFIX || prefix.iter().any(|c| b"{}".contains(c)) {
            let value = format_args!("{:?}", String::from_utf8_lossy(&prefix));
            let accepted = "at most 256 bytes long, without braces";
            return Err(ArgumentError::new("prefix", value, accepted));
        }
        let load = |files| {
            wire::load_tls(files)
                .map_err(|what| ArgumentError::new("url", what, "one with good TLS files"))
        };
        Ok(Redis {
            tls: target.tls.as_ref().map(load).transpose()?,
            target: Arc::new(target),
            prefix,
            timeout: options.timeout,
            source: match &options.clock {
                None => Source::System,
                Some(clock) => Source::Given(Arc::clone(clock)),
            },
        })
    }

    /// What state on it is called elsewhere: its URL, database and prefix.
    pub(crate) fn identity(&self) -> Vec<u8> {
        [self.target.to_string().as_bytes(), b"\0", &self.prefix].concat()
    }

    /// Whether both are the same place for state.
    pub(crate) fn is(&self, other: &Redis) -> bool {
        let same_clock = match (&self.source, &other.source) {
            (Source::System, Source::System) => true,
            (Source::Given(a), Source::Given(b)) => Arc::ptr_eq(a, b),
            _ => false,
        };
        self.target == other.target && self.prefix == other.prefix && same_clock
    }

    /// What all keys of a limiter begin with.
    pub(crate) fn stem(&self, name: &str, policy: &Policy) -> Vec<u8> {
        key::stem(&self.prefix, name, policy)
    }

    /// Charges `cost`, which is within the limit and above 0, if it fits.
    pub(crate) fn allow(
        &self,
        gauges: &[Gauge],
        (stem, key): (&[u8], &[u8]),
        policy: &Policy,
        cost: u64,
    ) -> Result<bool, Trouble> {
        match self.ask(gauges, (stem, key), policy, Task::Allow, cost)? {
            Value::Int(allowed) => Ok(allowed == 1),
            other => Err(self.nonsense(&other)),
        }
    }

    /// Any operation on one key.
    pub(crate) fn apply(
        &self,
        gauges: &[Gauge],
        (stem, key): (&[u8], &[u8]),
        policy: &Policy,
        op: Op,
        cost: u64,
    ) -> Result<Verdict, Trouble> {
        let charges = cost > 0 && (cost <= policy.limit() || op == Op::Refund);
        let task = if charges { op.into() } else { Task::Peek };
        let answer = self.ask(gauges, (stem, key), policy, task, cost)?;
        let told = self.told(answer)?;
        let value = told.values.first().and_then(Option::as_deref);
        let mut held = Held::read(policy, value).map_err(|f| self.trouble(&f))?;
        Ok(held.apply(policy, op, told.now, cost))
    }

    /// Forgets a key.
    pub(crate) fn forget(
        &self,
        gauges: &[Gauge],
        (stem, key): (&[u8], &[u8]),
    ) -> Result<(), Trouble> {
        let mut arguments = Cmd::new();
        arguments.arg(key::whole(stem, key));
        self.call(gauges, key::slot(key), |_| {
            Request::command("DEL", arguments)
        })
        .map(drop)
    }

    /// All charges or none.
    pub(crate) fn charge_all(
        &self,
        gauges: &[Gauge],
        slot: u16,
        parts: &[Part<'_>],
    ) -> Result<Told, Trouble> {
        let mut arguments = Cmd::new();
        arguments.arg(parts.len());
        for part in parts {
            arguments.arg(&part.key);
        }
        ask::time(&mut arguments, self.clock());
        for part in parts {
            ask::part(&mut arguments, part.policy, part.all, part.own);
        }
        let answer = self.call(gauges, slot, |process| {
            Request::script(&process.scripts.consume_all, arguments)
        })?;
        self.told(answer)
    }

    /// The slot of a key if it matters in which it is.
    pub(crate) fn slot(&self, key: &[u8]) -> Option<u16> {
        match self.target.topology {
            target::Topology::Cluster(_) => Some(key::slot(key)),
            _ => None,
        }
    }

    pub(crate) fn whole_key(stem: &[u8], key: &[u8]) -> Vec<u8> {
        key::whole(stem, key)
    }

    pub(crate) fn stats(&self, gauges: &[Gauge]) -> RedisStats {
        let mine = self.identity_of(None);
        let nodes = self.nodes();
        let of = |node: &Address| gauges::find(gauges, self.identity_of(Some(node)));
        let mut all: Vec<&Gauge> = vec![gauges::find(gauges, mine)];
        all.extend(nodes.iter().map(of));
        let sum = |count: &dyn Fn(&Gauge) -> u64| all.iter().map(|g| count(g)).sum();
        let closed = all.iter().map(|g| g.closed_until.load(Relaxed)).max();
        let now = Source::System.read(false);
        let left = closed.unwrap_or(0).saturating_sub(now);
        RedisStats {
            url: self.target.to_string(),
            round_trips: sum(&|g| g.round_trips.load(Relaxed)),
            reloads: sum(&|g| g.reloads.load(Relaxed)),
            redirects: sum(&|g| g.redirects.load(Relaxed)),
            degraded: sum(&|g| g.degraded.load(Relaxed)),
            errors: Kind::ALL
                .map(|kind| (kind.name(), sum(&|g| g.errors[kind as usize].load(Relaxed))))
                .into(),
            closed_for: (left > 0).then(|| Duration::from_micros(left)),
        }
    }

    /// Counts a decision by the failure policy.
    pub(crate) fn count_degraded(&self, gauges: &[Gauge]) {
        let gauge = gauges::find(gauges, self.identity_of(None));
        gauge.degraded.fetch_add(1, Relaxed);
    }

    fn ask(
        &self,
        gauges: &[Gauge],
        (stem, key): (&[u8], &[u8]),
        policy: &Policy,
        task: Task,
        cost: u64,
    ) -> Result<Value, Trouble> {
        let mut arguments = Cmd::new();
        arguments.arg(1).arg(key::whole(stem, key));
        ask::arguments(&mut arguments, policy, task, self.clock(), cost);
        self.call(gauges, key::slot(key), |process| {
            Request::script(ask::script(&process.scripts, policy), arguments)
        })
    }

    fn call(
        &self,
        gauges: &[Gauge],
        slot: u16,
        request: impl for<'a> FnOnce(&'a Process) -> Request<'a>,
    ) -> Result<Value, Trouble> {
        let process = Process::current();
        let home = process.home(&self.target);
        // A cluster's nodes fail one by one.
        let node = match self.target.topology {
            target::Topology::Cluster(_) => home.routes.known(slot),
            _ => None,
        };
        let gauge = gauges::find(gauges, self.identity_of(node.as_ref()));
        let breaker = Breaker(gauge);
        if let Way::Closed(left) = breaker.enter(self.timeout) {
            let seconds = left as f64 / 1e6;
            let reason = format!(
                "{}: not asked, since it gave no answer lately; the next try is in {seconds:.1} s",
                self.target
            );
            return Err(Trouble {
                reason,
                retry_after: left,
            });
        }
        let mut transport = Transport {
            process: &process,
            home: &home,
            target: &self.target,
            tls: self.tls.as_ref(),
            deadline: Instant::now() + self.timeout,
            effort: Default::default(),
        };
        let answer = transport.call(slot, &request(&process));
        breaker.count(transport.effort);
        match answer {
            Ok(value) => {
                breaker.succeeded();
                Ok(value)
            }
            Err(failure) => {
                breaker.failed(failure.kind);
                Err(self.trouble(&failure))
            }
        }
    }

    fn told(&self, answer: Value) -> Result<Told, Trouble> {
        let Value::Array(parts) = answer else {
            return Err(self.nonsense(&answer));
        };
        let mut parts = parts.into_iter();
        let (Some(Value::Int(allowed)), Some(Value::Int(now))) = (parts.next(), parts.next())
        else {
            return Err(self.nonsense(&Value::Nil));
        };
        let values = parts.map(|part| match part {
            Value::BulkString(bytes) => Some(bytes),
            _ => None, // a missing key is false in a script
        });
        Ok(Told {
            allowed: allowed == 1,
            now: now as u64,
            values: values.collect(),
        })
    }

    fn nonsense(&self, answer: &Value) -> Trouble {
        let reason = format!("an answer that makes no sense: {answer:?}");
        self.trouble(&Failure::new(Kind::Other, reason))
    }

    fn trouble(&self, failure: &Failure) -> Trouble {
        Trouble {
            reason: format!("{}: {}", self.target, failure.reason),
            retry_after: 0,
        }
    }

    fn clock(&self) -> Option<u64> {
        match &self.source {
            Source::System => None,
            given => Some(given.read(false)),
        }
    }

    fn nodes(&self) -> Vec<Address> {
        Process::current().home(&self.target).routes.nodes()
    }

    /// The same number for the same server in all processes.
    fn identity_of(&self, node: Option<&Address>) -> u64 {
        let node = node.map(Address::to_string).unwrap_or_default();
        let text = format!("{}\0{node}", self.target);
        SipHasher13::new().hash(text.as_bytes())
    }
}
