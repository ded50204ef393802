//! What one process keeps: its connections, and where its servers are. A child after a fork starts
//! with nothing, since its parent goes on to use both.

use super::route::Routes;
use super::script::Scripts;
use super::target::Target;
use super::wire::{Address, Connection, Names};
use arc_swap::ArcSwapOption;
use parking_lot::Mutex;
use std::collections::HashMap;
use std::sync::Arc;

/// Connections without work that are kept for a URL.
const MOST_IDLE: usize = 64;

/// What a process has.
pub(super) struct Process {
    id: u32,
    pub names: Names,
    pub scripts: Scripts,
    homes: Mutex<HashMap<Arc<Target>, Arc<Home>>>,
}

/// What it has for one URL.
pub(super) struct Home {
    pub routes: Routes,
    /// The latest used are the last.
    idle: Mutex<Vec<(Address, Connection)>>,
}

impl Process {
    /// This process's. Locks that another thread held when the process was forked are its parent's.
    pub(super) fn current() -> Arc<Process> {
        static CURRENT: ArcSwapOption<Process> = ArcSwapOption::const_empty();
        let id = std::process::id();
        let known = CURRENT.load();
        if let Some(process) = known.as_ref().filter(|process| process.id == id) {
            return Arc::clone(process);
        }
        let new = Arc::new(Process {
            id,
            names: Names::default(),
            scripts: Scripts::new(),
            homes: Mutex::default(),
        });
        let before = CURRENT.compare_and_swap(&known, Some(Arc::clone(&new)));
        match before.as_ref().filter(|process| process.id == id) {
            Some(other_thread) => Arc::clone(other_thread),
            None => new,
        }
    }

    pub(super) fn home(&self, target: &Arc<Target>) -> Arc<Home> {
        let mut homes = self.homes.lock();
        if let Some(home) = homes.get(target) {
            return Arc::clone(home);
        }
        let home = Arc::new(Home {
            routes: Routes::new(&target.topology),
            idle: Mutex::default(),
        });
        homes.insert(Arc::clone(target), Arc::clone(&home));
        home
    }
}

impl Home {
    /// A connection that is still good, as far as can be seen.
    pub(super) fn take(&self, address: &Address) -> Option<Connection> {
        loop {
            let mut idle = self.idle.lock();
            let at = idle.iter().rposition(|(of, _)| of == address)?;
            let (_, connection) = idle.remove(at);
            drop(idle);
            if connection.is_quiet() {
                return Some(connection);
            }
        }
    }

    /// Keeps a connection that has nothing more to come.
    pub(super) fn put(&self, address: Address, connection: Connection) {
        let mut idle = self.idle.lock();
        let oldest = (idle.len() >= MOST_IDLE).then(|| idle.remove(0));
        idle.push((address, connection));
        drop(idle);
        drop(oldest); // closes it, without the lock
    }

    /// Drops all connections to a server that is not what it was.
    pub(super) fn forget(&self, address: &Address) {
        let mut gone = Vec::new();
        let mut idle = self.idle.lock();
        let all = std::mem::take(&mut *idle);
        for (of, connection) in all {
            match of == *address {
                true => gone.push(connection),
                false => idle.push((of, connection)),
            }
        }
    }
}
