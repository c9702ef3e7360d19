//! The published models with their costs.

use anyhow::Result;
use costate::cost::{Cost, FourierLine, LeastSquares, Quadrature, SpectrumCost, SpectrumForm, Window};
use costate::identify::ParameterSet;
use costate::simulate::{Problem, Scheme};
use costate::verify::GradientReport;
use costate::{Model, Output, Parameter, Simulation, check_gradient};
use costate_models::four_cylinder_engine::Drive;
use costate_models::{
    CartPendulum, EngineMount, FourCylinderEngine, Oscillator, cart_pendulum, engine_mount, four_cylinder_engine,
    oscillator,
};

/// A model run with a cost, as a function of some parameters.
pub struct Case<M: Model> {
    problem: Problem,
    model: M,
    cost: Box<dyn Cost>,
    parameters: Vec<Parameter<M>>,
}

impl<M: Model> Case<M> {
    /// Cost and gradient after these changes of the model's parameters.
    pub fn check(&self, changes: &ParameterSet) -> Result<GradientReport> {
        let model = changes.apply(&self.model)?;
        Ok(check_gradient(&self.problem, &model, self.cost.as_ref(), &self.parameters)?)
    }
}

/// J = 1/2 integral of x^2 dt over 0 <= t <= 6 pi by the trapezoidal rule: the squared distance from zero.
pub fn oscillator(steps: Option<usize>) -> Result<Case<Oscillator>> {
    let steps = steps.unwrap_or(20_000);
    let model = Oscillator::default();
    let step = oscillator::END / steps as f64;
    let problem = Simulation::new(&model).step(step).until(oscillator::END).scheme(Scheme::Undamped).problem()?;
    let zeros = vec![0.0; steps + 1];
    let cost = distance(&problem, Oscillator::POSITION, &zeros, Quadrature::Trapezoid)?;
    Ok(Case { problem, model, cost, parameters: vec![Oscillator::C, Oscillator::D] })
}

/// J = 1/2 sum h (a - measured)^2, measured with the true parameters.
pub fn mount(steps: Option<usize>) -> Result<Case<EngineMount>> {
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

/// J = 1/4 sum (A^2 + B^2 - measured)^2 of the lines of phi_1 in the band of the first bending mode, measured with the
/// true parameters; the model's cart has ten times the damping. The lines are those of the published length also in
/// shorter runs.
pub fn pendulum(steps: Option<usize>) -> Result<Case<CartPendulum>> {
    let steps = steps.unwrap_or(10_000);
    let truth = cart_pendulum::FD.model();
    let simulation = Simulation::new(&truth)
        .input(CartPendulum::DRIVE, |t: f64| cart_pendulum::FD.force(t))
        .step(cart_pendulum::STEP)
        .until(cart_pendulum::STEP * steps as f64)
        .alpha(cart_pendulum::ALPHA);
    let problem = simulation.problem()?;
    let measured = simulation.run()?;
    let end = cart_pendulum::STEP * steps as f64;
    let lines = FourierLine::band((1.25, 1.45), 0.0, cart_pendulum::END, Window::Rectangular)?;
    let lines: Vec<_> = lines.into_iter().map(|line| FourierLine { to: end, ..line }).collect();
    let values = measured.output(CartPendulum::ANGLE);
    let cost = SpectrumCost::new(cart_pendulum::STEP, steps + 1, SpectrumForm::SquaredAmplitude).with_measured(
        CartPendulum::ANGLE,
        &lines,
        &measured.times(),
        &values,
        1.0,
    )?;
    let cost = Box::new(cost);
    let model = CartPendulum { d_c: 0.1, ..cart_pendulum::FD.start() };
    Ok(Case { problem, model, cost, parameters: vec![CartPendulum::C_F, CartPendulum::D_F] })
}

/// J = 1/4 (A^2 + B^2 - measured^2)^2 of order 6 of the twist in a Hann window at 3000 rpm, measured with the true
/// damper. The window has four working cycles, when the start has faded; where a run ends before it does, it is the
/// last four fifths of the run.
pub fn engine(steps: Option<usize>) -> Result<Case<FourCylinderEngine>> {
    const STEP: f64 = four_cylinder_engine::STEP;
    let steps = steps.unwrap_or(5000);
    let (speed, order) = (3000.0, 6.0);
    let drive = Drive::constant(speed);
    let truth = FourCylinderEngine { speed_0: speed, ..FourCylinderEngine::default() };
    let end = STEP * steps as f64;
    let simulation = Simulation::new(&truth)
        .input(FourCylinderEngine::Q_RUN, move |t: f64| drive.angle(t))
        .input(FourCylinderEngine::V_RUN, move |t: f64| drive.speed(t))
        .step(STEP)
        .until(end)
        .alpha(four_cylinder_engine::ALPHA);
    let problem = simulation.problem()?;
    let measured = simulation.run()?;
    let (from, to) = if end < 0.21 { (0.2 * end, end) } else { (0.05, 0.21) };
    let line = FourierLine::new(order * speed / 60.0, from, to, Window::Hann);
    let values = measured.output(FourCylinderEngine::TWIST);
    let cost = SpectrumCost::new(STEP, steps + 1, SpectrumForm::SquaredAmplitude).with_measured(
        FourCylinderEngine::TWIST,
        &[line],
        &measured.times(),
        &values,
        1.0,
    )?;
    let model = FourCylinderEngine { speed_0: speed, ..FourCylinderEngine::start() };
    let parameters =
        vec![FourCylinderEngine::CS_1, FourCylinderEngine::DS_1, FourCylinderEngine::CS_2, FourCylinderEngine::DS_2];
    Ok(Case { problem, model, cost: Box::new(cost), parameters })
}

/// Half of the squared distance between an output and its values at the steps.
fn distance<M: Model>(
    problem: &Problem,
    output: Output<M>,
    values: &[f64],
    quadrature: Quadrature,
) -> Result<Box<dyn Cost>> {
    let (step, samples) = (problem.settings().step, problem.steps() + 1);
    let times: Vec<f64> = (0..samples).map(|i| i as f64 * step).collect();
    let cost = LeastSquares::new(step, samples, quadrature);
    Ok(Box::new(cost.with_channel(output, &times, values, 1.0)?))
}
