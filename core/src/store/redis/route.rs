//! Which server has a key: the only one, the one that sentinels name, or that of a slot.

use super::failure::{Failure, Kind};
use super::target::{Target, Topology};
use super::wire::{Address, Connection, Names, Tls};
use parking_lot::Mutex;
use redis::Value;
use std::collections::{HashMap, HashSet};
use std::sync::Arc;
use std::time::Instant;

/// Redirects after which the whole map is asked for again.
const MOST_MOVED: usize = 8;

/// Where servers were found.
pub(super) enum Routes {
    Single(Address),
    Sentinel(Mutex<Option<Address>>),
    Cluster(Mutex<Arc<Slots>>),
}

/// Which node has which slots.
#[derive(Clone, Default)]
pub(super) struct Slots {
    ranges: Vec<(u16, u16, Address)>,
    /// Slots that have moved since.
    moved: HashMap<u16, Address>,
}

/// How servers are asked where the others are.
pub(super) struct Asker<'a> {
    pub target: &'a Target,
    pub tls: Option<&'a Tls>,
    pub names: &'a Names,
    pub deadline: Instant,
}

impl Routes {
    pub(super) fn new(topology: &Topology) -> Routes {
        match topology {
            Topology::Single(address) => Routes::Single(address.clone()),
            Topology::Sentinel(..) => Routes::Sentinel(Mutex::default()),
            Topology::Cluster(_) => Routes::Cluster(Mutex::default()),
        }
    }

    /// Whether there is nobody to ask where the server is.
    pub(super) fn is_fixed(&self) -> bool {
        matches!(self, Routes::Single(_))
    }

    /// The server of a slot.
    pub(super) fn find(&self, slot: u16, asker: &Asker<'_>) -> Result<Address, Failure> {
        match self.known(slot) {
            Some(address) => Ok(address),
            None => {
                self.refresh(asker, None)?;
                self.known(slot).ok_or_else(|| {
                    let reason = format_args!("no node of the cluster has slot {slot}");
                    Failure::before(Kind::Unready, reason)
                })
            }
        }
    }

    /// Where the server of a slot was.
    pub(super) fn known(&self, slot: u16) -> Option<Address> {
        match self {
            Routes::Single(address) => Some(address.clone()),
            Routes::Sentinel(master) => master.lock().clone(),
            Routes::Cluster(slots) => {
                let slots = Arc::clone(&slots.lock());
                slots.find(slot).cloned()
            }
        }
    }

    /// The nodes of a cluster, once each.
    pub(super) fn nodes(&self) -> Vec<Address> {
        let Routes::Cluster(slots) = self else {
            return Vec::new();
        };
        let slots = Arc::clone(&slots.lock());
        let all: HashSet<&Address> = slots.nodes().chain(slots.moved.values()).collect();
        all.into_iter().cloned().collect()
    }

    /// A node says that a slot has moved for good.
    pub(super) fn moved(&self, slot: u16, to: Address) {
        if let Routes::Cluster(slots) = self {
            let mut slots = slots.lock();
            let slots = Arc::make_mut(&mut slots);
            slots.moved.insert(slot, to);
            if slots.moved.len() > MOST_MOVED {
                *slots = Slots::default();
            }
        }
    }

    /// Asks anew where the servers are; the one that gave no answer last of all.
    pub(super) fn refresh(
        &self,
        asker: &Asker<'_>,
        silent: Option<&Address>,
    ) -> Result<(), Failure> {
        match (self, &asker.target.topology) {
            (Routes::Sentinel(master), Topology::Sentinel(sentinels, name)) => {
                let found = asker.first(sentinels.iter().collect(), |a, at| a.master(at, name))?;
                *master.lock() = Some(found);
            }
            (Routes::Cluster(slots), Topology::Cluster(seeds)) => {
                let known = Arc::clone(&slots.lock());
                let mut nodes: Vec<&Address> = known.nodes().chain(seeds).collect();
                nodes.sort_by_key(|node| Some(*node) == silent);
                let found = asker.first(nodes, |a, at| a.slots(at))?;
                *slots.lock() = Arc::new(found);
            }
            _ => {}
        }
        Ok(())
    }
}

impl Slots {
    fn find(&self, slot: u16) -> Option<&Address> {
        let in_range = |(first, last, _): &&(u16, u16, Address)| (*first..=*last).contains(&slot);
        let of_range = || self.ranges.iter().find(in_range).map(|(_, _, node)| node);
        self.moved.get(&slot).or_else(of_range)
    }

    fn nodes(&self) -> impl Iterator<Item = &Address> {
        self.ranges.iter().map(|(_, _, node)| node)
    }
}

impl Asker<'_> {
    /// The first answer that one of several servers gives; none may use up the time of the others.
    fn first<R>(
        &self,
        mut servers: Vec<&Address>,
        ask: impl Fn(&Asker<'_>, &Address) -> Result<R, Failure>,
    ) -> Result<R, Failure> {
        let mut seen = HashSet::new();
        servers.retain(|server| seen.insert(*server));
        let mut last = Failure::before(Kind::Connect, "no server to ask");
        for (i, server) in servers.iter().enumerate() {
            let now = Instant::now();
            let left = self.deadline.saturating_duration_since(now);
            let one = Asker {
                deadline: now + left / (servers.len() - i) as u32,
                ..*self
            };
            match ask(&one, server) {
                Ok(answer) => return Ok(answer),
                Err(failure) => last = failure,
            }
        }
        Err(Failure {
            not_run: true,
            ..last
        })
    }

    /// The master of a name, as a sentinel knows it.
    fn master(&self, sentinel: &Address, name: &str) -> Result<Address, Failure> {
        let Asker {
            target,
            tls,
            names,
            deadline,
        } = *self;
        let mut connection = Connection::open_sentinel(sentinel, target, tls, names, deadline)?;
        let mut command = redis::cmd("SENTINEL");
        command.arg("get-master-addr-by-name").arg(name);
        match connection.ask(&command.get_packed_command(), 0, deadline)? {
            Value::Array(found) => node(&found, sentinel),
            Value::ServerError(e) => Err(Failure::server(&e)),
            _ => {
                let reason = format_args!("sentinel {sentinel} knows no master {name:?}");
                Err(Failure::new(Kind::Unready, reason))
            }
        }
    }

    /// The map of a cluster, as a node knows it.
    fn slots(&self, node_asked: &Address) -> Result<Slots, Failure> {
        let Asker {
            target,
            tls,
            names,
            deadline,
        } = *self;
        let mut connection = Connection::open(node_asked, target, tls, names, deadline)?;
        let command = redis::cmd("CLUSTER").arg("SLOTS").get_packed_command();
        let Value::Array(all) = connection.ask(&command, 0, deadline)? else {
            let reason = format_args!("{node_asked} is no node of a cluster");
            return Err(Failure::new(Kind::Unready, reason));
        };
        let mut ranges = Vec::with_capacity(all.len());
        for range in &all {
            let Value::Array(range) = range else { continue };
            if let [
                Value::Int(first),
                Value::Int(last),
                Value::Array(master),
                ..,
            ] = &range[..]
            {
                ranges.push((*first as u16, *last as u16, node(master, node_asked)?));
            }
        }
        Ok(Slots {
            ranges,
            moved: HashMap::new(),
        })
    }
}

/// A host and a port in an answer. No host means the server that was asked.
fn node(answer: &[Value], asked: &Address) -> Result<Address, Failure> {
    let wrong = || Failure::new(Kind::Other, format_args!("{asked} names no host and port"));
    let host = match answer.first() {
        Some(Value::BulkString(host)) if !host.is_empty() && host != b"?" => {
            String::from_utf8(host.clone()).map_err(|_| wrong())?
        }
        _ => match asked {
            Address::Tcp(host, _) => host.clone(),
            Address::Unix(_) => return Err(wrong()),
        },
    };
    let port = match answer.get(1) {
        Some(Value::Int(port)) => u16::try_from(*port).ok(),
        Some(Value::BulkString(port)) => str::from_utf8(port).ok().and_then(|p| p.parse().ok()),
        _ => None,
    };
    port.map(|port| Address::Tcp(host, port)).ok_or_else(wrong)
}
