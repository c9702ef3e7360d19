//! Derivatives of a run: of a cost by its parameters or its inputs, and of every output by every parameter.
//!
//! A gradient is that of the computed number, to rounding: scheme, initial state, interpolation and quadrature are all
//! differentiated. With the discrete adjoint it takes about as long as one more run, however many parameters there are.
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
//! use costate::cost::{BolzaCost, Cost};
//! use costate::{Model, Simulation, gradient};
//!
//! # fn main() -> anyhow::Result<()> {
//! let mount = Mount::default();
//! let problem = Simulation::new(&mount).input(Mount::DRIVE, 50.0).step(1e-3).until(1.0).problem()?;
//!
//! // J is the integral of the position, and its gradient that by stiffness and damping.
//! let cost = BolzaCost::new(1e-3, problem.samples()).with_integral(Mount::POSITION, 1.0)?;
//! let unknown = [Mount::C, Mount::D];
//! let (value, by_parameters) = problem.value_and_gradient(&cost, &mount.parameters(), &unknown)?;
//! println!("J = {value}, dJ/dp = {by_parameters:?}");
//!
//! // One after the other, where the run serves for more.
//! let run = problem.forward(&mount.parameters())?;
//! let outputs = run.outputs();
//! assert_eq!(cost.value(&outputs), value);
//! assert_eq!(gradient(&problem, &run, &cost.output_gradient(&outputs), &unknown)?, by_parameters);
//! # Ok(())
//! # }
//! ```
//!
//! | what you want | what gives it |
//! |---|---|
//! | a cost and its gradient | [`Problem::value_and_gradient`](crate::simulate::Problem::value_and_gradient) |
//! | the gradient of a cost of a run that is at hand, or of several at once | [`gradient()`], [`gradients`] |
//! | it for many parameter sets | [`gradient_each`] |
//! | it by another method | [`GradientMethod`] |
//! | the derivatives by all samples of the inputs | [`input_gradient`] |
//! | the adjoint variables over time, and the derivatives by the initial state | [`adjoint_history`] |
//! | a gradient by all values of tables too | [`Problem::value_and_table_gradient`](crate::simulate::Problem::value_and_table_gradient), [`table_gradient`] |
//! | the sensitivities of all outputs | [`sensitivities`], [`sensitivities_by_sample`], by tables too [`table_sensitivities`] |
//!
//! From here: [`verify`](crate::verify) compares a gradient with dual numbers, [`optimize`](crate::optimize) follows it
//! downhill, [`identify`](crate::identify) does everything at once.

pub use costate_kernel::gradient::{GradientMethod, gradient, gradients, input_gradient, sensitivities};

// Parts of results, errors, and what few programs name: their pages are those of the crates.
#[doc(no_inline)]
pub use costate_kernel::gradient::{
    AdjointHistory, TableGradient, TableSensitivities, UnknownTables, adjoint_history,
    sensitivities_by_sample, table_gradient, table_sensitivities,
};
#[doc(no_inline)]
pub use costate_system::each::{RunWithCost, gradient_each};
#[doc(no_inline)]
pub use costate_system::model::SelectionError;
