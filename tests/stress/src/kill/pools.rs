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
/// How often somebody is killed or stopped, if the machine is fast enough.
const HARM_EACH_US: u64 = 10_000;
/// What the machine was too slow for is made up for, so many at once at most.
const MOST_AT_ONCE: u64 = 4;
const LISTEN_EACH: Duration = Duration::from_millis(5);
/// Of so many times that a victim is chosen it is stopped once, else killed.
const STOP_ONE_IN: u32 = 8;

/// What was seen.
#[derive(Default)]
pub struct Seen {
    pub books: Books,
    /// One for each survivor.
    pub survivors: Vec<Timings>,
    pub kills: u32,
    pub stops: u32,
}

struct Member {
    worker: Worker,
    /// Once it is done.
    timings: Option<Timings>,
    /// When it is let go on, if it is stopped.
    stopped_until: Option<u64>,
}

/// Lets all work until the end of the load.
pub fn run(place: &Place, load: &Load, harm: bool) -> Result<Seen, Failure> {
    let pool = pool::start(place, SURVIVORS + VICTIMS)?;
    let mut pool: Vec<Member> = pool.into_iter().map(Member::new).collect();
    let mut seen = Seen::default();
    let command = Command::Load(load.clone());
    for member in &mut pool {
        member.worker.tell(&command)?;
    }
    while now_us() < load.end_us {
        std::thread::sleep(LISTEN_EACH);
        for member in &mut pool {
            let said: Vec<Answer> = member.worker.said().collect();
            said.into_iter()
                .try_for_each(|answer| member.hear(answer, &mut seen.books))?;
        }
        let due = now_us().saturating_sub(load.start_us) / HARM_EACH_US;
        let behind = due.saturating_sub(u64::from(seen.kills + seen.stops));
        for _ in 0..behind.min(if harm { MOST_AT_ONCE } else { 0 }) {
            let chosen = fastrand::usize(..VICTIMS);
            harm_one(&mut pool[chosen], place, &command, &mut seen)?;
        }
        pool.iter_mut().try_for_each(Member::wake)?;
    }
    for member in &mut pool {
        member.stopped_until = member.stopped_until.map(|_| 0);
        member.wake()?;
        while member.timings.is_none() {
            let answer = member.worker.answer(load.end_us)?;
            member.hear(answer, &mut seen.books)?;
        }
    }
    let survivors = pool.drain(VICTIMS..).filter_map(|member| member.timings);
    seen.survivors = survivors.collect();
    Ok(seen)
}

/// Kills a victim and starts it again, or stops it for a while, seldom for longer than a claim
/// stands.
fn harm_one(
    victim: &mut Member,
    place: &Place,
    command: &Command,
    seen: &mut Seen,
) -> Result<(), Failure> {
    if victim.stopped_until.is_none() && fastrand::u32(0..STOP_ONE_IN) == 0 {
        let length = match fastrand::u32(0..10) {
            0 => 1_200_000,
            _ => fastrand::u64(50_000..300_000),
        };
        victim.worker.signal(Signal::STOP)?;
        victim.stopped_until = Some(now_us() + length);
        seen.stops += 1;
        return Ok(());
    }
    // One that is stopped is mostly left alone.
    if victim.stopped_until.is_some() && fastrand::u32(0..STOP_ONE_IN) != 0 {
        return Ok(());
    }
    let mut next = Member::new(Worker::start(place)?);
    next.worker.tell(command)?;
    let mut killed = std::mem::replace(victim, next);
    for answer in killed.worker.kill() {
        killed.hear(answer, &mut seen.books)?;
    }
    seen.kills += 1;
    Ok(())
}

impl Member {
    fn new(worker: Worker) -> Member {
        Member {
            worker,
            timings: None,
            stopped_until: None,
        }
    }

    fn hear(&mut self, answer: Answer, books: &mut Books) -> Result<(), Failure> {
        match answer {
            Answer::Ready => {}
            Answer::Ledger(ledger) => books.add(ledger),
            Answer::Load(timings) => self.timings = Some(timings),
            Answer::Failed(why) => return Err(format!("a worker failed: {why}")),
            _ => return Err("a worker answered something else".to_owned()),
        }
        Ok(())
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
