//! Distribution of groups of tasks: the root deals them, and all processes do them.
//!
//! A process asks for as many groups as it has threads, and for twice as many if groups are so short that the time to
//! an answer would keep threads waiting. Only the thread that owns the world calls MPI; it waits for messages and for
//! threads that have finished a group.

use std::collections::VecDeque;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::time::{Duration, Instant};

use costate_ensemble::{ExecutorError, Job};
use mpi::Rank;
use rayon::Scope;

use crate::message::{FIRST_POLL_INTERVAL, Message, WAKE_TIME, send};
use crate::world::World;

/// Groups that take less time than this are requested in advance.
const SHORT_GROUP_TIME: Duration = Duration::from_millis(250);

/// The longest time between two polls for messages.
const MAX_POLL_INTERVAL: Duration = Duration::from_millis(10);

/// An event that threads report to the thread that owns the world.
enum Event {
    Record(String),
    /// A group has ended after this time.
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

/// Reports that a group has ended, even if it panics.
struct Ending(Sender<Event>, Instant);

impl Drop for Ending {
    fn drop(&mut self) {
        // a receiver that has gone away does not wait for the event
        let _ = self.0.send(Event::Ended(self.1.elapsed()));
    }
}

impl<'s, 'j> Own<'s, 'j> {
    fn new(job: &'s Job<'j>) -> Self {
        let (sender, events) = channel();
        Self { job, events, sender, running: 0, ended: 0, time: Duration::ZERO, begun: Instant::now() }
    }

    /// Returns the number of groups that this process should have, running and waiting.
    fn wanted(&self) -> usize {
        let threads = rayon::current_num_threads();
        if self.are_short() { 2 * threads } else { threads }
    }

    /// Checks whether groups are to be requested in advance.
    fn are_short(&self) -> bool {
        self.ended > 0 && self.time / self.ended < SHORT_GROUP_TIME
    }

    /// Returns the time to wait before the next poll for messages: short enough that other processes hardly wait for
    /// an answer, and long enough that polling takes hardly any processor time from tasks. Events of threads end the
    /// wait.
    fn pause(&self) -> Duration {
        let pause = match (self.ended, self.are_short()) {
            // before the first group has ended, all groups take at least the elapsed time
            (0, _) => self.begun.elapsed() / 20,
            // another group is waiting: the root has to see the request, and the requester the answer, before that
            // group has ended
            (ended, true) => self.time / ended / 4,
            // the T that minimises WAKE_TIME group / T, the cost of polling, plus T / 2, the average wait for an answer
            (ended, false) => {
                let group = (self.time / ended).as_secs_f64();
                Duration::from_secs_f64((2.0 * WAKE_TIME.as_secs_f64() * group).sqrt())
            }
        };
        pause.clamp(FIRST_POLL_INTERVAL, MAX_POLL_INTERVAL)
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

    /// Takes the events of threads; `keep` receives the records. Returns `true` if there were any events.
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

/// Deals all groups, and does those of the root itself.
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
                // ends the groups that are running here
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
