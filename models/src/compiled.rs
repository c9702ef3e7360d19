//! Runs, gradients and checks of the models that many programs use, compiled once: optimised builds share instances of
//! generic functions that are never inlined, and a program takes from this crate what stands here.

use costate::cost::Cost;
use costate::differentiate::{RunWithCost, UnknownTables, gradient_each, sensitivities, table_sensitivities};
use costate::experiment::{OptimalInput, OptimalInputError};
use costate::identify::{IdentificationError, ProfileSettings};
use costate::model::{Dual, Vector};
use costate::simulate::SimulationError;
use costate::verify::{check_table_gradient, random_points};
use costate::{
    Identification, Linearization, Model, Parameter, Record, Simulation, check_derivatives, check_gradient,
    gradient,
};

use crate::restoring_force::{CoupledOscillator, IdentifiedOscillator, IdentifiedPlate};
use crate::{
    CartPendulum, DiscreteOscillator, EngineMount, FourCylinderEngine, HalfCar, MappedEngine, Oscillator,
    PendulumOnCart, PreloadedMount, SwingArm, TwoMasses,
};

/// What programs ask of a model. It is there to be compiled, not to be called.
type Everything = fn(&dyn Cost, &Record) -> Result<(), IdentificationError>;

/// What programs ask of the tables of a model.
type OfTables = fn(&dyn Cost) -> Result<(), SimulationError>;

/// One function for each model.
pub static EVERYTHING: [Everything; 6] = [
    everything::<CartPendulum>,
    everything::<DiscreteOscillator>,
    everything::<EngineMount>,
    everything::<FourCylinderEngine>,
    everything::<Oscillator>,
    everything::<TwoMasses>,
];

/// Runs alone, of what is only simulated.
pub static RUNS: [fn() -> Result<(), SimulationError>; 3] =
    [run::<CoupledOscillator>, run::<IdentifiedOscillator>, run::<IdentifiedPlate>];

/// Identifications alone.
pub static FITS: [fn() -> Result<(), IdentificationError>; 6] = [
    fit::<HalfCar>,
    fit::<IdentifiedOscillator>,
    fit::<IdentifiedPlate>,
    fit::<MappedEngine>,
    fit::<PendulumOnCart>,
    fit::<SwingArm>,
];

/// Searches for inputs.
pub static DESIGNS: [fn() -> Result<(), OptimalInputError>; 3] =
    [design::<CartPendulum>, design::<PendulumOnCart>, design::<TwoMasses>];

/// Gradients with respect to tables.
pub static TABLES: [OfTables; 6] = [
    tables::<CoupledOscillator>,
    tables::<HalfCar>,
    tables::<IdentifiedOscillator>,
    tables::<IdentifiedPlate>,
    tables::<MappedEngine>,
    tables::<SwingArm>,
];

/// Campaigns.
pub static CAMPAIGNS: [fn() -> Result<(), IdentificationError>; 1] = [campaign::<PreloadedMount>];

fn campaign<M: Model + Default>() -> Result<(), IdentificationError> {
    fit::<M>()?;
    Identification::new(M::default()).profiles(&ProfileSettings::default())?;
    Ok(())
}

fn run<M: Model + Default>() -> Result<(), SimulationError> {
    Simulation::new(&M::default()).run()?;
    Ok(())
}

fn tables<M: Model + Default>(cost: &dyn Cost) -> Result<(), SimulationError> {
    let model = M::default();
    let problem = Simulation::new(&model).problem()?;
    problem.value_and_table_gradient(cost, &model.parameters(), &[], &UnknownTables::all())?;
    table_sensitivities(&problem, &mut problem.run(&model.parameters())?, &[], &UnknownTables::all())?;
    check_table_gradient(&problem, &model, cost, &UnknownTables::all())?;
    Ok(())
}

fn fit<M: Model + Default>() -> Result<(), IdentificationError> {
    Simulation::new(&M::default()).run()?;
    Identification::new(M::default()).run()?;
    Ok(())
}

fn design<M: Model + Default>() -> Result<(), OptimalInputError> {
    let search = || OptimalInput::new(M::default());
    search().run()?;
    search().multistart(1, 0, |_| ())?;
    Ok(())
}

fn everything<M: Model + Default>(cost: &dyn Cost, record: &Record) -> Result<(), IdentificationError> {
    let model = M::default();
    let parameters = model.parameters();
    let simulation = Simulation::new(&model);
    let run = simulation.run()?;
    let problem = simulation.problem()?;
    let (outputs, trajectory) = (run.outputs(), run.trajectory());
    gradient(&problem, trajectory, outputs, &[])?;
    let mut stored = problem.run(&parameters)?;
    gradient(&problem, &mut stored, outputs, &[])?;
    sensitivities(&problem, &mut stored, &[])?;
    problem.run_each(std::slice::from_ref(&parameters));
    gradient_each(&problem, &mut [RunWithCost { run: &mut stored, output_gradient: outputs }], &[]);
    problem.outputs::<f64>(&parameters)?;
    problem.outputs::<Dual>(&Vector::zeros())?;
    Linearization::at(
        &problem,
        &parameters,
        0.0,
        &problem.initial_state(&parameters).map_err(SimulationError::from)?,
        &Vector::zeros(),
    );
    problem.value_and_gradient(cost, &parameters, &[])?;
    check_gradient(&problem, &model, cost, &[])?;
    check_derivatives(&random_points(&model, 1, 1), 0.0);
    let mut fit = Identification::new(model).unknown(Parameter::all());
    if let Some(output) = costate::Output::all().next() {
        fit = fit.measured(output, record);
    }
    fit.run()?;
    Ok(())
}
