//! Models that are chosen while a program runs: values that are simulated and fitted by names.

use std::error::Error;

use costate::identify::{Experiment, Fit, IdentificationError, ModelComparison, UnknownParameter, UnknownTable};
use costate::model::{Differentiable, UnknownName};
use costate::simulate::{ProblemDifference, SimulationError};
use costate::{Identification, Model, Record, Simulation, gradient};
use costate_models::{EngineMount, MappedEngine};

use crate::identification::Duffing;

const STEP: f64 = 5e-3;
const END: f64 = 2.0;

fn drive(t: f64) -> f64 {
    4.0 * (8.0 * t).sin() + 2.0 * (13.0 * t).cos()
}

fn record() -> Result<Record, Box<dyn Error>> {
    let run = Simulation::new(&Duffing::default()).input(Duffing::DRIVE, drive).step(STEP).until(END).run()?;
    Ok(Record::try_from(&run)?)
}

/// A fit of the unknowns with these names.
fn fit(
    model: &'static dyn Differentiable,
    start: Vec<f64>,
    unknown: &[&str],
    record: &Record,
) -> Result<Fit, Box<dyn Error>> {
    let unknown = unknown.iter().map(|name| model.parameter(name)).collect::<Result<Vec<_>, _>>()?;
    let simulation = Simulation::of(model, start).input(model.input("drive")?, drive);
    let fit = Identification::of(model, &simulation)
        .unknown(unknown)
        .measured(model.output("acceleration")?, record)
        .run()?;
    Ok(fit)
}

#[test]
fn a_model_by_names_has_the_bits_of_a_typed_one() -> Result<(), Box<dyn Error>> {
    let start = Duffing { d: 0.3, c: 200.0, ..Duffing::default() };
    let record = record()?;
    let typed = Identification::new(&Simulation::new(&start).input(Duffing::DRIVE, drive))
        .unknown([Duffing::D, Duffing::C])
        .measured(Duffing::ACCELERATION, &record)
        .run()?;
    let system = Duffing::differentiable();
    let named = fit(system, start.parameters().to_vec(), &["d", "c"], &record)?;
    assert_eq!(named.to_string().lines().next(), typed.to_string().lines().next());
    assert_eq!(named.summary().parameters, typed.summary().parameters);
    assert_eq!(named.summary().covariance, typed.summary().covariance);
    let found = named.parameter(system.parameter("c")?).ok_or("no c")?;
    assert_eq!(found.found, typed.model().c);
    assert_eq!(
        named.experiments()[0].output(system.output("position")?),
        typed.experiments()[0].output(Duffing::POSITION)
    );

    let run = Simulation::of(Duffing::system(), start.parameters())
        .input(system.input("drive")?, drive)
        .step(STEP)
        .until(END)
        .run()?;
    let same = Simulation::new(&start).input(Duffing::DRIVE, drive).step(STEP).until(END).run()?;
    assert_eq!(run.output(system.output("acceleration")?), same.output(Duffing::ACCELERATION));
    assert_eq!(run.coordinate(system.coordinate("x")?), same.coordinate(Duffing::X));
    Ok(())
}

#[test]
fn one_program_fits_a_list_of_variants() -> Result<(), Box<dyn Error>> {
    let record = record()?;
    let start = Duffing { d: 0.3, c: 200.0, ..Duffing::default() };
    let without = Duffing { c3: 0.0, ..start };
    let variants: [(&str, &'static dyn Differentiable, Duffing, &[&str]); 3] = [
        ("linear spring", Duffing::differentiable(), without, &["d", "c"]),
        ("cubic spring", Duffing::differentiable(), start, &["d", "c", "c3"]),
        ("known damper", Duffing::differentiable(), Duffing { d: 0.8, ..without }, &["c", "c3"]),
    ];
    let mut fits = Vec::new();
    for (name, model, start, unknown) in &variants {
        fits.push((*name, fit(*model, start.parameters().to_vec(), unknown, &record)?));
    }
    let summaries = fits.iter().map(|(name, fit)| (*name, fit.summary()));
    let comparison = ModelComparison::new(summaries)?;
    assert_eq!(comparison.models.last().map(|worst| worst.name.as_str()), Some("linear spring"));
    Ok(())
}

#[test]
fn names_and_values_of_other_models_are_refused() -> Result<(), Box<dyn Error>> {
    let (system, other) = (Duffing::differentiable(), EngineMount::differentiable());
    let start = Duffing::default().parameters().to_vec();
    let error: UnknownName = system.parameter("gian").unwrap_err();
    assert_eq!(
        error.to_string(),
        "model `Duffing` has no parameter `gian`, did you mean `gain`? it has m, d, c, c3, gain, k, edge"
    );
    assert!(system.output("velocity").is_err() && system.curve("torque").is_err());

    let record = record()?;
    let driven = |values: Vec<f64>| -> Result<Simulation, UnknownName> {
        Ok(Simulation::of(system, values).input(system.input("drive")?, drive))
    };
    let common = driven(start.clone())?;
    let identification = || Identification::of(system, &common);
    let measured = |identification: Identification| -> Result<String, Box<dyn Error>> {
        let identification = identification.measured(system.output("acceleration")?, &record);
        Ok(identification.run().unwrap_err().to_string())
    };
    let foreign = other.parameter("c_e1")?;
    let said = "the parameter `c_e1` belongs to the model `EngineMount`, not to `Duffing`: use `Duffing::C_E1`, or \
         get it from `Duffing` by its name";
    assert_eq!(measured(identification().unknown([foreign]))?, said);
    let own = system.parameter("c")?;
    let prior = costate::identify::Prior::Normal { mean: 1.0, standard_deviation: 1.0 };
    assert_eq!(measured(identification().unknown([own]).prior(foreign, prior))?, said);
    let table = MappedEngine::system();
    let curve = table.description().tables.iter().find(|table| table.arguments.len() == 1);
    if let Some(curve) = curve {
        let curve = table.curve(curve.quantity.name)?;
        let error = measured(identification().unknown_table(UnknownTable::new(curve, 1.0)))?;
        assert!(error.contains("belongs to the model `MappedEngine`, not to `Duffing`"), "{error}");
    }
    let error = identification()
        .unknown([UnknownParameter::from(own)])
        .experiment(Experiment::new("a").measured(other.output("acceleration")?, &record))
        .run()
        .unwrap_err();
    assert!(error.to_string().contains("the output `acceleration` belongs to the model `EngineMount`"), "{error}");
    // a simulation of another model, of the identification or of one experiment
    let other_run = Simulation::of(EngineMount::system(), EngineMount::default().parameters().to_vec());
    let error = measured(Identification::of(system, &other_run).unknown([own]))?;
    assert!(error.starts_with("the simulation of the identification is one of the model `EngineMount`"), "{error}");
    let foreign_run = Experiment::new("a").simulation(&other_run).measured(system.output("position")?, &record);
    let error = identification().unknown([own]).experiment(foreign_run).run().unwrap_err().to_string();
    assert!(error.starts_with("the simulation of the experiment `a` is one of the model `EngineMount`"), "{error}");
    let few = Experiment::new("b").simulation(&driven(vec![1.0; 3])?);
    let few = identification().unknown([own]).experiment(few.measured(system.output("position")?, &record));
    assert!(matches!(few.run().unwrap_err(), IdentificationError::Experiment { experiment, .. } if experiment == "b"));
    let error = measured(Identification::of(system, &common.clone().parameter(foreign, 1.0)).unknown([own]))?;
    assert_eq!(error, said);
    let short = Identification::of(system, &driven(vec![1.0; 3])?).unknown([own]);
    assert_eq!(
        measured(short)?,
        "the model `Duffing` has 7 parameters, 3 values are given: give one for each, in their order"
    );

    let simulation = || Simulation::of(Duffing::system(), start.clone()).step(STEP).until(END);
    let error = simulation().input(other.input("drive")?, drive).run().unwrap_err();
    assert!(matches!(error, SimulationError::OtherModel(_)), "{error}");
    let error = Simulation::of(Duffing::system(), [1.0]).input(system.input("drive")?, drive).step(STEP).until(END);
    assert!(matches!(error.run(), Err(SimulationError::ParameterCount { expected: 7, given: 1, .. })));
    let problem = simulation().input(system.input("drive")?, drive).problem()?;
    let run = problem.forward(&start)?;
    let mount = EngineMount::default();
    let error = gradient(&problem, &run, &run.outputs(), &[EngineMount::C_E1]).unwrap_err();
    assert!(
        matches!(&error, SimulationError::OtherProblem(other) if matches!(other.difference,
        ProblemDifference::Model { .. })),
        "{error}"
    );
    assert_eq!(mount.parameters().len(), EngineMount::system().description().parameters.len());
    Ok(())
}
