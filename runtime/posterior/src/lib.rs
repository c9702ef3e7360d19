//! Sampling of the posterior of the unknowns of an identification, with diagnostics of how far the draws can be
//! trusted.
//!
//! A fit gives one value for each unknown, and standard deviations that hold where the model is nearly linear in
//! them. A [`Posterior`] does not need a nearly linear model: its draws have the curvature, the skewness and the
//! bounds of the true distribution, and the values of any function of the unknowns at the draws have the
//! distribution of that function. The price is some ten thousand simulations with their gradients.
//!
//! ```
//! # costate::model! {
//! #     pub Mount {
//! #         parameters { m: kg = 20, c: N/m = 100e3, d: N*s/m = 400 }
//! #         inputs { drive: N }
//! #         coordinates { x: m }
//! #         mass { x: m }
//! #         forces { x: drive - c*x - d*dot(x) }
//! #         outputs { position: m = x }
//! #     }
//! # }
//! use costate::{Identification, Record, Simulation};
//! use costate_posterior::{Posterior, Sampler};
//!
//! # fn main() -> anyhow::Result<()> {
//! let hit = |t: f64| if t < 0.01 { 200.0 * (std::f64::consts::PI * t / 0.01).sin() } else { 0.0 };
//! # let run = Simulation::new(&Mount::default()).input(Mount::DRIVE, hit).step(2.5e-4).until(0.1).run()?;
//! # let noise = |(i, x): (usize, &f64)| x + 1e-5 * (7.0 * i as f64).sin();
//! # let noisy = run.output(Mount::POSITION).iter().enumerate().map(noise).collect();
//! # let record = Record::new(run.times())?.with_channel("position", Some("m"), noisy)?;
//! let simulation = Simulation::new(&Mount { c: 90e3, ..Mount::default() }).input(Mount::DRIVE, hit);
//! let identification =
//!     || Identification::new(&simulation).unknown([Mount::C, Mount::D]).measured(Mount::POSITION, &record);
//! let fit = identification().run()?;
//! let posterior = Posterior::of(identification())?.from_fit(&fit)?;
//! let samples = posterior.sample(&Sampler::new().chains(2).warmup(200).draws(200))?;
//! println!("{samples}"); // a table, and what makes it doubtful
//! # assert_eq!(samples.names(), ["c", "d", "deviation of position"]);
//! # Ok(())
//! # }
//! ```
//!
//! | question | answer |
//! |---|---|
//! | which standard deviation has the noise | the one that the [`Measurement`] gives; else it is an unknown as well |
//! | what is known beforehand | [`Identification::prior`], bounds, [`Posterior::deviation_prior`]; else uniform |
//! | a simulation fails | that trajectory ends there as a divergence, which the [`Summary`] counts and reports |
//! | chains on several processes, and after a crash | [`Sampler::ensemble`]: every chain is a task |
//! | a density of one's own | [`LogDensity`] |
//! | further analysis | [`Samples::write`], a file for ArviZ |
//!
//! The sampler is that of the crate `nuts-rs`, which does not appear in the interface.
//!
//! [`Measurement`]: costate::identify::Measurement
//! [`Identification::prior`]: costate::Identification::prior

mod chain;
mod density;
pub mod diagnostics;
mod error;
mod nuts;
mod posterior;
mod progress;
mod sampler;
mod samples;
mod summary;
mod summary_row;
mod transform;
mod warning;
mod whitening;

pub use chain::{Chain, DrawStatistics, FailedEvaluations, Warmup};
pub use density::{Fault, LogDensity};
pub use error::{PosteriorError, SamplingError};
pub use posterior::Posterior;
pub use progress::ChainProgress;
pub use sampler::Sampler;
pub use samples::Samples;
pub use summary::Summary;
pub use summary_row::SummaryRow;
pub use warning::Warning;
