//! A pool under load, in peace or with its victims killed and stopped all the time.

use super::ledger::Books;
use super::load::Load;
use super::timings::Timings;
use crate::clock::now_us;
use crate::message::{Answer, Command};
use crate::place::Place;
use crate::pool::{self, Worker};
use crate::report::Failure;
use rustix::process::Signal;
use std::time::Duration;

/// Workers that nobody touches, and as many that are killed.
const SURVIVORS: usize = 4;
const VICTIMS: usize = 4;
/// How often somebody is killed or stopped.
const HARM_EACH: Duration = Duration::from_millis(8);
const HARD_LIFE: u32 = 8;

/// What was seen.
pub struct Seen {
    pub books: Books,
    /// One for each survivor.
    pub survivors: Vec<Timings>,
    pub kills: u32,
    pub stops: u32,
}

struct Victim {
    worker: Worker,
    /// When it is let go on, if it is stopped.
    stopped_until: Option<u64>,
}

/// Lets all work until the end of the load.
pub fn run(place: &Place, load: &Load, harm: bool) -> Result<Seen, Failure> {
    let mut survivors = pool::start(place, SURVIVORS)?;
    let mut victims: Vec<Victim> = pool::start(place, VICTIMS)?
        .into_iter()
        .map(Victim::new)
        .collect();
    let mut seen = Seen {
        books: Books::default(),
        survivors: Vec::new(),
        kills: 0,
        stops: 0,
    };
    let command = Command::Load(load.clone());
    for worker in workers(&mut survivors, &mut victims) {
        worker.tell(&command)?;
    }
    while now_us() < load.end_us {
        std::thread::sleep(HARM_EACH);
        for worker in workers(&mut survivors, &mut victims) {
            let said: Vec<Answer> = worker.said().collect();
            said.into_iter().try_for_each(|answer| seen.hear(answer))?;
        }
        if harm && now_us() > load.start_us {
            let chosen = fastrand::usize(..VICTIMS);
            harm_one(&mut victims[chosen], place, &command, &mut seen)?;
            victims.iter_mut().try_for_each(Victim::wake)?;
        }
    }
    for victim in &mut victims {
        victim.stopped_until = victim.stopped_until.map(|_| 0);
        victim.wake()?;
        finish(&mut victim.worker, load, &mut seen)?;
    }
    for survivor in &mut survivors {
        let timings = finish(survivor, load, &mut seen)?;
        seen.survivors.push(timings);
    }
    Ok(seen)
}

fn workers<'a>(
    survivors: &'a mut [Worker],
    victims: &'a mut [Victim],
) -> impl Iterator<Item = &'a mut Worker> {
    let victims = victims.iter_mut().map(|victim| &mut victim.worker);
    survivors.iter_mut().chain(victims)
}

/// Kills a victim and starts it again, or stops it for a while, seldom for longer than a claim
/// stands.
fn harm_one(
    victim: &mut Victim,
    place: &Place,
    command: &Command,
    seen: &mut Seen,
) -> Result<(), Failure> {
    if victim.stopped_until.is_none() && fastrand::u32(0..HARD_LIFE) == 0 {
        let length = match fastrand::u32(0..10) {
            0 => 1_200_000,
            _ => fastrand::u64(50_000..300_000),
        };
        victim.worker.signal(Signal::STOP)?;
        victim.stopped_until = Some(now_us() + length);
        seen.stops += 1;
        return Ok(());
    }
    // One that is stopped for long is mostly left alone.
    if victim.stopped_until.is_some() && fastrand::u32(0..HARD_LIFE) != 0 {
        return Ok(());
    }
    let killed = std::mem::replace(victim, Victim::new(Worker::start(place)?));
    killed
        .worker
        .kill()
        .into_iter()
        .try_for_each(|answer| seen.hear(answer))?;
    seen.kills += 1;
    victim.worker.tell(command)
}

/// Waits until a worker is done.
fn finish(worker: &mut Worker, load: &Load, seen: &mut Seen) -> Result<Timings, Failure> {
    loop {
        match worker.answer(load.end_us)? {
            Answer::Load(timings) => return Ok(timings),
            answer => seen.hear(answer)?,
        }
    }
}

impl Victim {
    fn new(worker: Worker) -> Victim {
        Victim {
            worker,
            stopped_until: None,
        }
    }

    /// Lets it go on if it has been stopped for long enough.
    fn wake(&mut self) -> Result<(), Failure> {
        if self.stopped_until.is_some_and(|until| until <= now_us()) {
            self.worker.signal(Signal::CONT)?;
            self.stopped_until = None;
        }
        Ok(())
    }
}

impl Seen {
    fn hear(&mut self, answer: Answer) -> Result<(), Failure> {
        match answer {
            Answer::Ready => {}
            Answer::Ledger(ledger) => self.books.add(ledger),
            Answer::Failed(why) => return Err(format!("a worker failed: {why}")),
            other => return Err(format!("a worker answered {other:?}")),
        }
        Ok(())
    }
}
