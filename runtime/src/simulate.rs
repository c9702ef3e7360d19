//! Simulation of a model in time: [`Simulation`] is the description of a run, [`Run`] its result.
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
//! // Half the step size, for the same mount with other parameters: a `Problem` is a run without parameters.
//! let problem = simulation.step(5e-4).problem()?;
//! let softer = problem.outputs(&costate::Model::parameters(&Mount { c: 80e3, ..mount }))?;
//! assert_eq!(softer.samples(), 2001);
//! # Ok::<(), costate::simulate::SimulationError>(())
//! ```
//!
//! | setting | type |
//! |---|---|
//! | the signal of an input | [`InputSignal`]: a constant, a function of time, a [`Sampled`] signal |
//! | the scheme, the step lengths and the iteration of a step | [`Scheme`], [`Steps`], [`NewtonSettings`] |
//! | the memory of a run | [`Settings::memory_limit`], [`Checkpoints`]; [`Memory`] has the memory that a run takes |
//! | an early end | [`Interrupt`] |
//!
//! A run with a step that is too large for the error limit is refused, see [`Run::accuracy`]; [`SimulationError`] has
//! all reasons why a run fails. Next: a [`cost`](crate::cost) is a scalar function of a run,
//! [`differentiate`](crate::differentiate) computes its gradient; [`stepper`](crate::stepper) simulates without an end,
//! [`vibration`](crate::vibration) gives positions of rest and modes.

pub use costate_system::input::{InputSignal, Sampled};
pub use costate_system::interrupt::Interrupt;
pub use costate_system::problem::{Checkpoints, Problem};
pub use costate_system::simulation::{Run, Simulation};
pub use costate_system::step::{NewtonSettings, Scheme};

// Parts of results, errors, and what few programs name: their pages are those of the crates.
#[doc(no_inline)]
pub use costate_contract::machine::OutOfMemory;
#[doc(no_inline)]
pub use costate_kernel::run::{
    RunStates, StoredRun, Trajectory, forward_in, initial_state_in, outputs_in, outputs_of, run_in,
};
#[doc(no_inline)]
pub use costate_numerics::linalg::MatrixFault;
#[doc(no_inline)]
pub use costate_numerics::scalar::out_of_range::OutOfRange;
#[doc(no_inline)]
pub use costate_system::gradient::{Accuracy, ErrorEstimate, MotionKink, ScaleKind};
#[doc(no_inline)]
pub use costate_system::input::InputError;
#[doc(no_inline)]
pub use costate_system::interrupt::{Interrupted, InterruptedWork};
#[doc(no_inline)]
pub use costate_system::problem::{
    Changing, EquilibriumError, GivenStart, Inaccuracy, InitialStateError, InputJump, Involved, Memory, NegativeMass,
    OtherProblem, ProblemDifference, Remedy, Settings, SettingsError, SimulationError, Steps, UndefinedOutput,
    UnseenChange,
};
#[doc(no_inline)]
pub use costate_system::series::Series;
#[doc(no_inline)]
pub use costate_system::step::{Stall, State, Statistics, StepError, Unknown};
