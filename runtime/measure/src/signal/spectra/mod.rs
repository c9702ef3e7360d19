//! Spectral densities and frequency responses: averages over segments of records (Welch) or over repetitions, such as
//! blows of a hammer.

mod averaging;
mod cross;
mod density;
mod hermitian;
mod picture;
mod response;
#[cfg(test)]
mod statistics;
#[cfg(test)]
mod tests;

pub use averaging::{Averaging, Estimator};
pub use density::{SpectralDensity, spectral_density};
pub use picture::response_figure;
pub use response::{Responses, frequency_response, frequency_responses};
