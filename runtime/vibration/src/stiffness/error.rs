//! Errors of curves and reports.

use std::path::PathBuf;

use costate_contract::shown::Exact;
use costate_system::model::OtherModel;
use costate_view::plot::PlotError;

use crate::VibrationError;
use crate::harmonic::HarmonicError;

/// The reason why there is no curve or report.
///
/// `index` is counted from 0.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
#[allow(missing_docs, reason = "messages say what the fields are")]
pub enum StiffnessError {
    /// A unit that is not one of a stiffness.
    #[error(
        "`{unit}` is no unit of a stiffness: give a force over a displacement such as N/mm, or a torque over an angle \
         such as N*m/deg"
    )]
    Unit { unit: String },
    /// A unit of an amplitude that is not one of a displacement, an angle, a force or a torque.
    #[error(
        "an amplitude in `{unit}` is not that of an excitation: give a displacement (mm), an angle (deg), a force \
         (N) or a torque (N*m)"
    )]
    AmplitudeUnit { unit: String },
    /// An amplitude that is not positive and finite.
    #[error("the amplitude {value} is not positive and finite", value = Exact(*value))]
    Amplitude { value: f64 },
    /// A preload in a unit that is not one of a force or torque, or that is not finite.
    #[error("a preload of {value} {unit}: give a finite force (N) or torque (N*m)", value = Exact(*value))]
    Preload { value: f64, unit: String },
    /// Numbers of a curve that are not as many as its frequencies.
    #[error("{given} {what} for {needed} frequencies: give one for each frequency")]
    Count { what: &'static str, given: usize, needed: usize },
    /// A curve without lines.
    #[error("a curve without lines: give at least one frequency")]
    NoLine,
    /// A frequency that is zero, negative or not finite.
    #[error(
        "frequency {index} is {value} Hz: give positive, finite frequencies; the static stiffness is no line of a \
         curve",
        value = Exact(*value)
    )]
    Frequency { index: usize, value: f64 },
    /// Frequencies that do not increase.
    #[error(
        "the frequency {value} Hz follows {before} Hz: give each frequency once, in increasing order",
        value = Exact(*value), before = Exact(*before)
    )]
    Order { value: f64, before: f64 },
    /// A stiffness that is infinite or not a number.
    #[error(
        "the stiffness at {frequency} Hz is not a finite number: leave out this line",
        frequency = Exact(*frequency)
    )]
    NotFinite { frequency: f64 },
    /// A stiffness of zero, which has no level.
    #[error(
        "the stiffness at {frequency} Hz is zero, which has no level: leave out this line",
        frequency = Exact(*frequency)
    )]
    Zero { frequency: f64 },
    /// A test without curves.
    #[error("the test has no curve: add measured curves by `.measured(..)`, or those of a model by `.model(..)`")]
    NoCurve,
    /// Two measured curves, or two of the model, with the same amplitude.
    #[error("there are two {origin} curves for {amplitude}: give one for each amplitude")]
    RepeatedAmplitude { origin: &'static str, amplitude: String },
    /// Curves in N/m and in N*m/rad.
    #[error("the test has curves in N/m and in N*m/rad: make a report of each")]
    MixedUnits,
    /// Measured curves of which the model has no line.
    #[error(
        "no line of the measured curves is one of the model's: compute the model at the measured frequencies and \
         amplitudes"
    )]
    NothingInCommon,
    /// An output of another model.
    #[error(transparent)]
    OtherModel(#[from] OtherModel),
    /// A computed motion without a stiffness.
    #[error(transparent)]
    Harmonic(#[from] HarmonicError),
    /// A linear response that is no stiffness.
    #[error(transparent)]
    Vibration(#[from] VibrationError),
    /// A picture that cannot be drawn.
    #[error(transparent)]
    Plot(#[from] PlotError),
    /// A file that cannot be written.
    #[error("`{}` cannot be written", .path.display())]
    Write {
        path: PathBuf,
        #[source]
        source: std::io::Error,
    },
}
