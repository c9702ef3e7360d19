//! The engine mount of DA 5 by methods that use the sensitivities of its output.

use costate::cost::{Cost, LeastSquares, Quadrature};
use costate::differentiate::sensitivities;
use costate::optimize::{
    Failure, LeastSquaresObjective, LinearResiduals, Method, Objective, OptimizerSettings, OptimizerState, StepSize,
    Variable, minimize_least_squares, multistart,
};
use costate::simulate::{Problem, SimulationError, StoredRun};
use costate::{Model, Simulation, gradient};
use costate_models::{EngineMount, engine_mount};

const UNKNOWN: [costate::Parameter<EngineMount>; 4] =
    [EngineMount::C_E1, EngineMount::C_E2, EngineMount::D_E, EngineMount::D_H2];

/// The mount's acceleration against that of the true mount.
struct Mount {
    problem: Problem,
    cost: LeastSquares,
}

/// The cost of a mount as a function of the unknown parameters.
struct Evaluation<'a> {
    mount: &'a Mount,
    latest: Option<StoredRun>,
}

impl Mount {
    /// The first `end` seconds of the published record.
    fn new(end: f64) -> Self {
        let model = EngineMount::default();
        let simulation = Simulation::new(&model)
            .input(EngineMount::DRIVE, engine_mount::sweep)
            .step(engine_mount::STEP)
            .until(end)
            .alpha(engine_mount::ALPHA);
        let run = simulation.run().unwrap();
        let measured = run.output(EngineMount::ACCELERATION);
        let cost = LeastSquares::new(engine_mount::STEP, measured.len(), Quadrature::Rectangle)
            .with_channel(EngineMount::ACCELERATION, &run.times(), &measured, 1.0)
            .unwrap();
        Self { problem: simulation.problem().unwrap(), cost }
    }

    fn objective(&self) -> Evaluation<'_> {
        Evaluation { mount: self, latest: None }
    }

    /// Minimises from `start`.
    fn fit(&self, variables: Vec<Variable>, settings: OptimizerSettings) -> OptimizerState {
        let mut state = OptimizerState::new(variables, settings).unwrap();
        minimize_least_squares(&mut self.objective(), &mut state, |_| Ok(())).unwrap();
        state
    }
}

impl Evaluation<'_> {
    /// The run with these parameters.
    fn simulate(&mut self, unknown: &[f64]) -> Result<&mut StoredRun, Failure<SimulationError>> {
        let mut parameters = EngineMount::default().parameters();
        for (parameter, value) in UNKNOWN.iter().zip(unknown) {
            parameters.as_mut()[parameter.index()] = *value;
        }
        let same = |run: &StoredRun| run.parameters() == parameters.as_ref();
        let run = match self.latest.take().filter(same) {
            Some(run) => run,
            None => self.mount.problem.run(&parameters).map_err(Failure::Here)?,
        };
        Ok(self.latest.insert(run))
    }
}

impl Objective for Evaluation<'_> {
    type Error = SimulationError;

    fn cost(&mut self, unknown: &[f64]) -> Result<f64, Failure<SimulationError>> {
        let mount = self.mount;
        Ok(mount.cost.value(self.simulate(unknown)?.outputs()))
    }

    fn gradient(&mut self, unknown: &[f64], result: &mut [f64]) -> Result<(), Failure<SimulationError>> {
        let mount = self.mount;
        let run = self.simulate(unknown)?;
        let outputs = run.outputs();
        let by_outputs = mount.cost.output_gradient(outputs);
        let found = gradient(&mount.problem, run, &by_outputs, &UNKNOWN).map_err(Failure::Here)?;
        result.copy_from_slice(&found);
        Ok(())
    }
}

impl LeastSquaresObjective for Evaluation<'_> {
    fn residuals(&mut self, unknown: &[f64]) -> Result<LinearResiduals, Failure<SimulationError>> {
        let mount = self.mount;
        let run = self.simulate(unknown)?;
        let derivatives = sensitivities(&mount.problem, &mut *run, &UNKNOWN).map_err(Failure::Here)?;
        let outputs = run.outputs();
        let mut all = LinearResiduals { values: Vec::new(), derivatives: vec![Vec::new(); derivatives.len()] };
        for channel in mount.cost.channels() {
            let roots: Vec<f64> = channel.weights().iter().map(|weight| weight.sqrt()).collect();
            all.values.extend(channel.residuals(outputs).zip(&roots).map(|(r, root)| r * root));
            for (column, derivative) in all.derivatives.iter_mut().zip(&derivatives) {
                column.extend(channel.interpolated(derivative).zip(&roots).map(|(d, root)| d * root));
            }
        }
        Ok(all)
    }
}

fn values(mount: &EngineMount) -> [f64; 4] {
    [mount.c_e1, mount.c_e2, mount.d_e, mount.d_h2]
}

fn variables() -> Vec<Variable> {
    let start = values(&EngineMount::start());
    UNKNOWN.iter().zip(start).map(|(parameter, start)| Variable::new(parameter.name(), start)).collect()
}

#[test]
fn few_iterations_lead_to_the_true_mount() {
    let mount = Mount::new(engine_mount::END);
    let truth = values(&EngineMount::default());
    for (method, step_size) in [
        (Method::GaussNewton, StepSize::StrongWolfe),
        (Method::GaussNewton, StepSize::cubic_interpolation()),
        (Method::LevenbergMarquardt, StepSize::StrongWolfe),
    ] {
        let settings = OptimizerSettings::default().with_method(method).with_step_size(step_size);
        let state = mount.fit(variables(), settings);
        let (iterations, evaluations) = (state.iterations(), state.evaluations());
        println!("{method}, {step_size}: {iterations} iterations, {evaluations} evaluations");
        assert!(iterations <= 20, "{method}, {step_size}: {iterations}");
        assert!(state.stop().unwrap().converged(), "{method}: {:?}", state.stop());
        for (found, truth) in state.parameters().iter().zip(truth) {
            assert!((found / truth - 1.0).abs() < 1e-8, "{method}, {step_size}: {found}, not {truth}");
        }
    }
}

#[test]
fn a_bound_keeps_the_truth_out() {
    let mount = Mount::new(0.4);
    let bounded: Vec<_> = variables()
        .into_iter()
        .map(|v| if v.name() == "d_e" { Variable::new("d_e", 0.5).within(0.1, 4.0) } else { v })
        .collect();
    let mut costs = Vec::new();
    for method in [Method::Bfgs, Method::GaussNewton, Method::LevenbergMarquardt] {
        let state = mount.fit(bounded.clone(), OptimizerSettings::default().with_method(method));
        println!("{method}: {} iterations, {} evaluations", state.iterations(), state.evaluations());
        assert_eq!(state.at_bound(), [false, false, true, false], "{method}: {:?}", state.parameters());
        assert_eq!(state.parameters()[2], 4.0);
        costs.push(state.cost());
    }
    assert!(costs.iter().all(|cost| (cost / costs[0] - 1.0).abs() < 1e-6), "{costs:?}");
}

#[test]
fn starts_all_over_the_ranges_lead_to_the_true_mount() {
    let mount = Mount::new(0.2);
    let truth = values(&EngineMount::default());
    let ranges: Vec<_> = variables()
        .into_iter()
        .zip(truth)
        .map(|(v, truth)| Variable::new(v.name(), truth).within(truth / 3.0, truth * 3.0))
        .collect();
    let settings = OptimizerSettings::default().with_method(Method::LevenbergMarquardt);
    let from_state = |state: &mut OptimizerState| minimize_least_squares(&mut mount.objective(), state, |_| Ok(()));
    let members = multistart(&ranges, &settings, 6, 1, from_state, |_| ()).unwrap();
    assert!(members.iter().all(|member| member.outcome.is_ok()));
    // Member 0 begins at the truth; the others find it.
    for member in &members[..4] {
        for (found, truth) in member.state.parameters().iter().zip(truth) {
            assert!((found / truth - 1.0).abs() < 1e-4, "member {}: {found}, not {truth}", member.number);
        }
    }
}
