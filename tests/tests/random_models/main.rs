//! Comparison of the compiled code of random models with their reference: every value and every derivative.
//!
//! `COSTATE_RANDOM_MODELS=200` compiles as many models, `COSTATE_RANDOM_SEED=100` others. A failure prints seed and
//! model.

mod emitted;

use costate::emitted::{Block, Function, Weights};
use costate::model::CompiledModel;
use costate::table::{Curve, Extension, Surface, Table, Tables};
use costate::verify::random_points;
use costate::{Model, check_derivatives};
use costate_contract::Group;
use costate_random_models::compare::Count;
use costate_random_models::generate;
use costate_random_models::points::point;
use costate_random_models::reference::{self, Reference};
use costate_random_models::tree;

include!(concat!(env!("OUT_DIR"), "/random_models.rs"));

/// Returns the weights of an implicit step.
fn weights() -> Weights {
    Weights { accelerations: 0.9, coordinates: 0.3, velocities: 0.6, step: 0.8, previous: -0.1, ..Weights::default() }
}

/// Compares all emitted functions at some points with the reference, and checks the solution with the Newton matrix.
fn check<M: CompiledModel>(model: &tree::Model, seed: u64) {
    let weights = weights();
    let failed = |why: String| panic!("seed {seed}: {why}\n{}", model.text());
    let flat = model.written_out(&[]);
    let tables = tables::<M>();
    let mut count = Count::default();
    for k in 0..2 {
        let at = point(&flat, seed + 1000 * k);
        let table = |i: usize, orders: [usize; 2], [x, y]: [f64; 2]| match <M as Model>::description().tables[i]
            .arguments
            .len()
        {
            _ if orders.iter().any(|order| *order > 3) => 0.0,
            1 => tables.curve(Table::<M, Curve>::at(i)).derivatives(x, [orders[0]])[0],
            _ => tables.surface(Table::<M, Surface>::at(i)).derivatives(x, y, [orders])[0],
        };
        let reference = Reference::new(&flat, &at, &table);
        let description = <M as Model>::description();
        for (group, blocks, values) in emitted::groups::<M>(&at, &weights, &tables) {
            for &(function, argument) in group.contents() {
                if group == Group::Adjoint && function == Function::Step && description.elimination.is_some() {
                    continue;
                }
                // a matrix without a block is zero
                let block = blocks.iter().find(|block| (block.function, block.argument) == (function, argument));
                let block = block.unwrap_or(const { &Block::EMPTY });
                let rows = description.rows(function).len();
                let columns = argument.map_or(1, |argument| description.columns(argument).len());
                let weights = reference::Weights {
                    accelerations: weights.accelerations,
                    coordinates: weights.coordinates,
                    velocities: weights.velocities,
                };
                let (function, argument) = (format!("{function:?}"), argument.map(|argument| format!("{argument:?}")));
                let exact = reference.columns(&function, argument.as_deref(), weights);
                let compared = count.compare((rows, columns), entries(block, &values), &exact);
                compared.unwrap_or_else(|error| {
                    failed(format!("{function} by {argument:?} in `{}`: {error}", group.name()))
                });
            }
        }
    }
    assert!(count.blocks >= 60 && count.skipped < 10, "seed {seed}: {count:?}");
    let mut points = random_points(&model_of::<M>(&flat), 3, seed);
    points.iter_mut().for_each(|point| point.tables = tables.clone());
    let report = check_derivatives(&points, 1e-9);
    if !report.mismatches.is_empty() {
        failed(report.to_string());
    }
}

fn entries<'a>(block: &'a Block, values: &'a [f64]) -> impl Iterator<Item = (usize, usize, f64)> {
    let values = &values[block.offset..];
    block.entries.iter().zip(values).map(|((row, column), value)| (*row as usize, *column as usize, *value))
}

/// Makes the model with the defaults of its parameters, or with other values where there is no default.
fn model_of<M: CompiledModel>(flat: &costate_random_models::flat::Flat) -> M {
    let mut parameters =
        <M::Values as costate::model::Vector<f64>>::zeros(<M as Model>::description().parameters.len());
    for (value, parameter) in parameters.as_mut().iter_mut().zip(&flat.parameters) {
        *value = parameter.default.unwrap_or(1.0 / parameter.unit.scale);
    }
    M::from_parameters(&parameters)
}

/// Makes wavy data for every table, over the range of likely arguments.
fn tables<M: CompiledModel>() -> Tables {
    let wave = |i: f64| (1.3 * i).sin() + 0.2 * i;
    <M as Model>::description().tables.iter().enumerate().fold(Tables::none::<M>(), |tables, (i, table)| {
        let knots: Vec<f64> = (0..7).map(|k| f64::from(k) - 3.0 + 0.1 * f64::from(k % 2)).collect();
        if table.arguments.len() == 1 {
            let values = knots.iter().map(|x| wave(*x)).collect();
            return tables.with(Table::<M, _>::at(i), Curve::new(knots, values, Extension::Linear).unwrap());
        }
        let values = knots.iter().flat_map(|x| knots.iter().map(move |y| wave(*x) * wave(0.5 * y))).collect();
        let extensions = [Extension::Linear, Extension::Clamped];
        tables.with(Table::<M, _>::at(i), Surface::new(knots.clone(), knots.clone(), values, extensions).unwrap())
    })
}
