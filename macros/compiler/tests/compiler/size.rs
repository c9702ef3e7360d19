//! Tests that models that are too large are refused early, at a token, and that large models compile.

use std::fmt::Write;

use costate_compiler::compile_str;

/// Returns the messages about a model, with the marked text.
fn said(text: &str) -> Vec<(String, String)> {
    let errors = compile_str(text).err().unwrap_or_default();
    errors.into_iter().map(|error| (text[error.range()].to_owned(), error.message)).collect()
}

fn row(length: usize, forces: &str) -> String {
    format!(
        "R {{ parameters {{ c: N/m = 1 }} coordinates {{ x[1..={length}]: m }}
        mass {{ for i in 1..={length} {{ x[i]: 1[kg] }} }} forces {{ {forces} }} }}"
    )
}

/// Writes components each of which contains the previous one twice.
fn nested(depth: usize, innermost: &str) -> String {
    let mut text = format!("R {{ component C0 {{ connections {{ a: m }} {innermost} }}\n");
    for i in 1..=depth {
        let inner = i - 1;
        let _ = writeln!(
            text,
            "component C{i} {{ connections {{ a: m }} components {{ p: C{inner} {{ a = a }}, q: C{inner} {{ a = a }} \
                 }} }}"
        );
    }
    text + &format!("coordinates {{ x: m }} mass {{ x: 1[kg] }} components {{ c: C{depth} {{ a = x }} }} }}")
}

#[test]
fn too_many_quantities() {
    let text = row(20_000, "for i in 1..=20000 { x[i]: -c*x[i] }");
    let message = "with this the model has more than 5000 coordinates; write fewer";
    assert_eq!(said(&text), [("x".to_owned(), message.to_owned())]);
    for (block, what) in [
        ("parameters { y[1..=6000]: m = 1 }", "parameters"),
        ("inputs { y[1..=6000]: m }", "inputs"),
        ("outputs { for i in 1..=6000 { y[i]: m = x } }", "outputs"),
    ] {
        let text = format!("R {{ coordinates {{ x: m }} mass {{ x: 1[kg] }} {block} }}");
        let message = format!("with this the model has more than 5000 {what}; write fewer");
        assert_eq!(said(&text), [("y".to_owned(), message)]);
    }
    let text = "R { bodies { rod[1..=2000]: planar { mass: 1[kg], inertia: 1[kg*m^2] } } }";
    let message = "with this the model has more than 5000 coordinates; write fewer";
    assert_eq!(said(text), [("rod".to_owned(), message.to_owned())]);
}

#[test]
fn too_many_components() {
    let said = said(&nested(16, "forces { a: -1[N/m]*a }"));
    assert_eq!(said.len(), 1, "{said:?}");
    assert_eq!(said[0].1, "the model has more than 20000 components; write fewer");
    assert_eq!(said[0].0, "C2");
}

#[test]
fn too_many_operations() {
    let terms =
        "for i in 1..=300 { for j in 1..=300 { x[i]: -c*(x[i] - sin(x[j]*3[1/m])*cos(x[i]*x[j]*i*1[1/m^2])*1[m]) } }";
    let said = said(&row(300, terms));
    assert_eq!(said.len(), 1, "{said:?}");
    let message = "with this the model comes to more than 2500000 operations; write a smaller model";
    let of_equations = "the functions of the model come to more than";
    assert!(said[0].1 == message || said[0].1.starts_with(of_equations), "{said:?}");
}

#[test]
fn too_many_entries() {
    let all = "for i in 1..=300 { for j in 1..=300 { x[i]: -c*(x[i] - sin(x[j]*1[1/m])*1[m]) } }";
    let message = "the functions of the model come to more than 40000 entries of a matrix; the force on `x[1]` \
         depends on \
                   300 coordinates: let it depend on fewer, or write a smaller model";
    assert_eq!(said(&row(300, all)), [("x".to_owned(), message.to_owned())]);
    // few operations, many entries
    let sum: Vec<String> = (1..=900).map(|i| format!("dot(x[{i}])")).collect();
    let energy = format!("0.5[kg]*({})^2", sum.join(" + "));
    let kinetic = format!("R {{ coordinates {{ x[1..=900]: m }} kinetic {{ {energy} }} }}");
    let message = "with this the model comes to more than 40000 entries of a matrix; write a smaller model";
    assert_eq!(said(&kinetic), [(energy, message.to_owned())]);
}

#[test]
fn large_models_compile() {
    for text in [
        row(2000, "for i in 2..=2000 { let f = c*(x[i] - x[i - 1]); x[i]: -f, x[i - 1]: f }"),
        row(3000, "for i in 1..=3000 { x[i]: -c*x[i] }"),
        nested(9, "coordinates { y: m } mass { y: 1[kg] } forces { a: -1[N/m]*(a - y), y: 1[N/m]*(a - y) }"),
    ] {
        assert_eq!(said(&text), []);
    }
}

/// Tests names that are repeated, in constants of a run and in variables.
#[test]
fn names_that_are_repeated_take_no_time() {
    let text = row(1500, "for i in 1..=1500 { let f = c^3*i*1[m^2/N^2]; x[i]: -f*x[i] }");
    assert_eq!(said(&text), []);
}

/// Writes a model with a force of every coordinate on all others.
fn dense(size: usize, force: &str) -> String {
    format!(
        "Dense {{
            parameters {{ k: N/m = 1, m: kg = 1 }}
            coordinates {{ x[1..={size}]: m }}
            mass {{ for i in 1..={size} {{ x[i]: m }} }}
            forces {{ for i in 1..={size} {{ x[i]: -sum(j in 1..={size}, {force}) }} }}
        }}"
    )
}

/// Tests that the code of a force of every coordinate on all others, up to the limits of models, does not grow faster
/// than the matrix.
#[test]
fn a_matrix_without_zeros_is_compiled() {
    // The second force has sums of many terms, whose derivatives are no constants.
    for force in ["k*x[j]", "k*(x[i] - x[j])^2*1[1/m]"] {
        let [half, full] = [100, 200].map(|size| {
            let compiled = compile_str(&dense(size, force)).expect("a model that compiles");
            compiled.operations.iter().map(|count| count.total()).sum::<usize>()
        });
        assert!(full <= 5 * half, "{force}: {half} and {full} operations");
    }
}
