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
//! use costate::simulate::Series;
//! use costate::{Model, Simulation, gradient};
//!
//! # fn main() -> anyhow::Result<()> {
//! let mount = Mount::default();
//! let problem = Simulation::new(&mount).signal(Mount::DRIVE, 50.0).step(1e-3).until(1.0).problem()?;
//! let run = problem.forward(&mount.parameters())?;
//! let outputs = run.outputs();
//!
//! // J is the integral of the position, and its gradient that by stiffness and damping.
//! let cost = BolzaCost::new(1e-3, problem.samples()).with_integral(Mount::POSITION, 1.0)?;
//! let mut derivatives = Series::zeros(1e-3, outputs.width(), problem.samples());
//! cost.add_gradient(&outputs, &mut derivatives);
//! let by_parameters = gradient(&problem, &run, &derivatives, &[Mount::C, Mount::D])?;
//! println!("J = {}, dJ/dp = {by_parameters:?}", cost.value(&outputs));
//! # Ok(())
//! # }
//! ```
//!
//! | what you want | what gives it |
//! |---|---|
//! | the gradient of one cost, or of several at once | [`gradient()`], [`gradients`] |
//! | it for many parameter sets | [`gradient_each`] |
//! | it by another method | [`GradientMethod`] |
//! | the derivatives by all samples of the inputs | [`input_gradient`] |
//! | the sensitivities of all outputs | [`sensitivities`], [`sensitivities_by_sample`] |
//!
//! From here: [`verify`](crate::verify) compares a gradient with dual numbers, [`optimize`](crate::optimize) follows it
//! downhill, [`identify`](crate::identify) does everything at once.

pub use crate::each::{RunWithCost, gradient_each};
pub use crate::gradient::{
    GradientMethod, gradient, gradients, input_gradient, sensitivities, sensitivities_by_sample,
};
pub use crate::model::selected::SelectionError;
