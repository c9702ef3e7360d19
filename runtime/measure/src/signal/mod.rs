//! Preparation of measured signals, and what every step of it does to a fit.
//!
//! Every function takes a [`Record`] and returns a new one; the record that is read stays what it is. Units follow: the
//! integral of `m/s^2` is in `m/s`. Functions that need equidistant samples refuse gaps and missing samples with an
//! error that says what to do; where missing samples do no harm, they stay missing.
//!
//! | task | function |
//! |---|---|
//! | offsets and trends | [`detrended`], [`zeroed`] |
//! | angles of encoders | [`wrapped`], [`unwrapped`] |
//! | filters | [`filtered`] with a [`Filter`], which a fit applies to the model as well |
//! | another rate | [`at_rate`], [`decimated`] |
//! | integrals, derivatives | [`integrated`], [`differentiated`], [`smoothed`] |
//! | orders | [`Tacho`] |
//! | spectra, with variances | [`spectral_density`], [`frequency_response`] |
//! | responses to several inputs | [`frequency_responses`] |
//! | spectra over time, speed, orders | [`spectrogram`], [`speed_map`], [`order_map`], drawn as a [`Picture`] says |
//! | two recorders | [`synchronisation`] |
//! | events, repetitions | [`events`], [`cut`], [`averaged`] |
//! | noise | [`noise_level`] |
//! | rig | [`without_rig`], [`rig_corrected`] |
//!
//! # Errors of samples after a preparation
//!
//! A fit takes the errors of samples as independent unless it is configured otherwise. Every linear step that mixes
//! samples (filters, rates, integrals, derivatives) makes them dependent: parameters found from such a record are not
//! wrong for it, but their deviations are, and mostly too small. Give the measurement `coloured_noise`, or move the
//! record to a rate at which the errors are independent again.

mod average;
mod calculus;
mod detrend;
mod error;
mod events;
mod filter;
mod kernel;
mod maps;
mod noise;
mod orders;
mod rate;
mod rig;
mod smooth;
mod spectra;
mod synchronise;
mod uniform;
mod unit;
mod window;
mod wrap;

pub use crate::record::{FrequencyResponse, Record, ResponseKind};
pub use average::{Averaged, averaged};
pub use calculus::{Drift, Integrated, differentiated, integrated};
pub use costate_numerics::fourier::Complex;
pub use detrend::{Trend, Zero, Zeroed, detrended, zeroed};
pub use error::SignalError;
pub use events::{Cut, Edge, Event, Trigger, cut, events};
pub use filter::{Filter, FilterMap, filtered};
pub use maps::{MapAxis, Mapping, Picture, Quantity, SpectralMap, order_map, spectrogram, speed_map};
pub use noise::{NoiseLevel, noise_level};
pub use orders::Tacho;
pub use rate::{at_rate, decimated};
pub use rig::{rig_corrected, without_rig};
pub use smooth::{Smoothed, Smoothing, smoothed};
pub use spectra::{
    Averaging, Estimator, Responses, SpectralDensity, frequency_response, frequency_responses, response_figure,
    spectral_density,
};
pub use synchronise::{Synchronisation, synchronisation};
pub use window::Window;
#[doc(hidden)]
pub use wrap::wrap_period;
pub use wrap::{Wrapped, unwrapped, wrapped};
