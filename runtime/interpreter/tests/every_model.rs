//! Every model of the repository and of the book: groups and functions of a step against the evaluation of their
//! expressions, and machine code against interpreted tapes.
#![allow(clippy::unwrap_used, reason = "helpers of tests may fail")]

use std::path::{Path, PathBuf};

use costate_compiler::mechanics::{AdjointStep, StepFunctions};
use costate_compiler::symbolic::{Given, Graph, Id, Integrator, Lookup, Symbol};
use costate_compiler::{Arguments, Compiled, ModelFile};
use costate_contract::Group;
use costate_interpreter::{Given as Arrays, Interpreted, LoadedModel, Results, Tape, Workspace};
use costate_numerics::scalar::{Entries, Lanes, Scalar};
use costate_system::model::{AdjointCarry, AdjointUpdate, Functions, Lengths, Point, SelectedParameters, Weights};
use costate_system::table::{AnyTable, Tables};

/// Largest difference of two numbers, relative to the largest one of their group, or to 1.
const TOLERANCE: f64 = 1e-12;

/// Folders whose models are compared.
const FOLDERS: [&str; 6] = ["models/src", "examples", "book/src", "tests/golden", "tests/tests", "tests/src"];

/// Models whose functions of a step are compared: with tables, with constraints, with loops, and with none of these.
const WITH_STEPS: [&str; 4] = ["CamFollower", "FourBar", "Chain", "DiscreteOscillator"];

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
        Symbol::Given(given, i) => number(8 + given as u64, i, seed),
    }
}

fn given(given: Given, length: usize, seed: u64) -> Vec<f64> {
    (0..length).map(|i| value(Symbol::Given(given, i), seed)).collect()
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

/// Does something at the point of made-up numbers.
fn at_point<S: Scalar, T>(loaded: LoadedModel, seed: u64, work: impl FnOnce(&Point<'_, Interpreted, S>) -> T) -> T {
    let (program, lengths) = (loaded.program(), Interpreted::lengths(loaded.program()));
    let number = |symbol| S::constant(value(symbol, seed));
    let vector =
        |length: usize, symbol: fn(usize) -> Symbol| -> Vec<S> { (0..length).map(|i| number(symbol(i))).collect() };
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
    work(&Point::<Interpreted, S> {
        time: number(Symbol::Time),
        coordinates: &vector(lengths.coordinates, Symbol::Coordinate),
        velocities: &vector(lengths.coordinates, Symbol::Velocity),
        accelerations: &vector(lengths.coordinates, Symbol::Acceleration),
        multipliers: &vector(lengths.multipliers, Symbol::Multiplier),
        inputs: &vector(lengths.inputs, Symbol::Input),
        constants: &Interpreted::constants::<S>(program, &parameters, &weights, &loaded.system().tables()),
    })
}

/// Evaluates all groups.
fn groups<S: Scalar>(compiled: &Compiled, at: &Point<'_, Interpreted, S>) -> Vec<Vec<S>> {
    let factors = Interpreted::lengths(Interpreted::program(at.constants)).factors;
    let results = compiled.groups.all.iter().map(|group| {
        let (mut out, mut factors) = (vec![S::constant(0.0); group.length()], vec![S::constant(0.0); factors]);
        match group.kind {
            Group::Initial => Interpreted::initial(at.constants, &mut out),
            Group::InitialDerivatives => Interpreted::initial_derivatives(at.constants, &mut out),
            Group::Adjoint => {
                Interpreted::adjoint(at, &mut out, &mut factors);
                out.extend(&factors[..group.values().len() - out.len()]);
            }
            other => Interpreted::evaluate(other, at, &mut out),
        }
        out
    });
    results.collect()
}

fn compare(compiled: &Compiled, loaded: LoadedModel, seed: u64) {
    let tables = loaded.system().tables();
    let expected = Expected { seed, tables: &tables, model: loaded.name() };
    let plain = at_point::<f64, _>(loaded, seed, |at| groups(compiled, at));
    let lanes = Lanes::are_available().then(|| at_point::<Lanes, _>(loaded, seed, |at| groups(compiled, at)));
    for (i, group) in compiled.groups.all.iter().enumerate() {
        let name = group.kind.name();
        let check = |found: &[f64]| expected.check(name, &compiled.graph, &group.values(), found);
        check(&plain[i]);
        for lane in lanes.iter().flat_map(|_| [0, 3]) {
            let numbers = lanes.iter().flat_map(|groups| &groups[i]);
            check(&numbers.map(|number| number.lane(lane)).collect::<Vec<_>>());
        }
    }
    // the matrix of another model may be nearly singular at numbers that are made up
    if let Some(elimination) = compiled.elimination.as_ref().filter(|_| WITH_STEPS.contains(&loaded.name())) {
        let mut graph = compiled.graph.clone();
        let functions = StepFunctions::new(&compiled.model, &mut graph, &compiled.equations, elimination);
        let functions = functions.lowered(&mut graph);
        let lengths = Interpreted::lengths(loaded.program());
        at_point(loaded, seed, |at| compare_step(&graph, &functions, at, &lengths, &expected));
    }
}

/// The numbers of symbols and tables.
struct Expected<'a> {
    seed: u64,
    tables: &'a Tables,
    model: &'a str,
}

impl Expected<'_> {
    fn check(&self, name: &str, graph: &Graph, ids: &[Id], found: &[f64]) {
        let lookup = |lookup: Lookup, [x, y]: [f64; 2]| match self.tables.at(lookup.table as usize) {
            Some(AnyTable::Curve(curve)) => curve.derivatives(x, [lookup.orders[0].into()])[0],
            Some(AnyTable::Surface(surface)) => surface.derivatives(x, y, [lookup.orders.map(usize::from)])[0],
            None => f64::NAN,
        };
        let expected = graph.evaluate_with(ids, |symbol| value(symbol, self.seed), lookup);
        let scale = expected.iter().filter(|x| x.is_finite()).fold(1.0, |most: f64, x| most.max(x.abs()));
        assert_eq!(found.len(), expected.len());
        for (place, (own, other)) in found.iter().zip(&expected).enumerate() {
            let same = (own - other).abs() <= TOLERANCE * scale || own == other || own.is_nan() && other.is_nan();
            assert!(same, "{name}[{place}] of {}: {own} interpreted, {other} expected", self.model);
        }
    }
}

/// Compares the functions of a step and of its adjoint.
fn compare_step(
    graph: &Graph,
    functions: &StepFunctions,
    at: &Point<'_, Interpreted, f64>,
    lengths: &Lengths,
    expected: &Expected<'_>,
) {
    let check = |name, ids: &[Id], found: &[f64]| expected.check(name, graph, ids, found);
    let (seed, program) = (expected.seed, Interpreted::program(at.constants));
    let given = |of, length| given(of, length, seed);
    let history = given(Given::History, lengths.coordinates);
    let (mut factors, mut correction) = (vec![0.0; lengths.factors], vec![0.0; lengths.unknowns]);
    Interpreted::newton_correction(at, &history, &mut correction, &mut factors);
    check("factors", &functions.factors, &factors);
    check("newton_correction", &functions.correction, &correction);
    factors = given(Given::Factor, lengths.factors);
    Interpreted::chord_correction(at, &history, &mut correction, &factors);
    check("chord_correction", &functions.correction_by_factors, &correction);
    let right = given(Given::RightSide, lengths.unknowns);
    let mut unknowns = right.clone();
    Interpreted::solve(at.constants, &factors, &mut unknowns);
    check("solve", &functions.solution, &unknowns);
    unknowns = right;
    Interpreted::solve_transposed(at.constants, &factors, &mut unknowns);
    check("solve_transposed", &functions.transposed_solution, &unknowns);

    let every: Vec<usize> = (0..lengths.parameters).collect();
    let selected = SelectedParameters::of(Interpreted::description(program), &every).unwrap();
    let mut carry = AdjointCarry::<Interpreted, f64>::zeros(program);
    carry.right = given(Given::AdjointCarry, lengths.unknowns);
    carry.carried = given(Given::Carried, lengths.coordinates);
    carry.has_history = true;
    let mut update = AdjointUpdate::<Interpreted, f64>::zeros(program);
    let (mut gradient, mut coefficients) = (vec![0.0; lengths.parameters], vec![0.0; lengths.adjoint_coefficients]);
    let output_gradient = given(Given::OutputGradient, lengths.outputs);
    Interpreted::adjoint_step(
        at,
        &output_gradient,
        &selected,
        &mut carry,
        &mut update,
        &mut gradient,
        &mut coefficients,
        &mut factors,
    );
    let AdjointStep { variables, gradient: shares } = &functions.adjoint;
    check("factors of the adjoint", &functions.adjoint_factors, &factors);
    check("adjoint variables", variables, &[update.coordinates, update.velocities, update.unknowns].concat());
    check("gradient", shares, &gradient);
}

/// Executes a tape with made-up numbers, a second time with registers that were used; returns all that it fills.
fn execute<S: Scalar>(tape: &Tape, tables: &[AnyTable], selected: &SelectedParameters, seed: u64) -> Vec<S> {
    /// Length of every array, more than any function of these models needs.
    const LENGTH: usize = 6000;
    let array = |kind: u64| -> Vec<S> { (0..LENGTH).map(|i| S::constant(number(kind, i, seed))).collect() };
    let given: Vec<Vec<S>> = (20..34).map(array).collect();
    let mut filled: Vec<Vec<S>> = (40..51).map(array).collect();
    let arrays = Arrays {
        time: &given[0],
        coordinates: &given[1],
        velocities: &given[2],
        accelerations: &given[3],
        multipliers: &given[4],
        inputs: &given[5],
        parameters: &given[6],
        weights: &given[7],
        history: &given[8],
        factors: Entries::Array(&given[9]),
        adjoint_coefficients: Entries::Array(&given[10]),
        output_gradient: &given[11],
        carry_right: &given[12],
        carried: &given[13],
    };
    let mut workspace = Workspace::new(tape, &array(60));
    for _ in 0..2 {
        let filled: &mut [Vec<S>; 11] = (&mut filled[..]).try_into().unwrap();
        let [constants, factors, coefficients, right, out, correction, unknowns, q, v, w, gradient] = filled;
        let mut results = Results {
            constants,
            factors,
            adjoint_coefficients: coefficients,
            carry_right: right,
            out,
            correction,
            unknowns,
            update_coordinates: q,
            update_velocities: v,
            update_unknowns: w,
            gradient,
        };
        tape.execute(&mut workspace, &arrays, &mut results, tables, selected).unwrap();
    }
    filled.concat()
}

/// Compares the machine code of all functions with their tapes, to the bit.
fn compare_machine_code(compiled: &Compiled, loaded: LoadedModel) {
    let tables = loaded.system().tables();
    let tables: Vec<AnyTable> =
        (0..compiled.model.tables.len()).filter_map(|table| tables.at(table).cloned()).collect();
    let count = loaded.description().parameters.len();
    let every = SelectedParameters::of(loaded.description(), &(0..count).collect::<Vec<_>>()).unwrap();
    let some = SelectedParameters::of(loaded.description(), &(0..count).step_by(2).collect::<Vec<_>>()).unwrap();
    for tape in loaded.program().tapes() {
        let interpreted = tape.without_machine_code();
        for (seed, selected) in [(0, &every), (1, &some)] {
            let [code, expected] = [tape, &interpreted].map(|tape| execute::<f64>(tape, &tables, selected, seed));
            let same = |(a, b): (&f64, &f64)| a.to_bits() == b.to_bits() || a.is_nan() && b.is_nan();
            assert!(code.iter().zip(&expected).all(same), "{} of {}", tape.name(), loaded.name());
            if seed == 1 && Lanes::are_available() {
                let [code, expected] = [tape, &interpreted].map(|tape| execute::<Lanes>(tape, &tables, selected, seed));
                let mut pairs = code.iter().zip(&expected).flat_map(|(a, b)| a.array().into_iter().zip(b.array()));
                assert!(pairs.all(|(a, b)| same((&a, &b))), "{} of {} in lanes", tape.name(), loaded.name());
            }
        }
    }
}

#[test]
fn functions_have_the_values_of_their_expressions() {
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
                // tables that a run gives have no numbers yet
                let tables = loaded.system().tables();
                if (0..compiled.model.tables.len()).all(|table| tables.at(table).is_some()) {
                    (0..2).for_each(|seed| compare(&compiled, loaded, seed));
                    compare_machine_code(&compiled, loaded);
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
    let nothing: (&[_], &[_]) = (&[], &[]);
    assert!(first.process(&own, &[1.0, 100.0], nothing).is_ok());
    assert!(first.process(&of_other, &[1.0, 100.0], nothing).is_err());
    assert!(first.process(&own, &[1.0], nothing).is_err());
}
