//! Interpreted models against compiled ones: every function, and published runs with their derivatives.

mod functions;
mod runs;

use std::path::Path;

use costate::Model;
use costate::interpreted::LoadedModel;
use costate::model::CompiledModel;
use costate::model::{Dual, Scalar};
use costate::table::Tables;
use costate_compiler::{Arguments, ModelFile};
use costate_contract::{BackEnd, Description};
use costate_interpreter::Interpreted;
use costate_models::restoring_force::IdentifiedOscillator;
use costate_models::{
    CartPendulum, DiscreteOscillator, EngineMount, FourCylinderEngine, LinearMount, MappedEngine, MountWithoutMembrane,
    Oscillator, PendulumChain, PendulumOnCart, PreloadedMount, RelaxingMount, SwingArm,
};

use functions::values;

/// Largest difference of two numbers, relative to the largest one of their function.
const TOLERANCE: f64 = 1e-12;

/// Loads a published model from its source.
fn load(file: &str, name: &str) -> LoadedModel {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../models/src").join(file);
    let file = ModelFile::read(path).unwrap();
    LoadedModel::of_file(&file, Some(name), &Arguments::new()).unwrap()
}

/// Tables for those that a run has to give: smooth and of the right size.
fn filled(tables: Tables, loaded: LoadedModel) -> Tables {
    use costate::command::AnyTable;
    use costate::table::{Curve, Extension, Surface};
    let mut tables = tables;
    for (index, table) in loaded.description().tables.iter().enumerate() {
        if tables.at(index).is_some() {
            continue;
        }
        let grid: Vec<f64> = (0..9).map(|i| 0.5 * f64::from(i) - 2.0).collect();
        let data = if table.arguments.len() == 1 {
            let values: Vec<f64> = grid.iter().map(|x| x.sin()).collect();
            AnyTable::Curve(Curve::new(grid, values, Extension::Linear).unwrap().into())
        } else {
            let rows: Vec<f64> = grid.iter().flat_map(|x| grid.iter().map(move |y| (x + 0.3 * y).sin())).collect();
            AnyTable::Surface(
                Surface::new(grid.clone(), grid, rows, [Extension::Linear, Extension::Linear]).unwrap().into(),
            )
        };
        tables = tables.replaced(index, data);
    }
    tables
}

fn same<S: Scalar, M: CompiledModel>(loaded: LoadedModel, parameters: &[f64]) {
    for seed in 0..6 {
        let tables = filled(M::tables(), loaded);
        let own_tables = filled(loaded.system().tables(), loaded);
        let compiled = values::<M, S>((), parameters, &tables, seed);
        let interpreted = values::<Interpreted, S>(loaded.program(), parameters, &own_tables, seed);
        assert_eq!(compiled.len(), interpreted.len());
        for ((name, compiled), (_, interpreted)) in compiled.iter().zip(&interpreted) {
            assert_eq!(compiled.len(), interpreted.len(), "{name} of {}", loaded.name());
            for component in 0..S::COMPONENTS {
                let part = |all: &[S]| all.iter().map(|number| number.component(component)).collect::<Vec<_>>();
                let (compiled, interpreted) = (part(compiled), part(interpreted));
                let scale = compiled.iter().fold(0.0, |most: f64, number| most.max(number.abs()));
                for (place, (one, other)) in compiled.iter().zip(&interpreted).enumerate() {
                    let equal = (one - other).abs() <= TOLERANCE * scale || (one.is_nan() && other.is_nan());
                    let model = loaded.name();
                    assert!(equal, "{name}[{place}] of {model}: {one} compiled, {other} interpreted");
                }
            }
        }
    }
}

fn check<M: CompiledModel + Default>(file: &str) {
    let model = M::default();
    let (loaded, parameters) = (load(file, <M as Model>::description().name), model.parameters());
    let described = Description { digest: None, back_end: BackEnd::Compiled, ..*loaded.description() };
    assert_eq!(format!("{described:?}"), format!("{:?}", <M as Model>::description()));
    same::<f64, M>(loaded, parameters.as_ref());
    same::<Dual, M>(loaded, parameters.as_ref());
}

#[test]
fn functions_of_published_models() {
    check::<EngineMount>("engine_mount.rs");
    check::<MountWithoutMembrane>("engine_mount.rs");
    check::<LinearMount>("engine_mount.rs");
    check::<PreloadedMount>("engine_mount.rs");
    check::<RelaxingMount>("engine_mount.rs");
    check::<CartPendulum>("cart_pendulum.rs");
    check::<DiscreteOscillator>("discrete_oscillator.rs");
    check::<Oscillator>("oscillator.rs");
    check::<PendulumChain>("pendulum_chain.rs");
    check::<PendulumOnCart>("pendulum_on_cart.rs");
    check::<SwingArm>("swing_arm.rs");
}

#[test]
fn functions_of_engines() {
    check::<FourCylinderEngine>("four_cylinder_engine.rs");
    check::<MappedEngine>("four_cylinder_engine.rs");
}

#[test]
fn functions_of_identified_models() {
    check::<IdentifiedOscillator>("restoring_force/identified.rs");
}
