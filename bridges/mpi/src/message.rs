//! Messages between processes.

use std::time::{Duration, Instant};

use mpi::Rank;
use mpi::Tag;
use mpi::topology::SimpleCommunicator;
use mpi::traits::{Communicator, Destination, Source};

/// Tag of all messages. One tag keeps their order; programs use other tags.
const TAG: Tag = 30_117;

/// Approximate time that a processor takes to wake up and poll for messages.
pub(crate) const WAKE_TIME: Duration = Duration::from_micros(30);

/// The longest time between two polls of a process that has nothing to do.
const MAX_POLL_INTERVAL: Duration = Duration::from_millis(2);

/// The first time between two polls of a waiting process, which leaves its core to others meanwhile.
pub(crate) const FIRST_POLL_INTERVAL: Duration = Duration::from_micros(50);

/// A message.
pub(crate) enum Message {
    /// To the root: requests another group.
    Request,
    /// From the root: a group, or an empty one if there is none left.
    Group(Vec<usize>),
    /// To the root: the record of a task.
    Record(String),
    /// To the root: no group of the process is running.
    Done,
    /// To the root: the part of a process.
    Part(Vec<u8>),
    /// From the root, by way of other processes: bytes for every process.
    Shared(Vec<u8>),
    /// The process ends.
    Left,
}

impl Message {
    fn encode(&self) -> Vec<u8> {
        match self {
            Self::Request => vec![0],
            Self::Group(tasks) => {
                let numbers = tasks.iter().flat_map(|task| (*task as u64).to_le_bytes());
                std::iter::once(1).chain(numbers).collect()
            }
            Self::Record(text) => [&[2], text.as_bytes()].concat(),
            Self::Done => vec![3],
            Self::Shared(bytes) => [&[4], &bytes[..]].concat(),
            Self::Left => vec![5],
            Self::Part(bytes) => [&[6], &bytes[..]].concat(),
        }
    }

    fn decode(bytes: &[u8]) -> Option<Self> {
        let (kind, rest) = bytes.split_first()?;
        Some(match kind {
            0 => Self::Request,
            1 => {
                let (numbers, _) = rest.as_chunks::<8>();
                Self::Group(numbers.iter().map(|number| u64::from_le_bytes(*number) as usize).collect())
            }
            2 => Self::Record(String::from_utf8_lossy(rest).into_owned()),
            3 => Self::Done,
            4 => Self::Shared(rest.to_vec()),
            5 => Self::Left,
            6 => Self::Part(rest.to_vec()),
            _ => return None,
        })
    }
}

/// Sends a message to a process.
pub(crate) fn send(rank: Rank, message: &Message) {
    SimpleCommunicator::world().process_at_rank(rank).send_with_tag(&message.encode()[..], TAG);
}

/// Receives the next message with its sender, if there is one.
pub(crate) fn receive() -> Option<(Rank, Message)> {
    let world = SimpleCommunicator::world();
    loop {
        let rank = world.any_process().immediate_probe_with_tag(TAG)?.source_rank();
        let (bytes, _) = world.process_at_rank(rank).receive_vec_with_tag::<u8>(TAG);
        if let Some(message) = Message::decode(&bytes) {
            return Some((rank, message));
        }
    }
}

/// Leaves the core to others for a moment, which is longer the longer the process has been waiting.
pub(crate) fn wait(since: Instant) {
    std::thread::sleep((since.elapsed() / 20).clamp(FIRST_POLL_INTERVAL, MAX_POLL_INTERVAL));
}
