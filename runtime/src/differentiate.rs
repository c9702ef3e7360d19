//! Derivatives of a run: of a cost with respect to parameters or inputs, and of every output with respect to every
//! parameter.
//!
//! A gradient is exactly that of the computed cost, to rounding: scheme, initial state, interpolation and quadrature
//! are all differentiated. The discrete adjoint takes about as long as one more run for any number of parameters.
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
//! // J is the integral of the position; its gradient is that with respect to stiffness and damping.
//! let cost = BolzaCost::new(1e-3, problem.samples()).with_integral(Mount::POSITION, 1.0)?;
//! let unknown = [Mount::C, Mount::D];
//! let (value, by_parameters) = problem.value_and_gradient(&cost, &mount.parameters(), &unknown)?;
//! println!("J = {value}, dJ/dp = {by_parameters:?}");
//!
//! // The same in separate calls, if the run is used several times.
//! let run = problem.forward(&mount.parameters())?;
//! let outputs = run.outputs();
//! assert_eq!(cost.value(&outputs), value);
//! assert_eq!(gradient(&problem, &run, &cost.output_gradient(&outputs), &unknown)?, by_parameters);
//! # Ok(())
//! # }
//! ```
//!
//! | derivatives | function |
//! |---|---|
//! | a cost and its gradient | [`Problem::value_and_gradient`] |
//! | the gradient of one cost or of several, from a run that was computed before | [`gradient()`], [`gradients`] |
//! | gradients for many parameter sets | [`gradient_each`] |
//! | gradients by another method | [`GradientMethod`] |
//! | the derivatives with respect to all samples of the inputs | [`input_gradient`] |
//! | the adjoint variables over time, and the derivatives with respect to the initial state | [`adjoint_history`] |
//! | a gradient with respect to all values of tables too | [`Problem::value_and_table_gradient`], [`table_gradient`] |
//! | the sensitivities of all outputs | [`sensitivities`], [`sensitivities_by_sample`] |
//! | these with respect to all values of tables too | [`table_sensitivities`] |
//!
//! Next: [`verify`](crate::verify) compares a gradient with dual numbers, [`optimize`](crate::optimize) minimises a
//! cost by its gradient, [`identify`](crate::identify) fits parameters to measurements.
//!
//! [`Problem::value_and_gradient`]: crate::simulate::Problem::value_and_gradient
//! [`Problem::value_and_table_gradient`]: crate::simulate::Problem::value_and_table_gradient

pub use costate_kernel::gradient::{GradientMethod, gradient, gradients, input_gradient, sensitivities};

// Parts of results, errors, and what few programs name: their pages are those of the crates.
#[doc(no_inline)]
pub use costate_kernel::gradient::{
    AdjointHistory, TableGradient, TableSensitivities, UnknownTables, adjoint_history, sensitivities_by_sample,
    table_gradient, table_sensitivities,
};
#[doc(no_inline)]
pub use costate_system::each::{RunWithCost, gradient_each};
#[doc(no_inline)]
pub use costate_system::model::SelectionError;
