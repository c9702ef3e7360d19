//! The root deals groups of tasks, and everybody does them.
//!
//! A process asks for as many groups as it has threads; for twice as many where they take so little time that a thread would notice
//! how long an answer takes. Calls of MPI are made by the thread that has the world alone, which waits for messages and for
//! threads that have ended a group.

use std::collections::VecDeque;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::time::{Duration, Instant};

use costate_ensemble::{ExecutorError, Job};
use mpi::Rank;
use rayon::Scope;

use crate::message::{LOOK, Message, POLL, send};
use crate::world::World;

/// Groups that take less than this are asked for in advance.
const SHORT: Duration = Duration::from_millis(250);

/// The longest time between two looks for messages.
const LONGEST_POLL: Duration = Duration::from_millis(10);

/// What threads tell the one that has the world.
enum Event {
    Record(String),
    /// A group has ended, after so much time.
    Ended(Duration),
}

/// The groups of this process.
struct Own<'s, 'j> {
    job: &'s Job<'j>,
    events: Receiver<Event>,
    sender: Sender<Event>,
    running: usize,
    ended: u32,
    time: Duration,
    begun: Instant,
}

/// Tells that a group has ended, also where it panics.
struct Ending(Sender<Event>, Instant);

impl Drop for Ending {
    fn drop(&mut self) {
        // who does not listen any more does not wait either
        let _ = self.0.send(Event::Ended(self.1.elapsed()));
    }
}

impl<'s, 'j> Own<'s, 'j> {
    fn new(job: &'s Job<'j>) -> Self {
        let (sender, events) = channel();
        Self { job, events, sender, running: 0, ended: 0, time: Duration::ZERO, begun: Instant::now() }
    }

    /// How many groups are to be here, running and waiting.
    fn wanted(&self) -> usize {
        let threads = rayon::current_num_threads();
        if self.are_short() { 2 * threads } else { threads }
    }

    /// Whether groups are asked for in advance.
    fn are_short(&self) -> bool {
        self.ended > 0 && self.time / self.ended < SHORT
    }

    /// How long to wait until messages are looked for again: so short that hardly anybody waits for an answer, and so long that looking
    /// takes hardly any processor from tasks. Threads that tell something end it.
    fn pause(&self) -> Duration {
        let pause = match (self.ended, self.are_short()) {
            // as long as none has ended they take at least that long
            (0, _) => self.begun.elapsed() / 20,
            // there is another group meanwhile: before it has ended the root is to see the question, and who has asked the answer
            (ended, true) => self.time / ended / 4,
            // the T for which LOOK group / T, what looking takes, and T / 2, what an answer takes on average, are least together
            (ended, false) => {
                let group = (self.time / ended).as_secs_f64();
                Duration::from_secs_f64((2.0 * LOOK.as_secs_f64() * group).sqrt())
            }
        };
        pause.clamp(POLL, LONGEST_POLL)
    }

    fn begin<'scope>(&mut self, scope: &Scope<'scope>, group: Vec<usize>)
    where
        's: 'scope,
        'j: 'scope,
    {
        self.running += 1;
        let (job, sender) = (self.job, self.sender.clone());
        scope.spawn(move |_| {
            let ending = Ending(sender, Instant::now());
            let records = &ending.0;
            (job.work)(&group, &|record| _ = records.send(Event::Record(record)));
        });
    }

    /// Takes what threads have told; `keep` gets the records. Whether there was something.
    fn take(&mut self, keep: impl Fn(String), may_wait: bool) -> bool {
        let first = match may_wait {
            true => self.events.recv_timeout(self.pause()).ok(),
            false => self.events.try_recv().ok(),
        };
        let Some(first) = first else { return false };
        for event in std::iter::once(first).chain(std::iter::from_fn(|| self.events.try_recv().ok())) {
            match event {
                Event::Record(record) => keep(record),
                Event::Ended(time) => {
                    self.running -= 1;
                    self.ended += 1;
                    self.time += time;
                }
            }
        }
        true
    }
}

/// Deals all groups, and does those that are its own.
pub(crate) fn deal(world: &World, job: &Job<'_>) -> Result<(), ExecutorError> {
    let mut left: VecDeque<&Vec<usize>> = job.groups.iter().collect();
    let mut helping = world.processes() - 1;
    let mut own = Own::new(job);
    rayon::in_place_scope(|scope| {
        let mut next = |rank: Rank| {
            let group = if job.stop.is_triggered() { None } else { left.pop_front() };
            if let Some(group) = group {
                (job.begin)(rank.unsigned_abs() as usize, group);
            }
            group.cloned()
        };
        let mut may_wait = false;
        loop {
            let mut is_done = false;
            while own.running < own.wanted() && !is_done {
                match next(0) {
                    Some(group) => own.begin(scope, group),
                    None => is_done = true,
                }
            }
            if is_done && own.running == 0 && helping == 0 {
                break;
            }
            let mut has_news = own.take(|record| (job.keep)(0, record), may_wait);
            while let Some((rank, message)) = world.poll() {
                has_news = true;
                match message {
                    Message::Request => send(rank, &Message::Group(next(rank).unwrap_or_default())),
                    Message::Record(record) => (job.keep)(rank.unsigned_abs() as usize, record),
                    Message::Done => helping -= 1,
                    Message::Group(_) | Message::Part(_) | Message::Shared(_) | Message::Left => {}
                }
            }
            if !has_news && let Err(error) = world.check_all() {
                // what is under way here ends
                job.stop.trigger();
                return Err(error);
            }
            may_wait = !has_news;
        }
        Ok(())
    })
}

/// Does groups that the root deals.
pub(crate) fn help(world: &World, job: &Job<'_>) -> Result<(), ExecutorError> {
    let mut own = Own::new(job);
    let (mut asked, mut is_over) = (0, false);
    rayon::in_place_scope(|scope| {
        let mut may_wait = false;
        loop {
            while !is_over && own.running + asked < own.wanted() {
                send(0, &Message::Request);
                asked += 1;
            }
            if is_over && asked == 0 && own.running == 0 {
                break;
            }
            let mut has_news = own.take(|record| send(0, &Message::Record(record)), may_wait);
            while let Some((_, message)) = world.poll() {
                has_news = true;
                if let Message::Group(group) = message {
                    asked -= 1;
                    match group.is_empty() {
                        true => is_over = true,
                        false => own.begin(scope, group),
                    }
                }
            }
            if !has_news && let Err(error) = world.check(0) {
                job.stop.trigger();
                return Err(error);
            }
            may_wait = !has_news;
        }
        send(0, &Message::Done);
        Ok(())
    })
}
