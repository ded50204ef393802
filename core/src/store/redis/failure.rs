//! Why a server gave no answer.

use crate::store::gauges::KINDS;
use redis::ServerError;
use std::fmt;
use std::io;

/// The kinds that are counted apart.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    /// No connection could be made: refused, no route, no such host.
    Connect,
    /// The time was over.
    Timeout,
    /// The connection broke.
    Broken,
    /// TLS: a certificate that is not good, or a handshake that failed.
    Tls,
    /// The server does not let us in, or not do what we ask.
    Denied,
    /// The server cannot work now: loading, a replica, a cluster that is down, out of memory.
    Unready,
    /// The key holds something else.
    Foreign,
    /// Any other error, or an answer that makes no sense.
    Other,
}

impl Kind {
    pub(crate) const ALL: [Kind; KINDS] = [
        Kind::Connect,
        Kind::Timeout,
        Kind::Broken,
        Kind::Tls,
        Kind::Denied,
        Kind::Unready,
        Kind::Foreign,
        Kind::Other,
    ];

    pub(crate) fn name(self) -> &'static str {
        match self {
            Kind::Connect => "connect",
            Kind::Timeout => "timeout",
            Kind::Broken => "broken",
            Kind::Tls => "tls",
            Kind::Denied => "denied",
            Kind::Unready => "unready",
            Kind::Foreign => "foreign",
            Kind::Other => "other",
        }
    }

    /// Whether it says something of the server, and not of one key.
    pub(crate) fn is_of_the_server(self) -> bool {
        self != Kind::Foreign
    }
}

/// A call that failed.
#[derive(Debug, Clone)]
pub(crate) struct Failure {
    pub kind: Kind,
    pub reason: String,
    /// Whether the server has certainly not run the script.
    pub not_run: bool,
}

impl Failure {
    pub(crate) fn new(kind: Kind, reason: impl fmt::Display) -> Failure {
        Failure {
            kind,
            reason: reason.to_string(),
            not_run: false,
        }
    }

    /// A failure before all of the request was sent.
    pub(crate) fn before(kind: Kind, reason: impl fmt::Display) -> Failure {
        Failure {
            not_run: true,
            ..Failure::new(kind, reason)
        }
    }

    /// What the server answered.
    pub(crate) fn server(error: &ServerError) -> Failure {
        let detail = error.details().unwrap_or_default();
        let kind = match error.code() {
            // Older servers wrap the errors of a script's calls in their own.
            "ERR" => detail
                .split(|c: char| !c.is_ascii_uppercase())
                .find_map(kind_of)
                .unwrap_or(Kind::Other),
            code => kind_of(code).unwrap_or(Kind::Other),
        };
        Failure::new(kind, format_args!("{} {detail}", error.code()))
    }

    /// What the socket says.
    pub(crate) fn io(error: &io::Error) -> Failure {
        if let Some(tls) = error
            .get_ref()
            .and_then(|e| e.downcast_ref::<rustls::Error>())
        {
            return Failure::new(Kind::Tls, tls);
        }
        match error.kind() {
            io::ErrorKind::TimedOut => Failure::new(Kind::Timeout, "no answer in time"),
            _ => Failure::new(Kind::Broken, format_args!("the connection broke: {error}")),
        }
    }
}

fn kind_of(code: &str) -> Option<Kind> {
    Some(match code {
        "NOAUTH" | "WRONGPASS" | "NOPERM" | "DENIED" => Kind::Denied,
        "LOADING" | "READONLY" | "MASTERDOWN" | "CLUSTERDOWN" | "TRYAGAIN" | "OOM" | "MISCONF"
        | "BUSY" | "NOREPLICAS" | "MOVED" | "ASK" => Kind::Unready,
        "WRONGTYPE" | "FOREIGN" => Kind::Foreign,
        _ => return None,
    })
}
