//! One request and its answer, wherever the server is by now, before one deadline.

use super::failure::{Failure, Kind};
use super::process::{Home, Process};
use super::route::Asker;
use super::script::Script;
use super::target::Target;
use super::wire::{Address, Connection, Tls};
use redis::{Cmd, ServerError, Value};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Servers that a request is sent to at most, one after the other.
const MOST_TRIES: u32 = 8;
/// How long to wait for keys that are on their way from node to node.
const TRY_AGAIN: Duration = Duration::from_millis(2);

/// What is asked.
pub(super) struct Request<'a> {
    what: What<'a>,
    arguments: Cmd,
}

enum What<'a> {
    /// With the number of keys, the keys, and the script's arguments.
    Script(&'a Script),
    Command(&'static str),
}

/// What was done for a request, to be counted.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Effort {
    pub round_trips: u32,
    /// Scripts that had to be sent whole.
    pub reloads: u32,
    pub redirects: u32,
}

/// Carries requests to a URL's servers.
pub(super) struct Transport<'a> {
    pub process: &'a Process,
    pub home: &'a Home,
    pub target: &'a Arc<Target>,
    pub tls: Option<&'a Tls>,
    pub deadline: Instant,
    pub effort: Effort,
}

/// Where a request goes on.
enum Next {
    Done(Value),
    /// A node that has it for now, or for good.
    Asking(Address),
    Moved(Address),
    Later,
    /// The server is not what it was.
    Elsewhere(Failure),
}

impl Transport<'_> {
    /// The answer; an error of the script's own is a failure.
    ///
    /// Sent again only where the server cannot have run it.
    pub(super) fn call(&mut self, slot: u16, request: &Request<'_>) -> Result<Value, Failure> {
        let mut asking = None;
        let mut has_refreshed = false;
        for _ in 0..MOST_TRIES {
            let (address, is_asking) = match asking.take() {
                Some(address) => (address, true),
                None => (self.home.routes.find(slot, &self.asker())?, false),
            };
            let failure = match self.try_at(&address, request, is_asking) {
                Ok(Next::Done(value)) => return Ok(value),
                Ok(Next::Asking(to)) => {
                    self.effort.redirects += 1;
                    asking = Some(to);
                    continue;
                }
                Ok(Next::Moved(to)) => {
                    self.effort.redirects += 1;
                    self.home.routes.moved(slot, to);
                    continue;
                }
                Ok(Next::Later) => {
                    std::thread::sleep(TRY_AGAIN.min(self.left()));
                    continue;
                }
                Ok(Next::Elsewhere(failure)) => failure,
                Err(failure) => failure,
            };
            self.home.forget(&address);
            if !failure.not_run || has_refreshed || self.home.routes.is_fixed() {
                return Err(failure);
            }
            has_refreshed = true;
            self.home.routes.refresh(&self.asker(), Some(&address))?;
            if self.home.routes.known(slot).as_ref() == Some(&address) {
                return Err(failure);
            }
            self.effort.redirects += 1;
        }
        Err(Failure::new(
            Kind::Unready,
            "redirected from server to server",
        ))
    }

    fn try_at(
        &mut self,
        address: &Address,
        request: &Request<'_>,
        is_asking: bool,
    ) -> Result<Next, Failure> {
        let (mut connection, mut answer) = self.first_answer(address, request, is_asking)?;
        if matches!(&answer, Value::ServerError(e) if e.code() == "NOSCRIPT") {
            self.effort.reloads += 1;
            answer = self.ask(&mut connection, &request.whole(is_asking), is_asking)?;
        }
        self.home.put(address.clone(), connection);
        match answer {
            Value::ServerError(e) => next(&e, address),
            value => Ok(Next::Done(value)),
        }
    }

    /// Asks on a connection that is open already, or else on a new one.
    fn first_answer(
        &mut self,
        address: &Address,
        request: &Request<'_>,
        is_asking: bool,
    ) -> Result<(Connection, Value), Failure> {
        let short = request.by_hash(is_asking);
        while let Some(mut connection) = self.home.take(address) {
            match self.ask(&mut connection, &short, is_asking) {
                Ok(answer) => return Ok((connection, answer)),
                // It had been closed meanwhile.
                Err(failure) if failure.not_run && failure.kind == Kind::Broken => {}
                Err(failure) => return Err(failure),
            }
        }
        let Asker {
            target,
            tls,
            names,
            deadline,
        } = self.asker();
        let mut connection = Connection::open(address, target, tls, names, deadline)?;
        let answer = self.ask(&mut connection, &short, is_asking)?;
        Ok((connection, answer))
    }

    fn ask(
        &mut self,
        connection: &mut Connection,
        request: &[u8],
        is_asking: bool,
    ) -> Result<Value, Failure> {
        self.effort.round_trips += 1;
        connection.ask(request, usize::from(is_asking), self.deadline)
    }

    fn asker(&self) -> Asker<'_> {
        Asker {
            target: self.target,
            tls: self.tls,
            names: &self.process.names,
            deadline: self.deadline,
        }
    }

    fn left(&self) -> Duration {
        self.deadline.saturating_duration_since(Instant::now())
    }
}

impl<'a> Request<'a> {
    pub(super) fn script(script: &'a Script, arguments: Cmd) -> Self {
        let what = What::Script(script);
        Request { what, arguments }
    }

    pub(super) fn command(name: &'static str, arguments: Cmd) -> Self {
        let what = What::Command(name);
        Request { what, arguments }
    }

    fn by_hash(&self, is_asking: bool) -> Vec<u8> {
        match self.what {
            What::Script(script) => self.packed("EVALSHA", Some(&script.hash), is_asking),
            What::Command(name) => self.packed(name, None, is_asking),
        }
    }

    fn whole(&self, is_asking: bool) -> Vec<u8> {
        match self.what {
            What::Script(script) => self.packed("EVAL", Some(&script.body), is_asking),
            What::Command(name) => self.packed(name, None, is_asking),
        }
    }

    fn packed(&self, command: &str, script: Option<&str>, is_asking: bool) -> Vec<u8> {
        let mut bytes = Vec::new();
        if is_asking {
            redis::cmd("ASKING").write_packed_command(&mut bytes);
        }
        let mut whole = redis::cmd(command);
        whole.arg(script);
        for argument in self.arguments.args_iter() {
            if let redis::Arg::Simple(bytes) = argument {
                whole.arg(bytes);
            }
        }
        whole.write_packed_command(&mut bytes);
        bytes
    }
}

/// What an error means for where to go on. None of these has run the script.
fn next(error: &ServerError, asked: &Address) -> Result<Next, Failure> {
    let failure = Failure {
        not_run: true,
        ..Failure::server(error)
    };
    let to = || {
        let (_, node) = error.details()?.split_once(' ')?;
        node_of(node, asked)
    };
    match error.code() {
        "MOVED" => to().map(Next::Moved).ok_or(failure),
        "ASK" => to().map(Next::Asking).ok_or(failure),
        "TRYAGAIN" => Ok(Next::Later),
        "CLUSTERDOWN" | "LOADING" | "READONLY" | "MASTERDOWN" => Ok(Next::Elsewhere(failure)),
        _ => Err(Failure {
            not_run: false,
            ..failure
        }),
    }
}

/// `HOST:PORT`, as redirects give it; no host means the server that was asked.
fn node_of(node: &str, asked: &Address) -> Option<Address> {
    let (host, port) = node.rsplit_once(':')?;
    let port = port.parse().ok()?;
    match (host, asked) {
        ("" | "?", Address::Tcp(host, _)) => Some(Address::Tcp(host.clone(), port)),
        ("" | "?", Address::Unix(_)) => None,
        _ => Some(Address::Tcp(host.trim_matches(['[', ']']).to_owned(), port)),
    }
}
