//! A socket on which everything ends at one moment, whatever happens on it.

use super::Address;
use crate::store::redis::failure::{Failure, Kind};
use nix::errno::Errno;
use nix::poll::{PollFd, PollFlags};
use socket2::{Domain, SockAddr, Socket as Raw, Type};
use std::io::{self, ErrorKind, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::os::fd::{AsFd, OwnedFd};
use std::os::unix::net::UnixStream;
use std::path::Path;
use std::time::{Duration, Instant};

/// A connected socket and when to give up on it.
pub(super) struct Socket {
    stream: Stream,
    pub deadline: Instant,
}

enum Stream {
    Tcp(TcpStream),
    Unix(UnixStream),
}

/// What is left until `deadline`; an error if that is nothing.
pub(super) fn left(deadline: Instant) -> io::Result<Duration> {
    match deadline.saturating_duration_since(Instant::now()) {
        Duration::ZERO => Err(ErrorKind::TimedOut.into()),
        left => Ok(left),
    }
}

impl Socket {
    pub(super) fn tcp(address: SocketAddr, deadline: Instant) -> io::Result<Socket> {
        let stream = TcpStream::connect_timeout(&address, left(deadline)?)?;
        stream.set_nodelay(true)?;
        stream.set_nonblocking(true)?;
        Ok(Socket {
            stream: Stream::Tcp(stream),
            deadline,
        })
    }

    pub(super) fn unix(path: &Path, deadline: Instant) -> io::Result<Socket> {
        let raw = Raw::new(Domain::UNIX, Type::STREAM, None)?;
        raw.connect_timeout(&SockAddr::unix(path)?, left(deadline)?)?;
        raw.set_nonblocking(true)?;
        Ok(Socket {
            stream: Stream::Unix(OwnedFd::from(raw).into()),
            deadline,
        })
    }

    /// Whether nothing has come since the last answer, not even the end.
    pub(super) fn is_quiet(&self) -> bool {
        self.poll(PollFlags::POLLIN, Duration::ZERO) == Ok(false)
    }

    /// Waits until there is something to do.
    fn wait(&self, flags: PollFlags) -> io::Result<()> {
        loop {
            match self.poll(flags, left(self.deadline)?) {
                Ok(true) => return Ok(()),
                // A signal, or the time is over, as `left` will say.
                Ok(false) | Err(Errno::EINTR) => {}
                Err(e) => return Err(e.into()),
            }
        }
    }

    fn poll(&self, flags: PollFlags, time: Duration) -> nix::Result<bool> {
        let fd = match &self.stream {
            Stream::Tcp(stream) => stream.as_fd(),
            Stream::Unix(stream) => stream.as_fd(),
        };
        poll(&mut [PollFd::new(fd, flags)], time).map(|ready| ready > 0)
    }

    /// Goes on after signals and where the socket is not ready.
    fn complete(
        &mut self,
        flags: PollFlags,
        mut step: impl FnMut(&mut Stream) -> io::Result<usize>,
    ) -> io::Result<usize> {
        loop {
            match step(&mut self.stream) {
                Err(e) if e.kind() == ErrorKind::WouldBlock => self.wait(flags)?,
                Err(e) if e.kind() == ErrorKind::Interrupted => {}
                done => return done,
            }
        }
    }
}

/// To the microsecond where the system can.
#[cfg(target_os = "linux")]
fn poll(fds: &mut [PollFd<'_>], time: Duration) -> nix::Result<i32> {
    nix::poll::ppoll(fds, Some(time.into()), None)
}

#[cfg(not(target_os = "linux"))]
fn poll(fds: &mut [PollFd<'_>], time: Duration) -> nix::Result<i32> {
    let ms = time.as_micros().div_ceil(1000).min(60_000) as u16;
    nix::poll::poll(fds, ms)
}

impl Read for Socket {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        // An answer takes its time: to try before waiting would be in vain.
        self.wait(PollFlags::POLLIN)?;
        self.complete(PollFlags::POLLIN, |stream| match stream {
            Stream::Tcp(s) => s.read(buffer),
            Stream::Unix(s) => s.read(buffer),
        })
    }
}

impl Write for Socket {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.complete(PollFlags::POLLOUT, |stream| match stream {
            Stream::Tcp(s) => s.write(bytes),
            Stream::Unix(s) => s.write(bytes),
        })
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Connects to any address.
pub(super) fn connect(
    address: &Address,
    deadline: Instant,
    resolve: impl FnOnce(&str, u16) -> Result<Vec<SocketAddr>, Failure>,
) -> Result<Socket, Failure> {
    let fail = |e: io::Error| match e.kind() {
        ErrorKind::TimedOut => Failure::before(Kind::Timeout, "no connection in time"),
        _ => Failure::before(Kind::Connect, e),
    };
    match address {
        Address::Unix(path) => Socket::unix(path, deadline).map_err(fail),
        Address::Tcp(host, port) => {
            let all = resolve(host, *port)?;
            let mut last = None;
            for (i, one) in all.iter().enumerate() {
                // None of them may use up the time of those after it.
                let share = left(deadline).map_err(fail)? / (all.len() - i) as u32;
                match Socket::tcp(*one, Instant::now() + share) {
                    Ok(mut socket) => {
                        socket.deadline = deadline;
                        return Ok(socket);
                    }
                    Err(e) => last = Some(e),
                }
            }
            let nothing = || io::Error::other("the name has no address");
            Err(fail(last.unwrap_or_else(nothing)))
        }
    }
}
