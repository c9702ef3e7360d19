//! Documentation of functions and of the constants of a run.

use costate_contract::{Argument, Function, Group as Kind};

use super::constants::Constants;
use super::operations::Operations;
use crate::mechanics::{Block, Group};
use crate::model::Model;
use crate::symbolic::{Graph, Id, Integrator, Node, Symbol};

/// Describes the purpose of a group's function.
pub fn purpose(group: Kind) -> &'static str {
    match group {
        Kind::Initial => "The specified initial positions and velocities; zero where the model leaves them open.",
        Kind::InitialDerivatives => {
            "The derivatives of the initial positions and velocities with respect to the parameters."
        }
        Kind::Residual => "The residual of the equations of motion, in its parts: M a + G = 0 and C = 0.",
        Kind::Newton => "The residual with the Newton matrix [step, C_q^T; C_q, 0] of an implicit step.",
        Kind::Adjoint => "The matrices of one step of the discrete adjoint, and the factors of its Newton matrix.",
        Kind::Linearization => {
            "Forces, constraint forces, and the first derivatives of every term of the equations of motion."
        }
        Kind::Kinematics => "The constraints on velocity and acceleration level.",
        Kind::KinematicsDerivatives => "Derivatives of the constraints on velocity and acceleration level.",
        Kind::Outputs => "The outputs.",
        Kind::OutputDerivatives => "Derivatives of the outputs with respect to every argument.",
        Kind::InputDerivatives => "Derivatives of the force residual and of the outputs with respect to the inputs.",
        Kind::Lookups => {
            "The arguments of lookups in tables, and the derivatives of the equations of motion and of the outputs \
                 with respect to \
             the values of the lookups."
        }
        Kind::InitialLookups => {
            "The arguments of all lookups in tables, and the derivatives of the equations of the initial state with \
                 respect to \
             the values of the lookups."
        }
    }
}

/// Writes `1 operation`.
pub fn count(operations: usize) -> String {
    let plural = if operations == 1 { "" } else { "s" };
    format!("{operations} operation{plural}")
}

/// Writes the operations of a function that computes something for every selected parameter.
pub fn counts(with_all_parameters: usize, with_none: usize) -> String {
    if with_all_parameters == with_none {
        return format!("{}.", count(with_none));
    }
    format!("{} with all parameters, {with_none} with none.", count(with_all_parameters))
}

/// Describes the function of a group: its blocks with their places in the array, and for short blocks the formulas of
/// the entries as the user would write them.
pub fn group(
    model: &Model,
    graph: &Graph,
    group: &Group,
    purpose: &str,
    (operations, loops): (usize, usize),
) -> String {
    let mut text = format!("{purpose}\n\n");
    let mut offset = 0;
    for block in group.blocks.iter().filter(|block| !block.entries.is_empty()) {
        let end = offset + block.entries.len();
        text.push_str(&format!("- `[{offset}..{end}]` {}\n", block_text(model, graph, block)));
        offset = end;
    }
    if let Some(factors) = group.factors.as_ref().filter(|factors| !factors.is_empty()) {
        text.push_str(&format!("- the {} factors that change during a run, in `factors`\n", factors.len()));
    }
    if operations > 0 {
        text.push_str(&format!("\n{}.", count(operations)));
    }
    match loops {
        0 => {}
        1 => text.push_str(" What is alike is computed in a loop."),
        _ => text.push_str(&format!(" What is alike is computed in {loops} loops.")),
    }
    text
}

/// Describes the function of a group that is composed of the terms of another one.
pub fn composed(model: &Model, graph: &Graph, group: &Group, terms: &Group, operations: usize) -> String {
    let text = self::group(model, graph, group, purpose(group.kind), (operations, 0));
    format!("{text} The terms are those of `{}`.", terms.kind.name())
}

/// Describes the function of a group that consists of rates and accelerations of constraints and their derivatives.
pub fn along_motion(model: &Model, graph: &Graph, group: &Group) -> String {
    let text = self::group(model, graph, group, purpose(group.kind), (0, 0));
    format!("{text}\nRates and accelerations of the constraints and of their derivatives along the motion.")
}

fn block_text(model: &Model, graph: &Graph, block: &Block) -> String {
    const MAX_FORMULA_LENGTH: usize = 12;
    // Largest number of entries of a block that are listed with their formulas, and of operations of these formulas.
    const MAX_FORMULAS: usize = 4;
    // Largest number of entries of a block that are listed.
    const MAX_LISTED: usize = 8;
    let head = match block.argument {
        None => format!("{}, `{}`", block.function.meaning(), block.formula()),
        Some(_) => format!("`{}`", block.formula()),
    };
    let (entries, count) = (block.entries.len(), block.rows * block.columns);
    if entries > MAX_LISTED {
        return if entries == count {
            format!("{head}: {entries}")
        } else {
            format!("{head}: {entries} of {count} entries")
        };
    }
    if block.function == Function::LookupArguments || block.argument == Some(Argument::Lookups) {
        // lookups have no names
        return format!("{head}: {entries} of {count} entries");
    }
    let is_short = |id: Id| !graph.is_written_longer(id, MAX_FORMULA_LENGTH);
    let all_are_short = entries <= MAX_FORMULAS && block.values.iter().all(|&id| is_short(id));
    let entries = block.iter().map(|(row, column, id)| {
        let row = row_name(model, block, row);
        let place = match block.argument {
            None => row.to_owned(),
            Some(_) => format!("({row}, {})", column_name(model, block, column)),
        };
        if all_are_short { format!("{place} `{}`", graph.print(id, model)) } else { place }
    });
    format!("{head}: {}", entries.collect::<Vec<_>>().join(", "))
}

fn row_name<'a>(model: &'a Model, block: &Block, row: usize) -> &'a str {
    let quantities = match block.function {
        Function::Constraint | Function::ConstraintVelocity | Function::ConstraintAcceleration => &model.constraints,
        Function::Output => &model.outputs,
        _ => &model.coordinates,
    };
    quantities.get(row).map_or("", |quantity| quantity.name.as_str())
}

fn column_name<'a>(model: &'a Model, block: &Block, column: usize) -> &'a str {
    let quantities = match block.argument {
        Some(Argument::Parameters) => &model.parameters,
        Some(Argument::Inputs) => &model.inputs,
        Some(Argument::Multipliers) => &model.constraints,
        _ => &model.coordinates,
    };
    quantities.get(column).map_or("", |quantity| quantity.name.as_str())
}

/// Describes a constant of a run: its formula, unless the formula is too long to explain anything.
pub fn constant(model: &Model, graph: &Graph, constants: &Constants, id: Id) -> String {
    // Largest number of operations of a formula that is written in the documentation of a constant.
    const MAX_CONSTANT_LENGTH: usize = 40;
    match graph.node(id) {
        Node::Symbol(Symbol::Parameter(i)) => return format!("Parameter `{}`.", model.parameters[i].name),
        Node::Symbol(Symbol::Integrator(weight)) => return weight_text(weight).to_owned(),
        _ => {}
    }
    if graph.is_written_longer(id, MAX_CONSTANT_LENGTH) {
        let operations = Operations::count(graph, "", &[id], |_| false).total();
        let function = constants.needed_by.get(&id).map_or("several functions", String::as_str);
        return format!(
            "A part of `{function}` that depends on parameters and step size alone: {}.",
            count(operations)
        );
    }
    format!("`{}`", graph.print(id, model))
}

fn weight_text(weight: Integrator) -> &'static str {
    match weight {
        Integrator::Accelerations => "The weight of M in the matrix of a step.",
        Integrator::Coordinates => "By how much a step's positions change with its accelerations, in s^2.",
        Integrator::Velocities => "By how much a step's velocities change with its accelerations, in s.",
        Integrator::Step => "The step size in s.",
        Integrator::Previous => "The weight of the force residual of the step before.",
    }
}
