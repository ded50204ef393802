//! A deadline for one case of a test: a hang ends the test program and names the case.

use std::fmt::Debug;
use std::io::Write;
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::time::Duration;

/// Much longer than any case takes, also on a machine that is busy.
pub const DEADLINE: Duration = Duration::from_secs(60);

/// The case is over when this is dropped.
pub struct Watch {
    _over: Sender<()>,
}

impl Watch {
    /// A thread that hangs cannot be ended, so the process is.
    pub fn over(case: &impl Debug, deadline: Duration) -> Watch {
        let (_over, over) = channel();
        let case = format!("{case:?}");
        std::thread::spawn(move || {
            if over.recv_timeout(deadline) == Err(RecvTimeoutError::Timeout) {
                // Past the test harness, which keeps what is printed until the test has ended.
                let _ = writeln!(
                    std::io::stderr(),
                    "hangs for {deadline:?} in the case {case}"
                );
                std::process::abort();
            }
        });
        Watch { _over }
    }
}
