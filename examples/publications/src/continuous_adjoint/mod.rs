//! The continuous adjoint (OB 3.3.4): the adjoint equations of the equations of motion, integrated backward in time by
//! backward differentiation formulas.
//!
//! ```text
//! p' = s_q^T h_s + A w + C_q^T mu,   (M w)' = s_v^T h_s - p - B w,   0 = C_q w          (OB 3.32 to 3.34)
//! A = (M a)_q^T - f_q^T + (C_q^T lambda)_q^T,   B = f_v^T                               (OB 3.37, 3.38)
//! ```
//!
//! Costs arrive as dJ/ds_i of the samples. Inside the run dJ/ds_i / h is the density h_s; at both ends the density is
//! extrapolated, and what it does not account for is a Mayer term there. So costs of single samples, integrals, and
//! Fourier coefficients (whose adjoint variables are constants, FD 23 to 25) need no case of their own.
//!
//! The discrete adjoint, `costate::gradient`, is exact for the computed cost, takes any output, and costs less. The
//! continuous adjoint is here for comparison.

mod adjoint_step;
mod error;
mod matrices;
mod source;
mod sweep;

use costate_kernel::run::{Trajectory, check_model};
use costate_numerics::linalg::block::find;
use costate_numerics::scalar::out_of_range::OutOfRange;
use costate_system::gradient::check_derivatives;
use costate_system::identifiers::Parameter;
use costate_system::model::{Argument, Description, Function, Model, SelectedParameters};
use costate_system::problem::{Problem, SimulationError};
use costate_system::series::Series;

use matrices::Matrices;
use sweep::Sweep;

pub use error::ContinuousAdjointError;

/// The gradient dJ/dp of a cost with respect to the parameters `unknown`, by backward differentiation formulas of order
/// 1 up to `order`, which is 1 to 5. `output_gradient` holds dJ/ds_i of every output at every step of `trajectory`, a
/// run of `problem`; the outputs of the cost are functions of positions and velocities.
///
/// It differs from the derivative of the computed cost by the error of the discretisation: of second order with
/// `Scheme::Undamped`, of first order with numerical damping, which shifts accelerations by alpha h, and for parameters
/// in constraints.
///
/// ```
/// # costate::model! {
/// #     pub Mount {
/// #         parameters { m: kg = 20, c: N/m = 2e3, d: N*s/m = 40, x_0: m = 0.01 }
/// #         coordinates { x: m }
/// #         mass { x: m }
/// #         forces { x: -c*x - d*dot(x) }
/// #         initial { x = x_0, dot(x) = 0[m/s] }
/// #         outputs { position: m = x }
/// #     }
/// # }
/// use costate::cost::{BolzaCost, Cost};
/// use costate::simulate::Scheme;
/// use costate::{Model, Simulation, gradient};
/// use costate_publications::continuous_adjoint;
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let mount = Mount::default();
/// let problem = Simulation::new(&mount).step(1e-3).until(1.0).scheme(Scheme::Undamped).problem()?;
/// let run = problem.forward(&mount.parameters())?;
/// let cost = BolzaCost::new(1e-3, problem.samples()).with_integral(Mount::POSITION, 1.0)?;
/// let by_outputs = cost.output_gradient(&run.outputs());
/// let unknown = [Mount::C, Mount::D];
/// let continuous = continuous_adjoint::gradient(&problem, &run, &by_outputs, &unknown, 2)?;
/// let discrete = gradient(&problem, &run, &by_outputs, &unknown)?;
/// assert!(continuous.iter().zip(&discrete).all(|(a, b)| a != b && (a / b - 1.0).abs() < 1e-2));
/// # Ok(())
/// # }
/// ```
///
/// # Errors
/// [`ContinuousAdjointError`].
pub fn gradient<M: Model>(
    problem: &Problem,
    trajectory: &Trajectory,
    output_gradient: &Series<f64>,
    unknown: &[Parameter<M>],
    order: usize,
) -> Result<Vec<f64>, ContinuousAdjointError> {
    if !(1..=5).contains(&order) {
        return Err(OutOfRange { field: "order", value: order as f64, limit: "1 to 5" }.into());
    }
    let unknown = &Parameter::indices(unknown)[..];
    check_run::<M>(problem, trajectory, output_gradient, unknown)?;
    check_outputs(problem.description(), output_gradient)?;
    let mut found = Ok(Vec::new());
    problem.system().with_equations(problem, trajectory.parameters(), &mut |equations| {
        let matrices = Matrices::new(problem, trajectory, equations);
        found = Sweep::new(problem, matrices, (trajectory.steps(), trajectory.step()), output_gradient, order)
            .run(problem, unknown);
    });
    Ok(found?)
}

/// Checks that run, derivatives and parameters belong to the problem, and the problem to the model `M`.
fn check_run<M: Model>(
    problem: &Problem,
    trajectory: &Trajectory,
    output_gradient: &Series<f64>,
    unknown: &[usize],
) -> Result<(), SimulationError> {
    check_model::<M::Functions>(M::program(), problem)?;
    SelectedParameters::of(problem.description(), unknown)?;
    problem.require_constant_steps("the continuous adjoint")?;
    check_derivatives(problem, output_gradient)?;
    Ok(trajectory.conditions().check(&problem.conditions())?)
}

/// Refuses costs of accelerations and multipliers, which are no states of the adjoint equations.
fn check_outputs(model: &Description, output_gradient: &Series<f64>) -> Result<(), ContinuousAdjointError> {
    let group = model.groups.output_derivatives;
    for argument in [Argument::Accelerations, Argument::Multipliers] {
        for &(row, _) in find(group, Function::Output, Some(argument)).entries {
            let output = row as usize;
            if output_gradient.channel(output).into_iter().flatten().any(|derivative| derivative != 0.0) {
                let name = model.outputs.get(output).map_or("?", |quantity| quantity.name);
                return Err(ContinuousAdjointError::Output { output: name });
            }
        }
    }
    Ok(())
}
