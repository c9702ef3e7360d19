//! Plain data of a file: channels in groups, and functions of frequency.

use std::sync::Arc;

use crate::formats::Format;

/// All that a file holds.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Recording {
    /// The format of the file.
    pub format: Format,
    /// Groups of channels, in the order of the file.
    pub groups: Vec<Group>,
    /// Spectra, frequency responses and coherences, in the order of the file.
    pub spectra: Vec<Spectrum>,
    /// Texts that belong to the whole file, with their names, such as its author.
    pub texts: Vec<(String, String)>,
    /// Data of the file that are not among the channels, with the reason.
    pub left_out: Vec<LeftOut>,
    /// Sentences about what the numbers may not show, such as a sampling interval of few digits.
    pub notes: Vec<String>,
}

impl Recording {
    /// A recording without data.
    pub fn new(format: Format) -> Self {
        let (groups, spectra, texts, left_out, notes) = Default::default();
        Self { format, groups, spectra, texts, left_out, notes }
    }

    #[cfg(any(
        feature = "mat",
        feature = "tdms",
        feature = "hdf5",
        feature = "parquet",
        feature = "mdf",
        feature = "npy"
    ))]
    pub(crate) fn leave_out(&mut self, name: impl Into<String>, reason: impl Into<String>) {
        self.left_out.push(LeftOut::new(name, reason));
    }

    /// Notes that whole numbers of a channel are rounded.
    #[cfg(any(feature = "mat", feature = "tdms", feature = "hdf5", feature = "parquet", feature = "npy"))]
    pub(crate) fn note_rounded(&mut self, name: &str) {
        self.notes.push(format!("`{name}` has whole numbers beyond 2^53, which are rounded"));
    }

    /// Adds channels to the group with this name, which may be a new one.
    #[cfg(any(feature = "mat", feature = "npy"))]
    pub(crate) fn add_channels(&mut self, group: &str, channels: impl Iterator<Item = Channel>) {
        match self.groups.iter_mut().find(|known| known.name == group) {
            Some(known) => known.channels.extend(channels),
            None => self.groups.push(Group { channels: channels.collect(), ..Group::new(group) }),
        }
    }
}

/// Channels that the file keeps together.
#[derive(Debug, Clone, PartialEq, Default)]
#[non_exhaustive]
pub struct Group {
    /// Name in the file, empty if it has none.
    pub name: String,
    /// Comment in the file.
    pub comment: Option<String>,
    /// Channels in the order of the file.
    pub channels: Vec<Channel>,
}

impl Group {
    /// A group without channels.
    pub fn new(name: impl Into<String>) -> Self {
        Self { name: name.into(), ..Self::default() }
    }
}

/// One signal.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Channel {
    /// Name in the file.
    pub name: String,
    /// Unit as the file writes it.
    pub unit: Option<String>,
    /// The device or the place that the signal comes from, such as a node with its direction.
    pub source: Option<String>,
    /// Comment in the file.
    pub comment: Option<String>,
    /// Times of the values.
    pub axis: Axis,
    /// Clock time at which the axis is 0, if the file has it.
    pub start: Option<ClockTime>,
    /// Values in the unit, NaN where there is none.
    pub values: Vec<f64>,
    /// Imaginary parts of complex values; empty for real ones.
    pub imaginary: Vec<f64>,
    /// Smallest and largest value that the device can deliver, if the format says so.
    pub full_scale: Option<(f64, f64)>,
    /// Marks values that the file keeps as times or durations, which are in s, and a time that a structure has for its
    /// signals.
    pub is_time: bool,
    /// Group and name in the file, separated by a point, where the channel is called otherwise.
    pub path: Option<String>,
}

impl Channel {
    /// A channel of real values that says nothing of itself.
    pub fn new(name: impl Into<String>, values: Vec<f64>) -> Self {
        Self {
            name: name.into(),
            unit: None,
            source: None,
            comment: None,
            axis: Axis::Unknown,
            start: None,
            values,
            imaginary: Vec::new(),
            full_scale: None,
            is_time: false,
            path: None,
        }
    }
}

/// Positions of values along time or frequency.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum Axis {
    /// The file does not say them.
    Unknown,
    /// Equidistant positions.
    Even {
        /// Position of the first value, in s or in the unit of the frequency.
        start: f64,
        /// Distance of two values, positive.
        step: f64,
    },
    /// A position for every value. Channels that share them share the vector.
    Stamps(Arc<Vec<f64>>),
}

impl Axis {
    /// Position of the value with this index; `None` where the file does not say it.
    pub fn at(&self, index: usize) -> Option<f64> {
        match self {
            Self::Unknown => None,
            Self::Even { start, step } => Some(start + index as f64 * step),
            Self::Stamps(stamps) => stamps.get(index).copied(),
        }
    }
}

/// A time of the clock.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
pub struct ClockTime {
    /// Seconds since 1970-01-01 00:00.
    pub seconds: i64,
    /// Nanoseconds within the second, less than 1e9.
    pub nanoseconds: u32,
    /// Marks a time of the place where it was recorded; other times are universal time.
    pub is_local: bool,
}

impl ClockTime {
    /// Makes a time.
    pub fn new(seconds: i64, nanoseconds: u32, is_local: bool) -> Self {
        Self { seconds, nanoseconds, is_local }
    }

    /// Seconds from `earlier` to this time.
    pub fn since(self, earlier: Self) -> f64 {
        let whole = (i128::from(self.seconds) - i128::from(earlier.seconds)) as f64;
        whole + (f64::from(self.nanoseconds) - f64::from(earlier.nanoseconds)) * 1e-9
    }
}

impl std::fmt::Display for ClockTime {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        // days to a date of the Gregorian calendar, with years that begin in March
        let (days, second) = (self.seconds.div_euclid(86_400), self.seconds.rem_euclid(86_400));
        let days = days + 719_468;
        let (era, day_of_era) = (days.div_euclid(146_097), days.rem_euclid(146_097));
        let year_of_era = (day_of_era - day_of_era / 1460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
        let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
        let month = (5 * day_of_year + 2) / 153;
        let day = day_of_year - (153 * month + 2) / 5 + 1;
        let month = if month < 10 { month + 3 } else { month - 9 };
        let year = year_of_era + 400 * era + i64::from(month <= 2);
        let (hour, minute, second) = (second / 3600, second / 60 % 60, second % 60);
        write!(f, "{year:04}-{month:02}-{day:02} {hour:02}:{minute:02}:{second:02}")?;
        if self.nanoseconds != 0 {
            let digits = format!("{:09}", self.nanoseconds);
            write!(f, ".{}", digits.trim_end_matches('0'))?;
        }
        f.write_str(if self.is_local { " local time" } else { " UTC" })
    }
}

/// A function of frequency between two degrees of freedom.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Spectrum {
    /// The function.
    pub kind: SpectrumKind,
    /// Description in the file, empty if it has none.
    pub name: String,
    /// Degree of freedom of the response.
    pub response: Dof,
    /// Degree of freedom of the reference, which is excited; `None` for functions of one signal.
    pub reference: Option<Dof>,
    /// Frequencies.
    pub axis: Axis,
    /// Unit of the frequencies, Hz where the file says nothing.
    pub frequency_unit: String,
    /// Real parts, or all values of a real function.
    pub real: Vec<f64>,
    /// Imaginary parts; empty for a real function.
    pub imaginary: Vec<f64>,
    /// Unit of the response, the numerator.
    pub unit: Option<String>,
    /// Unit of the reference, the denominator.
    pub reference_unit: Option<String>,
    /// Remaining texts of the file, such as the date.
    pub comment: Option<String>,
}

impl Spectrum {
    /// A real function of frequencies in Hz without a name; its fields take the rest.
    pub fn new(kind: SpectrumKind, axis: Axis, real: Vec<f64>) -> Self {
        let (response, name, frequency_unit) = (Dof::default(), String::new(), "Hz".to_owned());
        let (reference, imaginary, unit, reference_unit, comment) = Default::default();
        Self { kind, name, response, reference, axis, frequency_unit, real, imaginary, unit, reference_unit, comment }
    }
}

/// The kind of a [`Spectrum`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum SpectrumKind {
    /// Auto spectrum of a signal.
    Auto,
    /// Cross spectrum of response and reference.
    Cross,
    /// Frequency response: response per reference.
    FrequencyResponse,
    /// Transmissibility: response per response.
    Transmissibility,
    /// Ordinary coherence of response and reference.
    Coherence,
    /// Coherence of the response and all references.
    MultipleCoherence,
    /// Power spectral density.
    PowerDensity,
    /// Energy spectral density.
    EnergyDensity,
    /// Linear spectrum of a signal.
    Linear,
}

impl std::fmt::Display for SpectrumKind {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::Auto => "auto spectrum",
            Self::Cross => "cross spectrum",
            Self::FrequencyResponse => "frequency response",
            Self::Transmissibility => "transmissibility",
            Self::Coherence => "coherence",
            Self::MultipleCoherence => "multiple coherence",
            Self::PowerDensity => "power spectral density",
            Self::EnergyDensity => "energy spectral density",
            Self::Linear => "spectrum",
        })
    }
}

/// A degree of freedom of a tested structure.
#[derive(Debug, Clone, PartialEq, Eq, Default, PartialOrd, Ord)]
#[non_exhaustive]
pub struct Dof {
    /// Name of the component, empty if there is none.
    pub entity: String,
    /// Number of the node.
    pub node: i64,
    /// Direction: 0 is a scalar, 1 to 3 are translations along x, y and z, 4 to 6 rotations about them, negative
    /// against them.
    pub direction: i8,
}

impl Dof {
    /// Makes a degree of freedom.
    pub fn new(entity: impl Into<String>, node: i64, direction: i8) -> Self {
        Self { entity: entity.into(), node, direction }
    }
}

/// Node and direction, as in `12:+Z`, with the entity before them.
impl std::fmt::Display for Dof {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        if !self.entity.is_empty() {
            write!(f, "{}:", self.entity)?;
        }
        write!(f, "{}", self.node)?;
        let sign = if self.direction < 0 { '-' } else { '+' };
        match self.direction.unsigned_abs() {
            0 => Ok(()),
            axis @ 1..=3 => write!(f, ":{sign}{}", ["X", "Y", "Z"][usize::from(axis - 1)]),
            axis @ 4..=6 => write!(f, ":{sign}R{}", ["X", "Y", "Z"][usize::from(axis - 4)]),
            other => write!(f, ":{sign}{other}"),
        }
    }
}

/// Data of a file that are not among the channels.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct LeftOut {
    /// Name in the file.
    pub name: String,
    /// Reason, such as a type without numbers.
    pub reason: String,
}

impl LeftOut {
    /// Makes an entry.
    pub fn new(name: impl Into<String>, reason: impl Into<String>) -> Self {
        Self { name: name.into(), reason: reason.into() }
    }
}
