//! Addresses of names, looked up aside since the system's lookup knows no deadline.
//!
//! An answer is good for a minute; after that it is still used where a new one does not come.

use super::socket::left;
use crate::store::redis::failure::{Failure, Kind};
use nix::sys::signal::SigSet;
use parking_lot::{Condvar, Mutex};
use std::collections::HashMap;
use std::io;
use std::net::{IpAddr, SocketAddr, ToSocketAddrs};
use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

const FRESH: Duration = Duration::from_secs(60);

/// What one process knows of names.
#[derive(Default)]
pub(in crate::store::redis) struct Names(Arc<Inner>);

#[derive(Default)]
struct Inner {
    known: Mutex<HashMap<String, Entry>>,
    news: Condvar,
}

#[derive(Default)]
struct Entry {
    addresses: Vec<IpAddr>,
    /// When they were found.
    since: Option<Instant>,
    /// Why the last lookup failed, if it did.
    error: Option<String>,
    is_being_looked_up: bool,
}

impl Names {
    pub(super) fn resolve(
        &self,
        host: &str,
        port: u16,
        deadline: Instant,
    ) -> Result<Vec<SocketAddr>, Failure> {
        if let Ok(ip) = host.parse() {
            return Ok(vec![SocketAddr::new(ip, port)]);
        }
        let with_port = |e: &Entry| {
            let all = e.addresses.iter();
            all.map(|&ip| SocketAddr::new(ip, port)).collect()
        };
        let mut known = self.0.known.lock();
        let entry = known.entry(host.to_owned()).or_default();
        let is_fresh = entry.since.is_some_and(|since| since.elapsed() < FRESH);
        if is_fresh {
            return Ok(with_port(entry));
        }
        if !entry.is_being_looked_up {
            entry.error = None;
            entry.is_being_looked_up = true;
            if let Err(e) = self.look_up(host) {
                entry.is_being_looked_up = false;
                entry.error = Some(e.to_string());
            }
        }
        loop {
            let entry = known.entry(host.to_owned()).or_default();
            if !entry.addresses.is_empty() && (entry.is_being_looked_up || entry.error.is_some()) {
                // Better an old answer at once than a new one later.
                return Ok(with_port(entry));
            }
            match &entry.error {
                _ if entry.is_being_looked_up => {}
                None => return Ok(with_port(entry)),
                Some(e) => return Err(Failure::before(Kind::Connect, format_args!("{host}: {e}"))),
            }
            let Ok(left) = left(deadline) else {
                let reason = format_args!("{host}: no address in time");
                return Err(Failure::before(Kind::Timeout, reason));
            };
            self.0.news.wait_for(&mut known, left);
        }
    }

    /// Starts a lookup, in a thread that takes no signal from the application.
    fn look_up(&self, host: &str) -> io::Result<()> {
        let (inner, name) = (Arc::clone(&self.0), host.to_owned());
        let before = SigSet::all().thread_swap_mask(nix::sys::signal::SigmaskHow::SIG_SETMASK)?;
        let started = thread::Builder::new()
            .name("ratelimit-dns".into())
            .spawn(move || inner.found(&name, (name.as_str(), 0).to_socket_addrs()));
        before.thread_set_mask()?;
        started.map(drop)
    }
}

impl Inner {
    fn found(&self, host: &str, answer: io::Result<impl Iterator<Item = SocketAddr>>) {
        let mut known = self.known.lock();
        let entry = known.entry(host.to_owned()).or_default();
        entry.is_being_looked_up = false;
        match answer.map(|all| all.map(|a| a.ip()).collect::<Vec<_>>()) {
            Ok(all) if !all.is_empty() => {
                entry.addresses = all;
                entry.since = Some(Instant::now());
                entry.error = None;
            }
            Ok(_) => entry.error = Some("no address".into()),
            Err(e) => entry.error = Some(e.to_string()),
        }
        self.news.notify_all();
    }
}
