//! Prediction errors: identification by the likelihood of the innovations of an extended Kalman filter (KE 1.4.1).
//!
//! A simulation from one start follows a record as long as neither noise drives the model nor its motion is unstable;
//! a filter is corrected by every measurement and predicts the next one. `motion` and `process` make the filter's
//! process of the equations of a model, in plain and in dual numbers, and `sensors` adds what its sensors do by
//! themselves; `record` has what was measured at its steps; `objective` is -2 log L with its exact gradient, and `fit`
//! minimises it.

mod error;
mod fit;
mod motion;
mod noise;
mod objective;
mod process;
mod record;
mod result;
mod sensors;
#[cfg(test)]
mod tests;

pub use error::PredictionErrorFault;
pub use noise::{NoiseDeviation, ProcessNoise};
pub use result::{ChannelInnovations, EstimatedNumber, PredictionErrorFit, PredictionErrorStage};
