//! Measured signals: a [`Record`] has named [`Channel`]s with units over time, from a file or from vectors.
//!
//! ```
//! use costate::Record;
//!
//! let times = vec![0.0, 0.1, 0.2, 0.3];
//! let record = Record::new(times)?
//!     .named("bench 2")
//!     .with_channel("travel", Some("mm"), vec![0.0, 1.2, f64::NAN, 2.9])?
//!     .with_channel("force", Some("kN"), vec![0.0, 0.3, 0.5, 0.8])?;
//! assert_eq!(record.channel("travel")?.missing(), 1);
//! assert_eq!(record.samples("travel")?.values, [0.0, 1.2, 2.9]);
//! # Ok::<(), costate::measure::RecordError>(())
//! ```
//!
//! [`Record::read`] reads the files of loggers and test benches, and [`Record::taken`] says how a CSV file was read. Of
//! a file with several rates or groups, a [`Recording`] chooses channels. [`signal`](crate::signal) prepares records:
//! filters, rates, integrals, orders, clocks, events.
//!
//! Samples may be missing ([`Gap`]); missing samples are not interpolated. The unit of a channel is converted to the
//! unit of the output or input for which it is used, or refused. A channel without a unit is taken in the model's unit,
//! and results note this once ([`AssumedUnit`]).
//!
//! Next: an [`identification`](crate::identify) and a [`cost`](crate::cost) compare outputs with a record, a
//! [`Sampled`](crate::simulate::Sampled) signal drives an input with a channel, and a [`filter`](crate::filter) uses
//! measured samples.

pub use costate_measure::record::{Record, Recording};

// Parts of results, errors, and what few programs name: their pages are those of the crates.
#[doc(no_inline)]
pub use costate_contract::units::{UnitError, UnitFault};
#[cfg(feature = "uff")]
#[doc(no_inline)]
pub use costate_measure::record::write_responses_uff;
#[doc(no_inline)]
pub use costate_measure::record::{
    AssumedUnit, CellFault, Channel, Dof, FrequencyResponse, Gap, RecordError, RecordingError, ResponseError,
    ResponseKind, Rows, SampleFault, Samples, Wanted,
};
#[doc(no_inline)]
pub use costate_measure::record::{
    Clipped, Clocked, Column, CsvReader, DateOrder, Decimal, Doubt, Dropout, Encoding, Limit, NotText, Sampling,
    Separator, Spikes, Taken, Units,
};
