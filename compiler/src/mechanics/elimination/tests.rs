//! L and U against the matrix they are made of, and what is left of it at run time.

use std::collections::HashMap;

use crate::symbolic::{Id, Symbol};
use crate::{Arguments, Compiled, compile_str, compile_str_with};

/// Pendulums one below the other, in redundant coordinates.
const CHAIN: &str = "Chain(rods: usize = 3) {
    parameters { m: kg = 0.5, l: m = 1, g: m/s^2 = 9.81 }
    coordinates { x[1..=rods]: m, y[1..=rods]: m, phi[1..=rods]: rad }
    mass { for i in 1..=rods { x[i]: m, y[i]: m, phi[i]: m*l^2/12 } }
    forces { for i in 1..=rods { y[i]: -m*g } }
    constraints {
        pin_x[1]: x[1] - l/2*sin(phi[1]),
        pin_y[1]: y[1] + l/2*cos(phi[1]),
        for i in 2..=rods {
            pin_x[i]: x[i] - l/2*sin(phi[i]) - (x[i-1] + l/2*sin(phi[i-1])),
            pin_y[i]: y[i] + l/2*cos(phi[i]) - (y[i-1] - l/2*cos(phi[i-1])),
        },
    }
}";

fn chain(rods: i64) -> Compiled {
    compile_str_with(CHAIN, &Arguments::new().with("rods", rods)).expect("a valid model")
}

fn value(symbol: Symbol) -> f64 {
    match symbol {
        Symbol::Coordinate(i) => 0.3 + 0.1 * i as f64,
        Symbol::Multiplier(i) => 0.7 - 0.2 * i as f64,
        Symbol::Parameter(i) => 0.5 + i as f64,
        Symbol::Integrator(_) => 0.8,
        _ => 0.1,
    }
}

fn check_product(rods: usize) {
    let compiled = chain(rods as i64);
    let (graph, elimination) = (&compiled.model.graph, compiled.elimination.as_ref().expect("like parts"));
    let entries = super::entries(3 * rods, &compiled.equations);
    let ids: Vec<Id> = elimination.values().chain(entries.iter().map(|&(.., id)| id)).collect();
    let values: HashMap<Id, f64> = ids.iter().copied().zip(graph.evaluate(&ids, value)).collect();
    let mut product = vec![vec![0.0; 5 * rods]; 5 * rods];
    for step in &elimination.steps {
        let upper: Vec<(usize, f64)> = std::iter::once((step.column, 1.0 / values[&step.inverse]))
            .chain(step.upper.iter().map(|&(column, id)| (column, values[&id])))
            .collect();
        let lower =
            std::iter::once((step.row, 1.0)).chain(step.lower.iter().map(|&(row, id)| (row, values[&id])));
        for (row, l) in lower {
            for (column, u) in &upper {
                product[row][*column] += l * u;
            }
        }
    }
    for (row, column, id) in entries {
        product[row][column] -= values[&id];
    }
    let largest = product.iter().flatten().fold(0.0, |most: f64, rest| most.max(rest.abs()));
    assert!(largest < 1e-12, "{rods} rods: {largest}");
}

#[test]
fn the_factors_multiply_to_the_matrix() {
    check_product(3);
    check_product(40);
}

#[test]
fn constant_blocks_leave_nothing_to_do() {
    let source = "Masses(n: usize = 5) {
        parameters { m: kg = 2, c: N/m = 30, d: N*s/m = 0.7 }
        coordinates { x[1..=n]: m }
        mass { for i in 1..=n { x[i]: m } }
        forces {
            for i in 2..=n {
                let force = c*(x[i] - x[i-1]) + d*(dot(x[i]) - dot(x[i-1]));
                x[i]: -force, x[i-1]: force,
            },
        }
        constraints { tie: x[1] + 2*x[n] }
    }";
    let compiled = compile_str(source).expect("a valid model");
    let elimination = compiled.elimination.as_ref().expect("small");
    assert!(elimination.varying(&compiled.model.graph).is_empty());
}

#[test]
fn large_models_of_like_parts_have_a_regular_order() {
    let is_regular = |rods| chain(rods).elimination.map(|elimination| elimination.is_regular);
    assert_eq!(is_regular(6), Some(false));
    assert_eq!(is_regular(100), Some(true));
}
