//! A connection: requests out, answers in, all before one deadline.

use super::socket::{self, Socket};
use super::{Address, Names, Tls, tls};
use crate::store::redis::failure::{Failure, Kind};
use crate::store::redis::target::{Secret, Target, Topology};
use redis::{Parser, Value};
use rustls::{ClientConnection, StreamOwned};
use std::io::{self, Read, Write};
use std::time::Instant;

pub(in crate::store::redis) struct Connection {
    link: Link,
    parser: Parser,
}

enum Link {
    Plain(Socket),
    Tls(Box<StreamOwned<ClientConnection, Socket>>),
}

impl Connection {
    /// Connects and logs in.
    pub(in crate::store::redis) fn open(
        address: &Address,
        target: &Target,
        tls: Option<&Tls>,
        names: &Names,
        deadline: Instant,
    ) -> Result<Connection, Failure> {
        let mut connection = Connection::to(address, tls, names, deadline)?;
        let mut greeting = Vec::new();
        let mut answers = 0;
        let mut say = |command: &redis::Cmd| {
            command.write_packed_command(&mut greeting);
            answers += 1;
        };
        if let Some(Secret(password)) = &target.password {
            say(&auth(target.user.as_ref(), password));
        }
        if target.database != 0 {
            say(redis::cmd("SELECT").arg(target.database));
        }
        let is_guarded = matches!(target.topology, Topology::Sentinel(..));
        if is_guarded {
            say(&redis::cmd("ROLE"));
        }
        if answers == 0 {
            return Ok(connection);
        }
        let last = connection.ask(&greeting, answers - 1, deadline);
        match last.map_err(|failure| Failure {
            not_run: true,
            ..failure
        })? {
            Value::ServerError(e) => Err(Failure {
                not_run: true,
                ..Failure::server(&e)
            }),
            Value::Array(role) if is_guarded && !is_master(&role) => {
                let reason = format_args!("{address} is no master any more");
                Err(Failure::before(Kind::Unready, reason))
            }
            _ => Ok(connection),
        }
    }

    /// Connects to a sentinel.
    pub(in crate::store::redis) fn open_sentinel(
        address: &Address,
        target: &Target,
        tls: Option<&Tls>,
        names: &Names,
        deadline: Instant,
    ) -> Result<Connection, Failure> {
        let mut connection = Connection::to(address, tls, names, deadline)?;
        if let Some(Secret(password)) = &target.sentinel_password {
            let login = auth(None, password).get_packed_command();
            if let Value::ServerError(e) = connection.ask(&login, 0, deadline)? {
                return Err(Failure::server(&e));
            }
        }
        Ok(connection)
    }

    fn to(
        address: &Address,
        tls: Option<&Tls>,
        names: &Names,
        deadline: Instant,
    ) -> Result<Connection, Failure> {
        let resolve = |host: &str, port| names.resolve(host, port, deadline);
        let socket = socket::connect(address, deadline, resolve)?;
        Ok(Connection {
            link: match tls {
                None => Link::Plain(socket),
                Some(tls) => Link::Tls(Box::new(tls::handshake(tls, address, socket)?)),
            },
            parser: Parser::new(),
        })
    }

    /// Sends commands, and reads all their answers. Returns the last; those before it, `others`,
    /// must be no errors.
    pub(in crate::store::redis) fn ask(
        &mut self,
        request: &[u8],
        others: usize,
        deadline: Instant,
    ) -> Result<Value, Failure> {
        self.socket_mut().deadline = deadline;
        // A server runs no command before it has all of it.
        let sent = self
            .link
            .write_all(request)
            .and_then(|()| self.link.flush());
        sent.map_err(|e| Failure {
            not_run: true,
            ..Failure::io(&e)
        })?;
        for _ in 0..others {
            if let Value::ServerError(e) = self.answer()? {
                return Err(Failure::server(&e));
            }
        }
        self.answer()
    }

    /// Whether nothing has come since the last answer, not even the end.
    pub(in crate::store::redis) fn is_quiet(&self) -> bool {
        match &self.link {
            Link::Plain(socket) => socket.is_quiet(),
            Link::Tls(stream) => stream.sock.is_quiet(),
        }
    }

    fn answer(&mut self) -> Result<Value, Failure> {
        self.parser.parse_value(&mut self.link).map_err(|e| {
            if e.is_timeout() {
                Failure::new(Kind::Timeout, "no answer in time")
            } else if e.is_io_error() {
                Failure::new(Kind::Broken, format_args!("the connection broke: {e}"))
            } else {
                Failure::new(Kind::Other, format_args!("an answer that is none: {e}"))
            }
        })
    }

    fn socket_mut(&mut self) -> &mut Socket {
        match &mut self.link {
            Link::Plain(socket) => socket,
            Link::Tls(stream) => &mut stream.sock,
        }
    }
}

impl Read for Link {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        match self {
            Link::Plain(socket) => socket.read(buffer),
            Link::Tls(stream) => stream.read(buffer),
        }
    }
}

impl Write for Link {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self {
            Link::Plain(socket) => socket.write(bytes),
            Link::Tls(stream) => stream.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match self {
            Link::Plain(socket) => socket.flush(),
            Link::Tls(stream) => stream.flush(),
        }
    }
}

fn auth(user: Option<&Secret>, password: &[u8]) -> redis::Cmd {
    let mut command = redis::cmd("AUTH");
    if let Some(Secret(user)) = user {
        command.arg(user);
    }
    command.arg(password);
    command
}

fn is_master(role: &[Value]) -> bool {
    matches!(role.first(), Some(Value::BulkString(name)) if name == b"master")
}
