//! L and U against the matrix they are made of, and what is left of it at run time.

use std::collections::HashMap;

use super::random::Random;
use super::walk::Walk;
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

/// Bodies in space, one below the other.
const BODIES: &str = "Bodies(bodies: usize = 3) {
    parameters { m: kg = 0.5, j: kg*m^2 = 0.04, l: m = 1, g: m/s^2 = 9.81 }
    gravity { (0, 0, -g) }
    bodies { for i in 1..=bodies { rod[i]: spatial { mass: m, inertia: (j, 1.2*j, j/10), center: (0, 0, 0.1*l) } } }
    joints {
        ball[1]: spherical(ground, rod[1].at(0, 0, l/2)),
        for i in 2..=bodies { ball[i]: spherical(rod[i - 1].at(0, 0, -l/2), rod[i].at(0, 0, l/2)) },
    }
}";

fn bodies(bodies: i64) -> Compiled {
    compile_str_with(BODIES, &Arguments::new().with("bodies", bodies)).expect("a valid model")
}

/// The largest entry of the product of the factors without the matrix, with the rows that were summed beforehand.
fn check_product(compiled: &Compiled) {
    let (graph, elimination) = (&compiled.graph, compiled.elimination.as_ref().expect("like parts"));
    let size = elimination.steps.len();
    let entries = super::entries(compiled.model.coordinates.len(), &compiled.equations, &compiled.equations.newton);
    let ids: Vec<Id> = elimination.values().chain(entries.iter().map(|&(.., id)| id)).collect();
    let values: HashMap<Id, f64> = ids.iter().copied().zip(graph.evaluate(&ids, value)).collect();
    let mut product = vec![vec![0.0; size]; size];
    for step in &elimination.steps {
        let upper: Vec<(usize, f64)> = std::iter::once((step.column, 1.0 / values[&step.inverse]))
            .chain(step.upper.iter().map(|&(column, id)| (column, values[&id])))
            .collect();
        let lower = std::iter::once((step.row, 1.0)).chain(step.lower.iter().map(|&(row, id)| (row, values[&id])));
        for (row, l) in lower {
            for (column, u) in &upper {
                product[row][*column] += l * u;
            }
        }
    }
    for (row, column, id) in entries {
        product[row][column] -= values[&id];
        let sums = elimination.sums.iter().filter(|sum| sum.row == row);
        for &(other, factor) in sums.flat_map(|sum| &sum.lower) {
            product[other][column] += values[&factor] * values[&id];
        }
    }
    let largest = product.iter().flatten().fold(0.0, |most: f64, rest| most.max(rest.abs()));
    assert!(largest < 1e-12, "{size} unknowns: {largest}");
}

#[test]
fn the_factors_multiply_to_the_matrix() {
    check_product(&chain(3));
    check_product(&chain(40));
}

#[test]
fn the_factors_of_bodies_multiply_to_the_matrix_with_its_norms_added() {
    for compiled in [bodies(2), bodies(12)] {
        let elimination = compiled.elimination.as_ref().expect("definite masses");
        assert_eq!(elimination.sums.len(), compiled.model.norms.len());
        check_product(&compiled);
    }
}

#[test]
fn bodies_in_space_have_pivots_before_constraints_however_many_there_are() {
    let compiled = bodies(60);
    let elimination = compiled.elimination.as_ref().expect("a regular order");
    let n = compiled.model.coordinates.len();
    assert!(elimination.is_regular);
    let (coordinates, constraints) = elimination.steps.split_at(n);
    assert!(coordinates.iter().all(|step| step.row < n && step.row == step.column));
    assert!(constraints.iter().all(|step| step.row >= n && step.row == step.column));
}

#[test]
fn a_walk_goes_on_and_keeps_a_mechanism_assembled() {
    let source = "FourBar {
        parameters { l: m = 1, m: kg = 1 }
        bodies {
            for i in 0..=1 { rocker[i]: planar { mass: m, inertia: m*l^2/12 } },
            coupler: planar { mass: m, inertia: m*l^2/12 },
        }
        joints {
            for i in 0..=1 { base[i]: revolute(ground.at(i*l, 0), rocker[i].at(-l/2, 0)) },
            left: revolute(rocker[0].at(l/2, 0), coupler.at(-l/2, 0)),
            right: revolute(rocker[1].at(l/2, 0), coupler.at(l/2, 0)),
        }
        initial {
            for i in 0..=1 { rocker[i].angle = 1.2, rocker[i].position ~ (i*l + l/2*cos(1.2), l/2*sin(1.2)) },
            coupler.angle = 0, coupler.position ~ (l/2 + l*cos(1.2), l*sin(1.2)),
        }
    }";
    let compiled = compile_str(source).expect("a valid model");
    let parameter = |symbol| if let Symbol::Parameter(_) = symbol { 1.0 } else { 0.0 };
    let mut random = Random::new(3);
    let (model, graph) = (&compiled.model, &compiled.graph);
    let mut walk = Walk::new(model, graph, &compiled.equations, &mut random, parameter, |_, _| 0.0);
    let start = walk.beside(&mut random, 0.0);
    let mut farthest = 0.0f64;
    for _ in 0..20 {
        walk.advance();
        let here = walk.beside(&mut random, 0.0);
        farthest = here.iter().zip(&start).fold(farthest, |most, (q, start)| most.max((q - start).abs()));
        let constraints = graph.evaluate(&compiled.equations.constraint, |symbol| match symbol {
            Symbol::Coordinate(i) => here[i],
            other => parameter(other),
        });
        assert!(constraints.iter().all(|c| c.abs() < 0.02), "{constraints:?}");
    }
    assert!(farthest > 0.5, "{farthest}");
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
    assert!(elimination.varying(&compiled.graph).is_empty());
}

#[test]
fn large_models_of_like_parts_have_a_regular_order() {
    let is_regular = |rods| chain(rods).elimination.map(|elimination| elimination.is_regular);
    assert_eq!(is_regular(6), Some(false));
    assert_eq!(is_regular(100), Some(true));
}

/// Counts the products of a factorisation in this order.
fn products(compiled: &Compiled, order: &[(usize, usize)]) -> usize {
    let n = compiled.model.coordinates.len();
    let mut rows = vec![std::collections::BTreeSet::new(); order.len()];
    for (row, column, _) in super::entries(n, &compiled.equations, &compiled.equations.newton) {
        rows[row].insert(column);
    }
    let mut products = 0;
    for &(row, column) in order {
        let mut upper = std::mem::take(&mut rows[row]);
        assert!(upper.remove(&column), "the pivot is an entry");
        for row in rows.iter_mut().filter(|row| row.contains(&column)) {
            row.remove(&column);
            row.extend(&upper);
            products += upper.len();
        }
    }
    products
}

#[test]
fn the_order_of_the_library_has_every_row_and_column_and_little_fill() {
    for count in [2, 12, 60] {
        let compiled = bodies(count);
        let order = super::order_of_library(&compiled.model, &compiled.graph, &compiled.equations, None, &mut None);
        let size = compiled.model.coordinates.len() + compiled.model.constraints.len();
        for index in [|pivot: &(usize, usize)| pivot.0, |pivot: &(usize, usize)| pivot.1] {
            let mut named: Vec<usize> = order.iter().map(index).collect();
            named.sort_unstable();
            assert!(named.into_iter().eq(0..size), "{count} bodies");
        }
        // a body costs the same wherever it is
        let products = products(&compiled, &order);
        assert!(products < 600 * count as usize, "{count} bodies: {products}");
    }
}

#[test]
fn models_have_an_order_for_the_library_where_that_of_their_factors_does_not_fit() {
    assert!(chain(3).order.is_empty(), "the order of the emitted factors");
    assert!(bodies(60).order.is_empty(), "a regular order");
    // rows of norms are summed first
    let compiled = bodies(2);
    assert!(compiled.elimination.as_ref().is_some_and(|elimination| !elimination.sums.is_empty()));
    assert_eq!(compiled.order.len(), compiled.model.coordinates.len() + compiled.model.constraints.len());
    assert!(compiled.source().expect("code").contains("order: &Block::entries("));
}

/// Legs with a foot each, all at one body.
const LEGS: &str = "Legs(legs: usize = 4) {
    parameters { m: kg = 2, j: kg*m^2 = 0.1, l: m = 0.5, d: N*m*s = 0.3, g: m/s^2 = 9.81 }
    gravity { (0, 0, -g) }
    bodies {
        trunk: spatial { mass: 9*m, inertia: (j, 2*j, 3*j) },
        for i in 1..=legs {
            leg[i]: spatial { mass: m, inertia: (j, j, j/10) },
            foot[i]: spatial { mass: m/3, inertia: (j/5, j/4, j/20) },
        },
    }
    joints {
        for i in 1..=legs {
            hip[i]: revolute(trunk.at(l*i, 0.1*l*i, 0), leg[i].at(0, 0, l/2), axis = (1, 0, 0)),
            ankle[i]: revolute(leg[i].at(0, 0, -l/2), foot[i].at(0.1*l, 0, 0), axis = (0, 1, 0)),
        },
    }
    elements { for i in 1..=legs { drag[i]: torque(leg[i], -d*leg[i].angular_velocity) } }
    initial { trunk.position = (0, 0, 2*l), trunk.orientation = rotation((0, 0, 1), 0[rad]) }
}";

#[test]
fn parts_of_equal_structure_come_first_in_the_order_of_the_library() {
    for legs in [3, 4, 6] {
        let compiled = compile_str_with(LEGS, &Arguments::new().with("legs", legs)).expect("a valid model");
        let (model, equations) = (&compiled.model, &compiled.equations);
        let order = super::order_of_library(model, &compiled.graph, equations, None, &mut None);
        let n = model.coordinates.len();
        let parts = super::alike::find(model, &equations.newton, &equations.constraint_q).expect("like legs");
        assert_eq!(parts.len(), legs as usize);
        let unknowns: Vec<Vec<usize>> = parts
            .into_iter()
            .map(|part| part.coordinates.into_iter().chain(part.constraints.into_iter().map(|i| n + i)).collect())
            .collect();
        let places = |unknowns: &[usize]| -> Vec<(usize, usize)> {
            let place = |index| unknowns.iter().position(|other| *other == index);
            order.iter().filter_map(|&(row, column)| Some((place(row)?, place(column)?))).collect()
        };
        let first = places(&unknowns[0]);
        assert_eq!(first.len(), unknowns[0].len(), "pivots couple no part with another");
        assert!(unknowns.iter().all(|part| places(part) == first), "{legs} legs: each in the same order");
        let border = &order[first.len() * unknowns.len()..];
        assert_eq!(border.len(), 8, "the trunk with its norm comes last");
        // a leg costs the same however many there are
        let products = products(&compiled, &order);
        assert!(products < 2500 * legs as usize, "{legs} legs: {products}");
    }
}
