//! The engine's source, compiled for other numbers of cylinders and of Maxwell elements.

use costate_compiler::{Arguments, Compiled, Diagnostic, ModelFile, compile_str, compile_str_with};
use costate_tests::sources::engine;

fn compile(cylinders: i64, maxwell_elements: i64) -> Result<Compiled, Vec<Diagnostic>> {
    let arguments = Arguments::new().with("cylinders", cylinders).with("maxwell_elements", maxwell_elements);
    compile_str_with(&engine("FourCylinderEngine"), &arguments)
}

fn default(compiled: &Compiled, name: &str) -> f64 {
    let model = &compiled.model;
    let position = model.parameters.iter().position(|parameter| parameter.name == name).unwrap();
    model.defaults[position].unwrap()
}

/// Returns the firing order, from cylinder 1 on, and the intervals between the firings in degrees of the shaft.
fn firings(compiled: &Compiled, cylinders: i64) -> (Vec<i64>, Vec<f64>) {
    let mut firings: Vec<(f64, i64)> =
        (1..=cylinders).map(|k| (720.0 - default(compiled, &format!("rest[{}]", k + 1)), k)).collect();
    for (angle, _) in &mut firings {
        *angle %= 720.0;
    }
    firings.sort_by(|a, b| a.0.total_cmp(&b.0));
    let intervals = firings.windows(2).map(|pair| pair[1].0 - pair[0].0).collect();
    let mut order: Vec<i64> = firings.into_iter().map(|(_, k)| k).collect();
    let first = order.iter().position(|k| *k == 1).unwrap();
    order.rotate_left(first);
    (order, intervals)
}

#[test]
fn numbers_of_coordinates_and_constraints() {
    for (cylinders, elements) in [(4, 2), (1, 2), (3, 1), (6, 3), (4, 0), (7, 2), (8, 1)] {
        let compiled = compile(cylinders, elements).unwrap();
        let model = &compiled.model;
        // nodes of the shaft, conrods and pistons, ring, Maxwell nodes, pulley
        let coordinates = (cylinders + 2) + 4 * cylinders + 1 + elements + 1;
        assert_eq!(model.coordinates.len() as i64, coordinates, "{cylinders}, {elements}");
        assert_eq!(model.constraints.len() as i64, 4 * cylinders, "{cylinders}, {elements}");
        assert!(model.defaults.iter().all(Option::is_some), "{cylinders}, {elements}");
        let code = compiled.source().unwrap();
        assert!(code.contains(&format!("pub const CYLINDERS: usize = {cylinders};")));
        assert!(code.contains(&format!("pub const MAXWELL_ELEMENTS: usize = {elements};")));
    }
}

/// Checks that `costate compile --set cylinders=6` writes the code that the macro generates for a model with six
/// cylinders in its header.
#[test]
fn six_cylinders_from_outside_and_in_the_header() {
    let six = Arguments::new().with("cylinders", 6);
    let file = ModelFile::read("../models/src/four_cylinder_engine.rs").unwrap();
    let expanded = file.expand(Some("FourCylinderEngine"), &six).unwrap().code;
    let written = engine("FourCylinderEngine").replace("cylinders: usize = 4", "cylinders: usize = 6");
    let written = compile_str(&written).unwrap().source().unwrap();
    let (heading, code) = expanded.split_once("\n\n").unwrap();
    assert!(heading.ends_with("\n// FourCylinderEngine(cylinders = 6, maxwell_elements = 2, pressure_map = false)"));
    assert_eq!(code, written);
}

#[test]
fn with_a_map_of_the_pressure() {
    let compiled = compile_str_with(&engine("MappedEngine"), &Arguments::new().with("cylinders", 6)).unwrap();
    assert_eq!(compiled.model.tables.len(), 1);
    assert_eq!(compiled.model.constraints.len(), 24);
}

#[test]
fn firing_orders() {
    for order in [
        &[1][..],
        &[1, 2],
        &[1, 3, 2],
        &[1, 2, 4, 3],
        &[1, 2, 4, 5, 3],
        &[1, 5, 3, 6, 2, 4],
        &[1, 2, 4, 6, 7, 5, 3],
        &[1, 6, 2, 5, 8, 3, 7, 4],
    ] {
        let cylinders = order.len() as i64;
        let (found, intervals) = firings(&compile(cylinders, 2).unwrap(), cylinders);
        assert_eq!(found, order);
        // A seventh of 720 is not exact in binary.
        let rounding = if cylinders == 7 { 1e-12 } else { 0.0 };
        let even = |interval: &f64| (interval - 720.0 / cylinders as f64).abs() <= rounding;
        assert!(intervals.iter().all(even), "{intervals:?}");
    }
}

#[test]
fn other_numbers_of_cylinders_have_no_firing_order() {
    let errors = compile(9, 2).unwrap_err();
    assert_eq!(errors.len(), 1, "{errors:?}");
    assert!(errors[0].message.starts_with("the list has 8 values, but `rest` is declared here with 9"));
}

#[test]
fn maxwell_elements() {
    let compiled = compile(4, 3).unwrap();
    let values = |name: &str| [1, 2, 3].map(|i| default(&compiled, &format!("{name}[{i}]")));
    assert_eq!((values("cs")[..2].to_vec(), values("ds")[..2].to_vec()), (vec![2e4, 8e3], vec![5.0, 20.0]));
    for (i, (stiffness, damping)) in values("cs").into_iter().zip(values("ds")).enumerate() {
        let time = 0.25e-3 * 10f64.powi(i as i32);
        assert!((damping / stiffness - time).abs() <= 1e-12 * time, "{i}: {damping}/{stiffness}");
    }
}

#[test]
fn wrong_arguments_from_outside() {
    let errors = |arguments: Arguments| {
        let errors = compile_str_with(&engine("FourCylinderEngine"), &arguments).unwrap_err();
        errors.into_iter().map(|error| error.message).collect::<Vec<_>>()
    };
    assert_eq!(
        errors(Arguments::new().with("cylinder", 6)),
        ["the model `FourCylinderEngine` has no structural argument `cylinder`; did you mean `cylinders`?"]
    );
    assert_eq!(
        errors(Arguments::new().with("valves", 6)),
        ["the model `FourCylinderEngine` has no structural argument `valves`; \
          it has `cylinders`, `maxwell_elements`, `pressure_map`"]
    );
    assert_eq!(
        errors(Arguments::new().with("cylinders", -1)),
        ["`cylinders` is given as -1; a structural argument is a whole number, 0 or more"]
    );
}

/// Checks that an argument without a default needs a value from outside, which also replaces a wrong default.
#[test]
fn argument_without_default() {
    let compile = |header: &str, arguments: &Arguments| {
        let body = "{ coordinates { x[1..=n]: m } mass { for i in 1..=n { x[i]: 1 } } }";
        compile_str_with(&format!("Row({header}) {body}"), arguments)
    };
    let given = Arguments::new().with("n", 5).with("n", 2);
    for header in ["n: usize", "n: usize = 1/2"] {
        assert_eq!(compile(header, &given).unwrap().model.coordinates.len(), 2, "{header}");
        assert_eq!(compile(header, &Arguments::new()).unwrap_err().len(), 1, "{header}");
    }
    let messages = |arguments| compile("", &arguments).unwrap_err().remove(0).message;
    assert_eq!(messages(given), "the model `Row` has no structural argument `n`; it has none");
}
