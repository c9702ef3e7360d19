//! The published models with their costs.

use std::error::Error;

use costate::{
    Cost, FourierLine, GradientReport, LeastSquares, Model, Output, Parameter, ParameterSet, Problem,
    Quadrature, Simulation, SpectrumCost, SpectrumForm, Window, check_gradient,
};
use costate_models::{CartPendulum, EngineMount, Oscillator, cart_pendulum, engine_mount, oscillator};

/// A model run with a cost, as a function of some parameters.
pub struct Case<M: Model> {
    problem: Problem<M>,
    model: M,
    cost: Box<dyn Cost>,
    parameters: Vec<Parameter<M>>,
}

impl<M: Model> Case<M> {
    /// Cost and gradient after these changes of the model's parameters.
    pub fn check(&self, changes: &ParameterSet) -> Result<GradientReport, Box<dyn Error>> {
        let model = changes.apply(&self.model)?;
        Ok(check_gradient(&self.problem, &model, self.cost.as_ref(), &self.parameters)?)
    }
}

/// J = 1/2 integral of x^2 dt over 0 <= t <= 6 pi by the trapezoidal rule: the squared distance from zero.
pub fn oscillator(steps: Option<usize>) -> Result<Case<Oscillator>, Box<dyn Error>> {
    let steps = steps.unwrap_or(20_000);
    let model = Oscillator::default();
    let step = oscillator::END / steps as f64;
    let problem = Simulation::new(&model).step(step).until(oscillator::END).alpha(0.0).problem()?;
    let zeros = vec![0.0; steps + 1];
    let cost = distance(&problem, Oscillator::POSITION, &zeros, Quadrature::Trapezoid)?;
    Ok(Case { problem, model, cost, parameters: vec![Oscillator::C, Oscillator::D] })
}

/// J = 1/2 sum h (a - measured)^2, measured with the true parameters.
pub fn mount(steps: Option<usize>) -> Result<Case<EngineMount>, Box<dyn Error>> {
    let steps = steps.unwrap_or(10_000);
    let truth = EngineMount::default();
    let simulation = Simulation::new(&truth)
        .input(EngineMount::DRIVE, engine_mount::sweep)
        .step(engine_mount::STEP)
        .until(engine_mount::STEP * steps as f64)
        .alpha(engine_mount::ALPHA);
    let problem = simulation.problem()?;
    let measured = simulation.run()?.output(EngineMount::ACCELERATION);
    let cost = distance(&problem, EngineMount::ACCELERATION, &measured, Quadrature::Rectangle)?;
    let parameters = vec![EngineMount::C_E1, EngineMount::C_E2, EngineMount::D_E, EngineMount::D_H2];
    Ok(Case { problem, model: EngineMount::start(), cost, parameters })
}

/// Band of the pendulum's first bending mode in Hz.
const BENDING_MODE: (f64, f64) = (1.25, 1.45);

/// J = 1/4 sum (A^2 + B^2 - measured)^2 of the lines of phi_1 in the band, measured with the true parameters; the
/// model's cart has ten times the damping. The lines are those of the published length also in shorter runs.
pub fn pendulum(steps: Option<usize>) -> Result<Case<CartPendulum>, Box<dyn Error>> {
    let steps = steps.unwrap_or(10_000);
    let truth = cart_pendulum::FD.model();
    let simulation = Simulation::new(&truth)
        .input(CartPendulum::DRIVE, |t| cart_pendulum::FD.force(t))
        .step(cart_pendulum::STEP)
        .until(cart_pendulum::STEP * steps as f64)
        .alpha(cart_pendulum::ALPHA);
    let problem = simulation.problem()?;
    let measured = simulation.run()?;
    let end = cart_pendulum::STEP * steps as f64;
    let lines = FourierLine::band(BENDING_MODE, 0.0, cart_pendulum::END, Window::Rectangular)?;
    let lines: Vec<_> = lines.into_iter().map(|line| FourierLine { to: end, ..line }).collect();
    let (angle, values) = (CartPendulum::ANGLE.index(), measured.output(CartPendulum::ANGLE));
    let cost = SpectrumCost::new(cart_pendulum::STEP, steps + 1, SpectrumForm::SquaredAmplitude)
        .with_measured(angle, &lines, &measured.times(), &values, 1.0)?;
    let cost = Box::new(cost);
    let model = CartPendulum { d_c: 0.1, ..cart_pendulum::FD.start() };
    Ok(Case { problem, model, cost, parameters: vec![CartPendulum::C_F, CartPendulum::D_F] })
}

/// Half of the squared distance between an output and its values at the steps.
fn distance<M: Model>(
    problem: &Problem<M>,
    output: Output<M>,
    values: &[f64],
    quadrature: Quadrature,
) -> Result<Box<dyn Cost>, Box<dyn Error>> {
    let (step, samples) = (problem.settings().step, problem.steps() + 1);
    let times: Vec<f64> = (0..samples).map(|i| i as f64 * step).collect();
    let cost = LeastSquares::new(step, samples, quadrature);
    Ok(Box::new(cost.with_channel(output.index(), &times, values, 1.0)?))
}
