//! Times that a file has among its channels: which channel is the time of which.
//!
//! A time counts for the channels of its group, and for those of the groups within it: `out.time` for
//! `out.signals.values`. The nearest one counts; of those in the same group, one that is called a time before one that
//! the file only keeps as such.

use crate::formats::{Axis, Channel, Recording};

use super::names::time_name;

/// A channel by its group and its place there.
pub(super) type Place = (usize, usize);

/// Channels that may be times.
pub(super) struct OwnTimes<'a> {
    data: &'a Recording,
    candidates: Vec<Candidate<'a>>,
}

struct Candidate<'a> {
    /// Group whose channels, and those of the groups within, may have this time.
    home: &'a str,
    place: Place,
    channel: &'a Channel,
    is_named: bool,
}

/// The times of a channel.
pub(super) enum Found {
    None,
    One(Place),
    Several,
}

/// Checks for a channel for which the file has no times, and which is no single value.
pub(super) fn is_open(channel: &Channel) -> bool {
    channel.axis == Axis::Unknown && channel.values.len() > 1
}

impl<'a> OwnTimes<'a> {
    pub fn of(data: &'a Recording) -> Self {
        let mut candidates = Vec::new();
        for (index, group) in data.groups.iter().enumerate() {
            for (place, channel) in group.channels.iter().enumerate() {
                let is_named = time_name(&channel.name).is_some();
                if !is_open(channel) || !channel.imaginary.is_empty() || !(is_named || channel.is_time) {
                    continue;
                }
                // the axis of a recording of dSPACE is next to its signals
                let home = match group.name.rsplit_once('.') {
                    Some((around, last)) if channel.is_time && last.starts_with('X') => around,
                    _ => &group.name,
                };
                candidates.push(Candidate { home, place: (index, place), channel, is_named });
            }
        }
        Self { data, candidates }
    }

    /// Finds the times of a channel, which may be the channel itself.
    pub fn find(&self, (group, channel): Place) -> Found {
        let Some(group) = self.data.groups.get(group) else { return Found::None };
        let Some(channel) = group.channels.get(channel) else { return Found::None };
        let fits = |candidate: &&Candidate| {
            candidate.channel.values.len() == channel.values.len() && is_within(&group.name, candidate.home)
        };
        let rank = |candidate: &Candidate| (candidate.home.len(), candidate.is_named);
        let Some(best) = self.candidates.iter().filter(fits).map(rank).max() else { return Found::None };
        let mut found = self.candidates.iter().filter(fits).filter(|candidate| rank(candidate) == best);
        let Some(first) = found.next() else { return Found::None };
        // the same times twice are one time
        match found
            .all(|other| other.channel.values == first.channel.values && other.channel.unit == first.channel.unit)
        {
            true => Found::One(first.place),
            false => Found::Several,
        }
    }

    /// Checks whether a channel is one of those that may be times.
    pub fn has(&self, place: Place) -> bool {
        self.candidates.iter().any(|candidate| candidate.place == place)
    }
}

/// Checks whether a group is another, or stands within it.
fn is_within(group: &str, around: &str) -> bool {
    around.is_empty() || group.strip_prefix(around).is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
}
