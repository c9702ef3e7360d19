//! Symbolically compiled multibody models: simulation, exact adjoint gradients, parameter identification.
//!
//! A model is written in a [`model!`] block. While the crate builds, the model is checked and differentiated. It
//! becomes a `struct` of its parameters, which the functions of the library take:
//!
//! ```
//! costate::model! {
//!     /// A machine on a mount that hardens.
//!     pub Mount {
//!         parameters { m: kg = 20, c: N/m = 100e3, c_3: N/m^3 = 3e9, d: N*s/m = 40 }
//!         inputs { drive: N }
//!         coordinates { x: m }
//!         mass { x: m }
//!         forces { x: drive - c*x - c_3*x^3 - d*dot(x) }
//!         outputs { acceleration: m/s^2 = ddot(x) }
//!     }
//! }
//!
//! use costate::{Identification, Record, Simulation};
//!
//! fn main() -> anyhow::Result<()> {
//!     let sweep = |t: f64| 500.0 * (60.0 * t * t).sin();
//!     let run = Simulation::new(&Mount::default()).input(Mount::DRIVE, sweep).step(1e-3).until(1.0).run()?;
//!
//!     // The simulation stands in for a measurement; `Record::read_csv` reads a real one.
//!     let acceleration = run.output(Mount::ACCELERATION);
//!     let record = Record::new(run.times())?.with_channel("acceleration", Some("m/s^2"), acceleration)?;
//!     let start = Simulation::new(&Mount { c: 80e3, ..Mount::default() }).input(Mount::DRIVE, sweep);
//!     let fit = Identification::new(&start)
//!         .unknown([Mount::C])
//!         .measured(Mount::ACCELERATION, &record)
//!         .run()?;
//!     println!("{fit}"); // a table: start, found, standard deviation
//!     assert!((fit.model().c - 100e3).abs() < 1.0);
//!     Ok(())
//! }
//! ```
//!
//! # Where to start
//!
//! | task | item |
//! |---|---|
//! | write a model | [`model!`] describes the language; a run can be given [`table`]s of data |
//! | simulate a model | [`Simulation`], the description of a run; its [`Run`] has times, states and outputs |
//! | choose inputs, schemes, steps | [`simulate`] |
//! | animate a run | [`Run::animation`]: a page, glTF, a still; see [`animate`] |
//! | estimate the error of a run | [`Run::accuracy`] |
//! | simulate step by step, in a control loop or together with another simulation | [`Stepper`] |
//! | plot signals, spectra, bands | [`plot`]: SVG, and PNG with the feature `png` |
//! | find positions of rest, modes, frequency responses | [`vibration`] |
//! | compute periodic responses of nonlinear models, dynamic stiffness and its turning points | [`harmonic`] |
//! | report the dynamic stiffness of a mount, measured and computed | [`harmonic::MountTest`] |
//! | read a measurement | [`Record`], with channels, units and gaps in [`measure`] |
//! | read files of test benches | the features `mdf`, `uff`, `mat`, `npy`, `tdms`, `hdf5`, `parquet`, `wav` |
//! | prepare a measurement: filters, rates, orders, clocks, events | [`signal`] |
//! | identify parameters from signals in time | [`Identification`] of a [`Simulation`]; see [`identify`] |
//! | identify parameters from spectra or engine orders | [`Identification::cost`] with a [`cost::SpectrumCost`] |
//! | fit several experiments, unknown inputs and curves, numbers of modes | the table of [`identify`] |
//! | fit from many start values | [`Identification::multistart`] |
//! | resample, follow profiles | [`Fit::bootstrap`], [`Fit::profiles`] |
//! | sample the posterior | the crate `costate-posterior` |
//! | compute the gradient of a cost | [`cost::Cost`], [`simulate::Problem::value_and_gradient`] |
//! | compute other derivatives | [`differentiate`] |
//! | minimise another function | [`optimize`] |
//! | check the derivatives of a model and a gradient | [`check_derivatives()`], [`check_gradient()`] of [`verify`] |
//! | design an experiment | [`experiment`]: predicted standard deviations, and optimal inputs |
//! | estimate states and parameters during a measurement | [`filter`]: Kalman and particle filters, smoothers |
//! | identify a force of unknown form | [`restoring_force`] |
//! | run many independent tasks, also on a cluster, and continue after a crash | [`ensemble`] |
//! | select a model while a program runs | [`Simulation::of`] |
//! | load a model while a program runs, without a build | `interpreted`, with the feature of this name |
//! | write functions that are generic over models | the trait [`Model`]; names, number types: [`model`](mod@model) |
//! | create a crate, check a model, print its equations | the command `costate`: `new`, `check`, `compile`, `report` |
//! | run and fit a model without a program | the command `costate`: `run`, `watch`, `fit`, `modes`, `filter` |
//!
//! Errors are typed, and their messages name the remedy. A program whose `main` returns an `anyhow::Result` prints the
//! message; with `Box<dyn Error>` it would print the fields of the error.
//!
//! # How to build
//!
//! `model!` has two back ends. A model is compiled to Rust, or it is interpreted: the struct of its parameters and its
//! typed names are the same, and so are its numbers to rounding, but the crate compiles in the time of a struct, and
//! runs and gradients take 1.3 to 3 times as long. With the feature `interpreted-models` all models of debug
//! builds are interpreted, and release builds compile them. `#[interpreted]` or `#[compiled]` before a model chooses
//! for every build; the feature `interpreted` is enough for these.
//!
//! `costate new` writes a crate with that feature, and these lines in its `Cargo.toml`. Use `cargo run --release` for
//! long runs.
//!
//! ```toml
//! # Debug builds interpret the models, so that a change of equations is answered at once; release builds compile them.
//! [profile.dev]
//! debug = "line-tables-only"
//!
//! [profile.dev.package]
//! costate-compiler.opt-level = 1
//! costate-interpreter.opt-level = 2
//! costate-kernel.opt-level = 2
//! costate-numerics.opt-level = 2
//! costate-system.opt-level = 1
//! ```
//!
//! For models of hundreds of bodies set `[profile.release.package.costate-compiler] opt-level = 2`: Cargo does not
//! optimise procedural macros by itself.

// This file has the dozen names that nearly every program uses, and a module for each task of a user; every other
// public name is in one of these modules. A module describes the names that programs write, 86 in all at most, and
// re-exports parts of results and errors with `#[doc(no_inline)]`. The hidden module `emitted` is for emitted code
// alone.

pub mod animate;
#[doc(hidden)]
pub mod command;
pub mod cost;
pub mod differentiate;
#[doc(hidden)]
pub mod emitted;
pub mod ensemble;
pub mod experiment;
pub mod filter;
pub mod harmonic;
pub mod identify;
#[cfg(feature = "interpreted")]
pub mod interpreted;
pub mod measure;
pub mod model;
pub mod restoring_force;
pub mod simulate;
pub mod stepper;
pub mod table;
#[cfg(test)]
mod threads;
pub mod verify;
pub mod vibration;

#[cfg(feature = "campaign")]
#[doc(hidden)]
pub use costate_campaign as campaign;
#[cfg(feature = "macros")]
pub use costate_macros::model;
#[doc(no_inline)]
pub use costate_measure::signal;
pub use costate_optimize as optimize;
#[doc(no_inline)]
pub use costate_view::plot;

#[doc(no_inline)]
pub use differentiate::gradient;
#[doc(no_inline)]
pub use identify::{Fit, Identification};
#[doc(no_inline)]
pub use measure::Record;
#[doc(no_inline)]
pub use model::{Constraint, Coordinate, Input, Model, Output, Parameter};
#[doc(no_inline)]
pub use simulate::{Run, Simulation};
#[doc(no_inline)]
pub use stepper::Stepper;
#[doc(no_inline)]
pub use verify::{check_derivatives, check_gradient};
