//! Conversion of every expression of every model of costate-models to Symbolica and back into a model, at random
//! states.
//!
//! The returned text is checked in two ways: the masses, forces, constraints and outputs become the equations of a
//! flat model, from which the compiler derives everything again, and every returned expression becomes an output of
//! that model. The compilation of the flat model checks the units.

// Helpers of tests may unwrap and panic.
#![allow(clippy::unwrap_used, clippy::panic)]

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::path::{Path, PathBuf};

use costate_compiler::expressions::Expressions;
use costate_compiler::symbolic::{Id, Integrator, Lookup, Node, Symbol};
use costate_compiler::{Arguments, Compiled, Diagnostic, ModelFile, Quantity, compile_str};
use costate_symbolica::{TextError, atoms, text};

/// Tolerance relative to the expression or, where terms cancel, to the size of its terms.
const TOLERANCE: f64 = 1e-13;
const STATES: u64 = 5;

/// Lists the files with models.
fn files(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            found.extend(files(&path));
        } else if std::fs::read_to_string(&path).unwrap().contains("model! {") {
            found.push(path);
        }
    }
    found.sort();
    found
}

/// Returns a number for every symbol: from -1 to 1 for coordinates and velocities, else from 0.5 to 1.5.
fn number(symbol: Symbol, state: u64) -> f64 {
    let (kind, i) = match symbol {
        Symbol::Time => (1, 0),
        Symbol::Coordinate(i) => (2, i),
        Symbol::Velocity(i) => (3, i),
        Symbol::Acceleration(i) => (4, i),
        Symbol::Multiplier(i) => (5, i),
        Symbol::Parameter(i) => (6, i),
        Symbol::Input(i) => (7, i),
        Symbol::Integrator(weight) => (8, weight as usize),
        Symbol::Given(..) => (9, 0),
    };
    // splitmix64
    let mut bits = (state * 1009 + kind * 101 + i as u64 + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    bits = (bits ^ (bits >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    bits = (bits ^ (bits >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    bits ^= bits >> 31;
    let fraction = (bits >> 11) as f64 / (1u64 << 53) as f64;
    // coordinates and velocities of both signs, where forces have branches
    if kind == 2 || kind == 3 { 2.0 * fraction - 1.0 } else { 0.5 + fraction }
}

/// Evaluates a smooth function in place of each table and each of its derivatives.
fn table(lookup: Lookup, [x, y]: [f64; 2]) -> f64 {
    let y = if y.is_nan() { 0.0 } else { y };
    (0.7 + 0.01 * x + 0.02 * y + f64::from(lookup.table)).sin()
        + f64::from(lookup.orders[0])
        + 2.0 * f64::from(lookup.orders[1])
}

/// Evaluates all expressions, each with the size of its terms before they cancel; parameters from `first` on are the
/// weights of an implicit step.
fn values(expressions: &Expressions, first: usize, state: u64) -> BTreeMap<String, (f64, f64)> {
    let graph = &expressions.graph;
    let roots: Vec<Id> = expressions.all.iter().map(|one| one.id).collect();
    let weights = [Integrator::Accelerations, Integrator::Coordinates, Integrator::Velocities];
    let value = |symbol| match symbol {
        Symbol::Parameter(i) if i >= first => number(Symbol::Integrator(weights[i - first]), state),
        _ => number(symbol, state),
    };
    let nodes = graph.reachable(&roots);
    let of_nodes: BTreeMap<Id, f64> = nodes.iter().copied().zip(graph.evaluate_with(&nodes, value, table)).collect();
    let mut sizes: BTreeMap<Id, f64> = BTreeMap::new();
    for &id in &nodes {
        let size = match graph.node(id) {
            Node::Negate(a) => sizes[&a],
            Node::Add(a, b) | Node::Subtract(a, b) => sizes[&a] + sizes[&b],
            Node::Multiply(a, b) => sizes[&a] * sizes[&b],
            Node::Divide(a, b) => sizes[&a] / of_nodes[&b].abs(),
            Node::PowerInteger(a, n) if n > 0 => sizes[&a].powi(n),
            Node::Select(condition, a, b) => sizes[if of_nodes[&condition] != 0.0 { &a } else { &b }],
            _ => of_nodes[&id].abs(),
        };
        sizes.insert(id, size);
    }
    expressions.all.iter().map(|one| (one.to_string(), (of_nodes[&one.id], sizes[&one.id]))).collect()
}

/// Returns the name of a quantity in the flat model, where members of bodies and components have no path.
fn flat(name: &str, names: &BTreeMap<String, String>) -> String {
    names.get(name).cloned().unwrap_or_else(|| name.to_owned())
}

fn declarations(block: &str, quantities: &[Quantity], names: &BTreeMap<String, String>) -> String {
    let entries: Vec<String> =
        quantities.iter().map(|quantity| format!("{}: {}", flat(&quantity.name, names), quantity.unit)).collect();
    format!("    {block} {{ {} }}\n", entries.join(", "))
}

/// A model that has been converted to atoms and written as text again.
struct Returned {
    /// The text of the flat model.
    source: String,
    /// Names of the outputs of the flat model, by the names of the expressions.
    outputs: BTreeMap<String, String>,
    /// Expressions with derivatives of tables.
    without_text: BTreeSet<String>,
}

fn there_and_back(compiled: &Compiled) -> Returned {
    let model = &compiled.model;
    let found = atoms(compiled).unwrap();
    let all = [&model.parameters, &model.inputs, &model.coordinates, &model.constraints, &model.outputs];
    let names: BTreeMap<String, String> = all
        .into_iter()
        .flatten()
        .filter(|quantity| quantity.name.contains('.'))
        .map(|quantity| (quantity.name.clone(), quantity.field.to_string()))
        .collect();
    let (mut outputs, mut without_text) = (BTreeMap::new(), BTreeSet::new());
    let mut blocks: BTreeMap<&str, Vec<String>> = BTreeMap::new();
    for one in &found.all {
        let name = one.expression.to_string();
        let mut written = match text(&one.atom) {
            Ok(text) => text,
            Err(TextError::Derivative { .. }) => {
                without_text.insert(name);
                continue;
            }
            Err(error) => panic!("{name}: {error}"),
        };
        for (path, field) in names.iter().rev() {
            written = written.replace(path, field);
        }
        let unit = one.expression.unit.as_ref().unwrap_or_else(|| panic!("{name} has no unit"));
        let output = format!("returned[{}]", outputs.len());
        blocks.entry("outputs").or_default().push(format!("{output}: {unit} = {written}"));
        outputs.insert(name, output);
        let indices: Vec<String> = one.expression.indices.iter().map(|name| flat(name, &names)).collect();
        match (&*one.expression.quantity, &*indices) {
            ("M", [row, column]) if row == column => {
                blocks.entry("mass").or_default().push(format!("{row}: {written}"));
            }
            ("M", [row, column]) => {
                blocks.entry("mass").or_default().push(format!("({row}, {column}): {written}"));
            }
            ("f", [row]) => blocks.entry("forces").or_default().push(format!("{row}: {written}")),
            ("C", [row]) => blocks.entry("constraints").or_default().push(format!("{row}: {written}")),
            ("s", [row]) => {
                let output = model.outputs.iter().find(|output| flat(&output.name, &names) == *row).unwrap();
                blocks.entry("outputs").or_default().push(format!("{row}: {} = {written}", output.unit));
            }
            _ => {}
        }
    }
    let mut source = format!("{} {{\n", model.name);
    source += &declarations("parameters", &model.parameters, &names);
    source += "    parameters { w_a: 1, w_q: s^2, w_v: s }\n";
    source += &declarations("inputs", &model.inputs, &names);
    source += &declarations("coordinates", &model.coordinates, &names);
    for table in &model.tables {
        let arguments: Vec<String> =
            table.arguments.iter().map(|argument| format!("{}: {}", argument.name, argument.unit)).collect();
        let Quantity { name, unit, .. } = &table.quantity;
        writeln!(source, "    tables {{ {name}({}): {unit} }}", arguments.join(", ")).unwrap();
    }
    for (block, entries) in blocks {
        writeln!(source, "    {block} {{\n        {}\n    }}", entries.join(",\n        ")).unwrap();
    }
    source += "}\n";
    Returned { source, outputs, without_text }
}

fn compiled(source: &str) -> Result<Compiled, Vec<String>> {
    let messages = |errors: Vec<Diagnostic>| errors.iter().map(ToString::to_string).collect();
    compile_str(source).map_err(messages)
}

/// Returns the largest relative deviation of a returned expression, with the name of the expression.
fn deviation(original: &Compiled, returned: &Returned, flat: &Compiled) -> (f64, String) {
    let (before, after) = (original.expressions(), flat.expressions());
    let first = original.model.parameters.len();
    let mut worst = (0.0, String::new());
    for state in 0..STATES {
        let (expected, found) = (values(&before, first, state), values(&after, first, state));
        for (name, (value, size)) in &expected {
            let derived = found.get(&original_to_flat(original, name)).copied();
            let written = returned.outputs.get(name).map(|output| found[&format!("s[{output}]")]);
            for (how, found) in [("derived", derived), ("written", written)] {
                let Some((found, _)) = found else { continue };
                assert!(found.is_finite(), "{name} at state {state}, {how}: {found}");
                let difference = (value - found).abs();
                let relative = if difference == 0.0 { 0.0 } else { difference / size.max(value.abs()) };
                if relative > worst.0 || relative.is_nan() {
                    worst = (relative, format!("{name} at state {state}, {how}: {value:e} and {found:e}"));
                }
            }
            assert!(derived.is_some() || written.is_some(), "{name} has not come back");
        }
    }
    worst
}

/// Returns the name of an expression in the flat model.
fn original_to_flat(original: &Compiled, name: &str) -> String {
    let model = &original.model;
    let all = [&model.parameters, &model.inputs, &model.coordinates, &model.constraints, &model.outputs];
    let mut name = name.to_owned();
    let mut members: Vec<&Quantity> =
        all.into_iter().flatten().filter(|quantity| quantity.name.contains('.')).collect();
    members.sort_by_key(|quantity| std::cmp::Reverse(quantity.name.len()));
    for quantity in members {
        name = name.replace(&quantity.name, &quantity.field.to_string());
    }
    name
}

#[test]
fn every_expression_of_every_model() {
    let mut models = Vec::new();
    for path in files(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../../models/src")) {
        let file = ModelFile::read(&path).unwrap();
        for name in file.names() {
            let original = file.compile(Some(&name), &Arguments::new()).unwrap();
            let mut returned = there_and_back(&original);
            if name == "Oscillator" {
                // The numbers of this model have units, which are lost in an expression: the text is refused without
                // them.
                let errors = compiled(&returned.source).map(|_| ()).unwrap_err();
                assert!(errors.iter().all(|error| error.contains("unit")), "{errors:?}");
                returned.source = returned.source.replace("sin(t)", "1[m/s^2]*sin(1[rad/s]*t)");
                returned.source = returned.source.replace("*cos(t)", "*1[m/s^2]*cos(1[rad/s]*t)");
            }
            let flat = compiled(&returned.source).unwrap_or_else(|errors| {
                panic!("{name}: {errors:#?}\n{}", returned.source);
            });
            let (worst, what) = deviation(&original, &returned, &flat);
            println!(
                "{name}: {} expressions, {} of them with derivatives of tables; {worst:.1e} {what}",
                returned.outputs.len() + returned.without_text.len(),
                returned.without_text.len()
            );
            assert_eq!(returned.without_text.is_empty(), original.model.tables.is_empty(), "{name}");
            assert!(worst <= TOLERANCE, "{name}: {what}");
            models.push(name);
        }
    }
    println!("{} models", models.len());
    assert!(models.len() >= 20, "{models:?}");
}
