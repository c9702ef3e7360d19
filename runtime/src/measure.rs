//! Measured signals: a [`Record`] has named [`Channel`]s with units over time, from a CSV file or from memory.
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
//! Samples may be missing ([`Gap`]), and no value is made up for them. Units are compared with those of what a channel is for,
//! and converted; a channel without a unit is taken to be in the model's, which results say once ([`AssumedUnit`]).
//!
//! From here: a record is what an output should be in an [`identification`](crate::identify) and in a
//! [`cost`](crate::cost), what drives an input as [`Sampled`](crate::simulate::Sampled) signal, and what a
//! [`filter`](crate::filter) follows.

pub use crate::record::{Record, RecordError};

// Parts of results, errors, and what few programs name: their pages are those of the crates.
#[doc(no_inline)]
pub use crate::record::{AssumedUnit, Channel, Gap, Rows, SampleFault, Samples, Wanted};
#[doc(no_inline)]
pub use costate_contract::units::{UnitError, UnitFault};
