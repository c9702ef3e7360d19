//! The checks on models that make no sense: never a panic, and a model that passes determines its motion.

use costate_compiler::{Compiled, compile_str};
use proptest::prelude::*;

const UNITS: [&str; 10] = ["m", "rad", "1", "kg", "K", "N*s/m", "mm^12", "1/s^12", "Gm^3", "s"];

fn term() -> impl Strategy<Value = String> {
    let leaf = prop_oneof![
        (0usize..4).prop_map(|i| format!("x[{i}]")),
        (0usize..4).prop_map(|i| format!("dot(x[{i}])")),
        (0usize..3).prop_map(|i| format!("p[{i}]")),
        (0usize..2).prop_map(|i| format!("multiplier(c[{i}])")),
        Just("u".to_owned()),
        Just("t".to_owned()),
        Just("0".to_owned()),
        (-3i32..4).prop_map(|number| number.to_string()),
        (0.01f64..300.0).prop_map(|number| format!("{number:?}")),
        (0..UNITS.len(), -3i32..4).prop_map(|(i, number)| format!("{number}[{}]", UNITS[i])),
    ];
    leaf.prop_recursive(5, 24, 3, |inner| {
        let two = || (inner.clone(), inner.clone());
        prop_oneof![
            (two(), prop::sample::select(vec!["+", "-", "*", "/", "^"]))
                .prop_map(|((a, b), operator)| format!("({a}){operator}({b})")),
            (inner.clone(), prop::sample::select(vec!["sin", "acos", "ln", "sqrt", "abs", "sign", "dot", "-"]))
                .prop_map(|(a, function)| format!("{function}({a})")),
            (two(), prop::sample::select(vec!["atan2", "min", "max"]))
                .prop_map(|((a, b), function)| format!("{function}({a}, {b})")),
            (inner.clone(), 0..UNITS.len()).prop_map(|(a, i)| format!("value({a}, {})", UNITS[i])),
            (two(), two()).prop_map(|((a, b), (c, d))| format!("if {a} < {b} {{ {c} }} else {{ {d} }}")),
            (two(), inner.clone()).prop_map(|((a, b), c)| format!("smooth_step({a}, {b}, {c})")),
        ]
    })
}

fn model() -> impl Strategy<Value = String> {
    let unit = || prop::sample::select(UNITS[..5].to_vec());
    let terms = |length| prop::collection::vec(term(), length);
    (prop::collection::vec(unit(), 4), terms(3), terms(4), terms(2), terms(2), unit()).prop_map(
        |(units, masses, forces, constraints, outputs, unit)| {
            let coordinates: Vec<String> =
                units.iter().enumerate().map(|(i, unit)| format!("x[{i}]: {unit}")).collect();
            let list = |name: &str, entries: &[String]| -> String {
                entries.iter().enumerate().map(|(i, entry)| format!("{name}[{i}]: {entry}, ")).collect()
            };
            format!(
                "Garbage {{
                    outputs {{ s: {unit} = {}, r: 1 = {} }}
                    parameters {{ p[0..2]: {unit} = -1, p[2]: K = 0 }}
                    inputs {{ u: N }}
                    coordinates {{ {} }}
                    mass {{ {} (x[0], x[1]): {} }}
                    forces {{ {} }}
                    constraints {{ {} }}
                }}",
                outputs[0],
                outputs[1],
                coordinates.join(", "),
                list("x", &masses[..2]),
                masses[2],
                list("x", &forces),
                list("c", &constraints),
            )
        },
    )
}

/// Rows and columns.
type Entries = Vec<(usize, usize)>;

/// A random linear model: every entry of its matrices is a parameter of its own, so that numbers show the rank.
fn linear() -> impl Strategy<Value = (usize, usize, Entries, Entries)> {
    (1usize..6, 0usize..4).prop_flat_map(|(n, m)| {
        let stiffness = prop::collection::vec((0..n, 0..n), 0..=(2 * n));
        let jacobian = prop::collection::vec((0..m.max(1), 0..n), 0..=(3 * m));
        (Just(n), Just(m), stiffness, jacobian)
    })
}

fn linear_model(n: usize, m: usize, stiffness: &[(usize, usize)], jacobian: &[(usize, usize)]) -> String {
    let parameters: usize = stiffness.len() + jacobian.len();
    let forces: String = stiffness
        .iter()
        .enumerate()
        .map(|(i, (row, column))| format!("x[{row}]: -p[{i}]*x[{column}]*1[1/s^2], "))
        .collect();
    let constraints: String = (0..m)
        .map(|row| {
            let terms = jacobian.iter().enumerate().filter(|(_, entry)| entry.0 == row);
            let terms: String =
                terms.map(|(i, entry)| format!(" + p[{}]*x[{}]", stiffness.len() + i, entry.1)).collect();
            format!("c[{row}]: 0{terms}, ")
        })
        .collect();
    format!(
        "Linear {{
            parameters {{ p[0..={parameters}]: 1 = 1 }}
            coordinates {{ x[0..{n}]: 1 }}
            mass {{}}
            forces {{ {forces} }}
            constraints {{ {constraints} }}
        }}"
    )
}

/// The determinant of [K, C^T; C, 0] with numbers for the parameters.
fn determinant(n: usize, m: usize, stiffness: &[(usize, usize)], jacobian: &[(usize, usize)]) -> f64 {
    let number = |i: usize| 0.5 + (0.37 + 0.618_033_988_749 * i as f64).fract();
    let size = n + m;
    let mut matrix = vec![vec![0.0; size]; size];
    for (i, &(row, column)) in stiffness.iter().enumerate() {
        matrix[row][column] += number(i);
    }
    for (i, &(row, column)) in jacobian.iter().enumerate().filter(|(_, entry)| entry.0 < m) {
        matrix[n + row][column] += number(stiffness.len() + i);
        matrix[column][n + row] += number(stiffness.len() + i);
    }
    let mut determinant = 1.0;
    for step in 0..size {
        let pivot = (step..size).max_by(|&a, &b| matrix[a][step].abs().total_cmp(&matrix[b][step].abs()));
        let Some(pivot) = pivot.filter(|&row| matrix[row][step].abs() > 1e-12) else { return 0.0 };
        matrix.swap(step, pivot);
        determinant *= matrix[step][step];
        let pivot_row = matrix[step].clone();
        for row in matrix.iter_mut().skip(step + 1) {
            let factor = row[step] / pivot_row[step];
            row.iter_mut().zip(&pivot_row).for_each(|(entry, pivot)| *entry -= factor * pivot);
        }
    }
    determinant
}

fn passes(source: &str) -> Result<Compiled, Vec<String>> {
    compile_str(source).map_err(|errors| errors.into_iter().map(|error| error.message).collect())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn garbage_gives_errors_and_no_panic(source in model()) {
        match passes(&source) {
            Ok(compiled) => prop_assert!(compiled.source().is_ok(), "{source}"),
            Err(errors) => prop_assert!(!errors.is_empty() && errors.iter().all(|error| !error.is_empty())),
        }
    }

    #[test]
    fn linear_models_pass_if_their_matrix_is_regular((n, m, stiffness, jacobian) in linear()) {
        let source = linear_model(n, m, &stiffness, &jacobian);
        let regular = determinant(n, m, &stiffness, &jacobian).abs() > 1e-9;
        match passes(&source) {
            Ok(_) => prop_assert!(regular, "singular, but it passes:\n{source}"),
            Err(errors) => prop_assert!(!regular, "{errors:?}\n{source}"),
        }
    }
}
