//! Errors of recordings.

use std::fmt;

use crate::formats::{FormatError, LeftOut};

/// Channels with common times, for messages.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct ClockInfo {
    /// Groups of the channels.
    pub groups: Vec<String>,
    /// Names of the channels.
    pub channels: Vec<String>,
    /// Number of times.
    pub samples: usize,
    /// Sampling interval in s, if the times are equidistant.
    pub interval: Option<f64>,
}

impl fmt::Display for ClockInfo {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} values ", self.samples)?;
        match self.interval {
            Some(interval) => write!(f, "every {interval:.6e} s")?,
            None => write!(f, "at times of their own")?,
        }
        let groups: Vec<&str> = self.groups.iter().map(String::as_str).filter(|group| !group.is_empty()).collect();
        if !groups.is_empty() {
            write!(f, " in {}", listed(&groups))?;
        }
        let channels: Vec<&str> = self.channels.iter().map(String::as_str).collect();
        write!(f, ": {}", listed(&channels))
    }
}

/// Names in a list that is not too long.
pub(super) fn listed(names: &[&str]) -> String {
    const MOST: usize = 8;
    let shown: Vec<String> =
        names.iter().take(MOST).map(|name| format!("`{}`", costate_contract::shown::plain(name))).collect();
    match names.len().checked_sub(MOST) {
        Some(more) if more > 0 => format!("{} and {more} others", shown.join(", ")),
        _ => shown.join(", "),
    }
}

/// The data that were left out, with the reasons, after a colon.
fn reasons(left_out: &[LeftOut]) -> String {
    const MOST: usize = 8;
    let plain = |text: &str| costate_contract::shown::plain(text).into_owned();
    let mut shown: Vec<String> =
        left_out.iter().take(MOST).map(|left| format!("{}: {}", plain(&left.name), plain(&left.reason))).collect();
    if let Some(more) = left_out.len().checked_sub(MOST).filter(|more| *more > 0) {
        shown.push(format!("and {more} others"));
    }
    if shown.is_empty() { String::new() } else { format!(": {}", shown.join("; ")) }
}

/// Reason why a file of a measuring device makes no record.
///
/// `index` is counted from 0.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
#[allow(missing_docs, reason = "messages say what the fields are")]
pub enum RecordingError {
    /// The file cannot be read or written.
    #[error(transparent)]
    Format(#[from] FormatError),
    /// The channels have several sets of times.
    #[error(
        "`{file}` has channels with {} sets of times; choose by the option `group` or the option `channels`:\n{}",
        .clocks.len(), .clocks.iter().map(|clock| format!("  {clock}")).collect::<Vec<_>>().join("\n")
    )]
    Clocks { file: String, clocks: Vec<ClockInfo> },
    /// The file does not say the times of channels.
    #[error("`{file}` does not say the times of {}, {samples} values; \
         {remedy}", listed(&.channels.iter().map(String::as_str).collect::<Vec<_>>()))]
    NoTimes { file: String, channels: Vec<String>, samples: usize, remedy: String },
    /// Values of the channel of times do not increase, or are not finite.
    #[error(
        "`{file}`: `{channel}` is no time: value {index} is {value}, after {before}; name another channel by the \
             option `time_column`, or set the option `rate`",
        value = costate_contract::shown::Exact(*value), before = costate_contract::shown::Exact(*before)
    )]
    Time { file: String, channel: String, index: usize, value: f64, before: f64 },
    /// An interval or rate that is not positive and finite.
    #[error(
        "`{file}`: the sampling interval {interval} s must be positive and finite; set the option `rate` in Hz or the \
             option `every` in s"
    )]
    Interval { file: String, interval: f64 },
    /// A channel that was named as that of times or of the rate cannot be it.
    #[error("`{file}`: `{channel}` has {values} values, and not {wanted}; name another one")]
    Length { file: String, channel: String, values: usize, wanted: String },
    /// A channel of complex values.
    #[error(
        "`{file}`: `{channel}` has complex values, which no signal over time has; choose others by the option \
             `channels`"
    )]
    Complex { file: String, channel: String },
    /// Several channels have the name by which one was wanted.
    #[error("`{file}` has several channels `{channel}`: {}; write the name of the group before \
         it", listed(&.names.iter().map(String::as_str).collect::<Vec<_>>()))]
    Ambiguous { file: String, channel: String, names: Vec<String> },
    /// No channel is there, or none was chosen.
    #[error("`{file}` \
         {}{}", if *.is_chosen { "has no signal of more than one value among the chosen \
         channels" } else { "has no signals" }, reasons(.left_out))]
    NoChannels { file: String, left_out: Vec<LeftOut>, is_chosen: bool },
    /// The file has no frequency response.
    #[error("`{file}` has no frequency response; its functions of frequency are \
         {}", if .kinds.is_empty() { "none".to_owned() } else { .kinds.join(", ") })]
    NoResponses { file: String, kinds: Vec<String> },
    /// Frequencies that are not known, or in another unit than Hz and rad/s.
    #[error(
        "`{file}`: the frequency response `{function}` has no frequencies in Hz or rad/s, but in `{unit}`; export it \
             with them"
    )]
    Frequencies { file: String, function: String, unit: String },
}
