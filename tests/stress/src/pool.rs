//! Worker processes: started, talked to, killed and reaped.

use crate::clock::now_us;
use crate::message::{Answer, Command};
use crate::place::Place;
use rustix::process::{Pid, Signal, kill_process};
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::Duration;

/// How long a worker may be late before it counts as hung.
pub const PATIENCE_US: u64 = 30_000_000;

/// A process on the segment. It is killed and reaped when dropped.
pub struct Worker {
    child: Child,
    stdin: ChildStdin,
    answers: Receiver<Answer>,
}

impl Worker {
    /// Starts one, without waiting until it is there.
    pub fn start(place: &Place) -> Result<Worker, String> {
        let spawned = std::env::current_exe().and_then(|this| {
            std::process::Command::new(this)
                .arg("worker")
                .arg(place.path())
                .arg(place.bytes.to_string())
                .stdin(Stdio::piped())
                .stdout(Stdio::piped())
                .spawn()
        });
        let mut child = spawned.map_err(|e| format!("cannot start a worker: {e}"))?;
        let stdin = child.stdin.take().expect("piped");
        let stdout = BufReader::new(child.stdout.take().expect("piped"));
        let (tell, answers) = channel();
        std::thread::spawn(move || {
            for line in stdout.lines().map_while(Result::ok) {
                // A worker that is killed may leave half a line.
                let Ok(answer) = serde_json::from_str(&line) else {
                    break;
                };
                if tell.send(answer).is_err() {
                    break;
                }
            }
        });
        Ok(Worker {
            child,
            stdin,
            answers,
        })
    }

    pub fn tell(&mut self, command: &Command) -> Result<(), String> {
        let mut line = serde_json::to_vec(command).expect("plain data");
        line.push(b'\n');
        let told = self.stdin.write_all(&line);
        told.map_err(|e| format!("a worker does not listen: {e}"))
    }

    /// The next answer, waited for until `by` and then as long as patience lasts.
    pub fn answer(&mut self, by: u64) -> Result<Answer, String> {
        let wait = (by + PATIENCE_US).saturating_sub(now_us());
        match self.answers.recv_timeout(Duration::from_micros(wait)) {
            Ok(Answer::Failed(why)) => Err(format!("a worker failed: {why}")),
            Ok(answer) => Ok(answer),
            Err(RecvTimeoutError::Timeout) => Err("a worker hangs".to_owned()),
            Err(RecvTimeoutError::Disconnected) => {
                Err(format!("a worker died: {:?}", self.child.wait()))
            }
        }
    }

    /// What it has said and nobody has asked for yet.
    pub fn said(&self) -> impl Iterator<Item = Answer> {
        self.answers.try_iter()
    }

    pub fn signal(&self, signal: Signal) -> Result<(), String> {
        let pid = Pid::from_child(&self.child);
        kill_process(pid, signal).map_err(|e| format!("cannot signal a worker: {e}"))
    }

    /// Kills and reaps it; returns all that it had still said.
    pub fn kill(&mut self) -> Vec<Answer> {
        let _ = self.child.kill();
        let _ = self.child.wait();
        // The reader ends at the end of the pipe, and the channel with it.
        self.answers.iter().collect()
    }
}

impl Drop for Worker {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Several workers that are ready.
pub fn start(place: &Place, workers: usize) -> Result<Vec<Worker>, String> {
    let mut pool: Vec<Worker> = (0..workers)
        .map(|_| Worker::start(place))
        .collect::<Result<_, _>>()?;
    for worker in &mut pool {
        match worker.answer(now_us())? {
            Answer::Ready => {}
            _ => return Err("a worker answered something else".to_owned()),
        }
    }
    Ok(pool)
}

/// Gives the commands to as many workers, then collects an answer from each of those.
pub fn ask(pool: &mut [Worker], commands: Vec<Command>, by: u64) -> Result<Vec<Answer>, String> {
    let asked = &mut pool[..commands.len()];
    for (worker, command) in asked.iter_mut().zip(&commands) {
        worker.tell(command)?;
    }
    asked.iter_mut().map(|worker| worker.answer(by)).collect()
}
