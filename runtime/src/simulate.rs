//! Running a model in time: [`Simulation`] is the builder, [`Run`] its result.
//!
//! ```
//! # costate::model! {
//! #     pub Mount {
//! #         parameters { m: kg = 20, c: N/m = 100e3, d: N*s/m = 40 }
//! #         inputs { drive: N }
//! #         coordinates { x: m }
//! #         mass { x: m }
//! #         forces { x: drive - c*x - d*dot(x) }
//! #         outputs { position: m = x, acceleration: m/s^2 = ddot(x) }
//! #     }
//! # }
//! use costate::Simulation;
//! use costate::simulate::Scheme;
//!
//! let mount = Mount::default();
//! let simulation = Simulation::new(&mount).input(Mount::DRIVE, |t: f64| 50.0 * (30.0 * t).sin()).until(1.0);
//! let run = simulation.clone().step(1e-3).scheme(Scheme::default()).run()?;
//! let largest = run.output(Mount::POSITION).into_iter().fold(0.0, f64::max);
//! println!("at most {largest} m, errors of the step size:\n{}", run.accuracy()?);
//!
//! // Half the step size, for the same mount with other parameters: a `Problem` is a run without them.
//! let problem = simulation.step(5e-4).problem()?;
//! let softer = problem.outputs(&costate::Model::parameters(&Mount { c: 80e3, ..mount }))?;
//! assert_eq!(softer.samples(), 2001);
//! # Ok::<(), costate::simulate::SimulationError>(())
//! ```
//!
//! | what you want to say | what says it |
//! |---|---|
//! | what drives an input | [`InputSignal`]: a constant, a function of time, a [`Sampled`] signal |
//! | how a step is made, and of which length | [`Scheme`], [`Steps`], [`NewtonSettings`] |
//! | how much memory a run may take | [`Settings::memory_limit`], [`Checkpoints`]; [`Memory`] says what it takes |
//! | that it is to end early | [`Interrupt`] |
//!
//! A run whose step is too large for its accuracy is refused, see [`Run::accuracy`]; every other reason why a run fails is in
//! [`SimulationError`]. From here: [`cost`](crate::cost) makes a number of a run, [`differentiate`](crate::differentiate) its
//! gradient; [`stepper`](crate::stepper) goes on without an end, [`linearize`](crate::linearize) gives natural frequencies.

pub use crate::input::{InputSignal, Sampled};
pub use crate::interrupt::Interrupt;
pub use crate::problem::{Checkpoints, Problem, SimulationError};
pub use costate_simulation::{Run, Simulation};
pub use costate_system::step::{NewtonSettings, Scheme};

// Parts of results, errors, and what few programs name: their pages are those of the crates.
#[doc(no_inline)]
pub use crate::input::InputError;
#[doc(no_inline)]
pub use crate::interrupt::{Interrupted, InterruptedWork};
#[doc(no_inline)]
pub use crate::linalg::MatrixFault;
#[doc(no_inline)]
pub use crate::machine::OutOfMemory;
#[doc(no_inline)]
pub use crate::problem::{
    InitialStateError, Involved, Memory, OtherProblem, ProblemDifference, Remedy, Settings, SettingsError,
    Steps, UnseenInput,
};
#[doc(no_inline)]
pub use crate::scalar::out_of_range::OutOfRange;
#[doc(no_inline)]
pub use crate::series::Series;
#[doc(no_inline)]
pub use costate_kernel::run::{
    RunStates, StoredRun, Trajectory, forward_in, initial_state_in, outputs_in, outputs_of, run_in,
};
#[doc(no_inline)]
pub use costate_system::gradient::{Accuracy, ErrorEstimate};
#[doc(no_inline)]
pub use costate_system::step::{Stall, State, Statistics, StepError, Unknown};
