//! What goes over the wire, and when to give up on it.

mod connection;
mod names;
mod socket;
mod tls;

pub(super) use super::target::Address;
pub(super) use connection::Connection;
pub(super) use names::Names;
pub(super) use tls::{Tls, load as load_tls};
