//! Every model of the repository and of the book: interpreted groups against the evaluation of their expressions.
#![allow(clippy::unwrap_used, reason = "helpers of tests may fail")]

use std::path::{Path, PathBuf};

use costate_compiler::symbolic::{Integrator, Symbol};
use costate_compiler::{Arguments, Compiled, ModelFile};
use costate_contract::Group;
use costate_interpreter::{Interpreted, LoadedModel};
use costate_system::model::{Functions, Point, Weights};

/// Largest difference of two numbers, relative to the largest one of their group, or to 1.
const TOLERANCE: f64 = 1e-12;

/// Folders whose models are compared.
const FOLDERS: [&str; 6] = ["models/src", "examples", "book/src", "tests/golden", "tests/tests", "tests/src"];

/// A made-up number between 0.5 and 1.5.
fn number(kind: u64, i: usize, seed: u64) -> f64 {
    let mut bits = (kind << 40 ^ (i as u64) << 8 ^ seed).wrapping_add(1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    bits = (bits ^ (bits >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    0.5 + ((bits ^ (bits >> 31)) >> 11) as f64 / (1u64 << 53) as f64
}

fn value(symbol: Symbol, seed: u64) -> f64 {
    match symbol {
        Symbol::Time => number(0, 0, seed),
        Symbol::Coordinate(i) => number(1, i, seed),
        Symbol::Velocity(i) => number(2, i, seed),
        Symbol::Acceleration(i) => number(3, i, seed),
        Symbol::Multiplier(i) => number(4, i, seed),
        Symbol::Input(i) => number(5, i, seed),
        Symbol::Parameter(i) => number(6, i, seed),
        Symbol::Integrator(weight) => number(7, weight as usize, seed),
        Symbol::Given(..) => f64::NAN,
    }
}

fn files(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        match path.extension().and_then(|extension| extension.to_str()) {
            _ if path.is_dir() => files(&path, found),
            Some("rs" | "md" | "model") => found.push(path),
            _ => {}
        }
    }
}

/// The texts of a file that may have models: the file, or the listings of a chapter.
fn texts(path: &Path) -> Vec<String> {
    let text = std::fs::read_to_string(path).unwrap();
    if path.extension().is_none_or(|extension| extension != "md") {
        return vec![text];
    }
    let listings = text.split("```").skip(1).step_by(2).filter_map(|listing| listing.split_once('\n'));
    listings.map(|(_, listing)| listing.to_owned()).collect()
}

fn compare(compiled: &Compiled, loaded: LoadedModel, seed: u64) {
    let (program, lengths) = (loaded.program(), Interpreted::lengths(loaded.program()));
    let vector = |length: usize, symbol: fn(usize) -> Symbol| -> Vec<f64> {
        (0..length).map(|i| value(symbol(i), seed)).collect()
    };
    let weight = |of: Integrator| value(Symbol::Integrator(of), seed);
    let weights = Weights {
        accelerations: weight(Integrator::Accelerations),
        coordinates: weight(Integrator::Coordinates),
        velocities: weight(Integrator::Velocities),
        step: weight(Integrator::Step),
        previous: weight(Integrator::Previous),
        ..Weights::default()
    };
    let parameters = vector(lengths.parameters, Symbol::Parameter);
    let constants = Interpreted::constants::<f64>(program, &parameters, &weights, &loaded.system().tables());
    let at = Point::<Interpreted, f64> {
        time: value(Symbol::Time, seed),
        coordinates: &vector(lengths.coordinates, Symbol::Coordinate),
        velocities: &vector(lengths.coordinates, Symbol::Velocity),
        accelerations: &vector(lengths.coordinates, Symbol::Acceleration),
        multipliers: &vector(lengths.multipliers, Symbol::Multiplier),
        inputs: &vector(lengths.inputs, Symbol::Input),
        constants: &constants,
    };
    for group in &compiled.groups.all {
        let mut out = vec![0.0; group.length()];
        let mut factors = vec![0.0; lengths.factors];
        match group.kind {
            Group::Initial => Interpreted::initial(&constants, &mut out),
            Group::InitialDerivatives => Interpreted::initial_derivatives(&constants, &mut out),
            Group::Adjoint => {
                Interpreted::adjoint(&at, &mut out, &mut factors);
                out.extend(&factors[..group.values().len() - out.len()]);
            }
            other => Interpreted::evaluate(other, &at, &mut out),
        }
        let expected = compiled.graph.evaluate(&group.values(), |symbol| value(symbol, seed));
        let scale = expected.iter().filter(|x| x.is_finite()).fold(1.0, |most: f64, x| most.max(x.abs()));
        assert_eq!(out.len(), expected.len());
        for (place, (own, other)) in out.iter().zip(&expected).enumerate() {
            let same = (own - other).abs() <= TOLERANCE * scale || own == other || own.is_nan() && other.is_nan();
            assert!(same, "{}[{place}] of {}: {own} interpreted, {other} expected", group.kind.name(), loaded.name());
        }
    }
}

#[test]
fn groups_have_the_values_of_their_expressions() {
    let mut found = Vec::new();
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    FOLDERS.iter().for_each(|folder| files(&root.join(folder), &mut found));
    let mut compared = 0;
    for path in found {
        for text in texts(&path) {
            // other listings, and models that are wrong on purpose
            let Ok(file) = ModelFile::from_text(&path, text) else { continue };
            for name in file.names() {
                let Ok(compiled) = file.compile(Some(&name), &Arguments::new()) else { continue };
                let loaded = LoadedModel::of_compiled(&file, &compiled).unwrap();
                // tables are compared with compiled code
                if compiled.model.tables.is_empty() {
                    (0..2).for_each(|seed| compare(&compiled, loaded, seed));
                    compared += 1;
                }
            }
        }
    }
    assert!(compared > 100, "only {compared} models");
}

fn row(force: &str, masses: i64) -> LoadedModel {
    let text = format!(
        "Row(masses: usize = 2) {{
            parameters {{ m: kg = 1, c: N/m = 100 }}
            coordinates {{ x[1..=masses]: m }}
            mass {{ for i in 1..=masses {{ x[i]: m }} }}
            forces {{ for i in 1..=masses {{ x[i]: {force} }} }}
            outputs {{ first: m = x[1] }}
        }}"
    );
    let file = ModelFile::from_text("row.model", text).unwrap();
    LoadedModel::of_file(&file, None, &Arguments::new().with("masses", masses)).unwrap()
}

/// Tests that models are distinguished by their texts, also where all names are the same.
#[test]
fn a_text_is_loaded_once_and_is_no_other() {
    let first = row("-c*x[i]", 2);
    assert!(std::ptr::eq(first.program(), row("-c*x[i]", 2).program()));
    assert!(!first.description().is_same(row("-c*x[i]", 3).description()));
    let other = row("-2*c*x[i]", 2);
    assert!(!first.description().is_same(other.description()));

    let described = |model: LoadedModel| model.simulation().unwrap().step(1e-3).until(0.1);
    assert!(described(first).parameter(first.parameter("c").unwrap(), 90.0).run().is_ok());
    assert!(described(first).parameter(other.parameter("c").unwrap(), 90.0).run().is_err());
    let [own, of_other] = [first, other].map(|model| described(model).problem().unwrap());
    let run = first.system().forward(&own, &[1.0, 100.0]).unwrap();
    let outputs = first.system().outputs_of(&run);
    let gradient = |problem| first.system().gradients(problem, (&run).into(), &[&outputs], &[1]);
    assert!(gradient(&own).is_ok());
    assert!(gradient(&of_other).is_err());
    assert!(first.process(&own, &[1.0, 100.0]).is_ok());
    assert!(first.process(&of_other, &[1.0, 100.0]).is_err());
    assert!(first.process(&own, &[1.0]).is_err());
}
