//! Comparison of a compiled model with the reference.

use std::collections::HashMap;

use costate_compiler::Compiled;
use costate_compiler::mechanics::Block;
use costate_compiler::symbolic::{Integrator, Lookup, Symbol};
use costate_random_models::compare::Count;
use costate_random_models::evaluate::Numbers;
use costate_random_models::flat::Flat;
use costate_random_models::points::{cubic, point};
use costate_random_models::reference::{Reference, Weights};

/// Weights of an implicit step.
const WEIGHTS: Weights = Weights { accelerations: 0.9, coordinates: 0.3, velocities: 0.6 };

/// Returns the value of a symbol of the compiler's graph.
pub fn symbol(at: &Numbers<f64>, symbol: Symbol) -> f64 {
    match symbol {
        Symbol::Time => at.time,
        Symbol::Coordinate(i) => at.coordinates[i],
        Symbol::Velocity(i) => at.velocities[i],
        Symbol::Acceleration(i) => at.accelerations[i],
        Symbol::Multiplier(i) => at.multipliers[i],
        Symbol::Parameter(i) => at.parameters[i],
        Symbol::Input(i) => at.inputs[i],
        Symbol::Integrator(Integrator::Accelerations) => WEIGHTS.accelerations,
        Symbol::Integrator(Integrator::Coordinates) => WEIGHTS.coordinates,
        Symbol::Integrator(Integrator::Velocities) => WEIGHTS.velocities,
        Symbol::Integrator(_) | Symbol::Given(..) => f64::NAN,
    }
}

/// Evaluates the entries of a block.
pub fn values(compiled: &Compiled, flat: &Flat, at: &Numbers<f64>, block: &Block) -> Vec<f64> {
    let table = |lookup: Lookup, x: [f64; 2]| {
        let position = lookup.table as usize;
        cubic(&flat.tables[position], position, lookup.orders.map(usize::from), x)
    };
    compiled.graph.evaluate_with(&block.values, |own| symbol(at, own), table)
}

/// Compares every block of every emitted function at some points; differences are errors.
pub fn compare(compiled: &Compiled, flat: &Flat, seed: u64, count: &mut Count) -> Result<(), String> {
    names(compiled, flat)?;
    for k in 0..2 {
        let at = point(flat, seed + 1000 * k);
        let table = |i: usize, orders, x| cubic(&flat.tables[i], i, orders, x);
        let reference = Reference::new(flat, &at, &table);
        let mut known = HashMap::new();
        // the derivatives with respect to tables are compared by `check_derivatives`, where tables can vary
        for group in compiled.groups.all.iter().filter(|group| !group.kind.fills_slice()) {
            for block in &group.blocks {
                let argument = block.argument.map(|argument| format!("{argument:?}"));
                let function = format!("{:?}", block.function);
                let exact = known
                    .entry((function.clone(), argument.clone()))
                    .or_insert_with(|| reference.columns(&function, argument.as_deref(), WEIGHTS));
                let found = values(compiled, flat, &at, block);
                let what = format!("{function} by {argument:?} in `{}`", group.kind.name());
                let entries = block.entries.iter().zip(found).map(|(&(row, column), value)| (row, column, value));
                count
                    .compare((block.rows, block.columns), entries, exact)
                    .map_err(|error| format!("{what}: {error}"))?;
            }
        }
    }
    Ok(())
}

fn names(compiled: &Compiled, flat: &Flat) -> Result<(), String> {
    let model = &compiled.model;
    let of = |list: &[costate_compiler::Quantity]| list.iter().map(|one| one.name.clone()).collect::<Vec<_>>();
    let expected =
        |list: &[costate_random_models::flat::Quantity]| list.iter().map(|one| one.name.clone()).collect::<Vec<_>>();
    for (found, expected) in [
        (of(&model.parameters), expected(&flat.parameters)),
        (of(&model.inputs), expected(&flat.inputs)),
        (of(&model.coordinates), expected(&flat.coordinates)),
        (of(&model.constraints), flat.constraints.iter().map(|one| one.0.clone()).collect()),
        (of(&model.outputs), flat.outputs.iter().map(|one| one.0.clone()).collect()),
    ] {
        if found != expected {
            return Err(format!("names {found:?}, expected {expected:?}"));
        }
    }
    Ok(())
}
