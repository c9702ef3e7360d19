//! What processes say to each other.

use std::time::{Duration, Instant};

use mpi::Rank;
use mpi::Tag;
use mpi::topology::SimpleCommunicator;
use mpi::traits::{Communicator, Destination, Source};

/// Of all messages, so that they keep their order; programs have others.
const TAG: Tag = 30_117;

/// About what it takes a processor to wake up and look for messages.
pub(crate) const LOOK: Duration = Duration::from_micros(30);

/// The longest time between two looks of a process that has nothing to do.
const LONGEST_WAIT: Duration = Duration::from_millis(2);

/// A process that waits looks for messages so often at first; it leaves its core to others meanwhile.
pub(crate) const POLL: Duration = Duration::from_micros(50);

/// A message.
pub(crate) enum Message {
    /// To the root: another group is welcome.
    Request,
    /// From the root: a group; an empty one if there is none left.
    Group(Vec<usize>),
    /// To the root: the record of a task.
    Record(String),
    /// To the root: nothing more is under way.
    Done,
    /// To the root: what a process has.
    Part(Vec<u8>),
    /// From the root, by way of others: what everybody is to have.
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

/// The next message and where it comes from, if there is one.
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

/// Leaves the core to others for a moment: for longer ones where the process has waited since long ago.
pub(crate) fn wait(since: Instant) {
    std::thread::sleep((since.elapsed() / 20).clamp(POLL, LONGEST_WAIT));
}
