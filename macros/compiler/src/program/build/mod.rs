//! Making of programs from a model, its groups of expressions and its functions of a step.
//!
//! Every group is one function (`groups`). Shared subexpressions are variables (`code`), subexpressions of parameters
//! alone are constants of a run (`constants`, and `run` with their function), and structural zeros are left out. An
//! expression without a name of the user's is named after its formula, where that is short (`words`). `variables` has
//! the variables, and `local_names` finds their names. `arguments` takes what a function reads, `stores` stores results
//! as soon as they are known, `runs` those that follow each other together, and `like_calls` joins sines, cosines and
//! exponential functions that can be computed together. `parts` writes functions of models with parts of equal
//! structure as a loop over these, and `loops` other long functions with like statements as loops over tables.
//! `composed` makes long functions of what another one computes.
//!
//! `step_functions` has the functions of a step and of its adjoint, `documentation` what functions are for. `faults`
//! collects expressions that a function does not know: a mistake of the compiler is an error of the model, never a
//! number.

mod arguments;
mod code;
mod composed;
mod constants;
mod documentation;
mod faults;
mod groups;
mod like_calls;
mod local_names;
mod loops;
mod operations;
mod parts;
mod run;
mod runs;
mod step_functions;
mod stores;
mod variables;
mod words;

pub use operations::Operations;

use super::{Constant, Program};
use costate_contract::Group as Kind;

use crate::mechanics::{Groups, Parts, StepFunctions};
use crate::model::Model;
use crate::symbolic::{Graph, Id};
use constants::Constants;
use parts::Split;

/// Largest number of statements of a function of a step in loops, even for a model with many parts.
const MAX_STATEMENTS: usize = 5000;

/// Largest number of statements of a function of an adjoint in two parts: the recurrence of shorter chains has no
/// loops, but consists of products and sums alone, which compile fast.
const MAX_RECURRENCE: usize = 10_000;

/// Checks whether the functions of a step, apart from a split adjoint, become short when written in loops.
pub fn is_short_in_loops(model: &Model, graph: &mut Graph, functions: &StepFunctions) -> bool {
    let lowered = functions.lowered(graph);
    let roots = step_functions::roots(&StepFunctions { adjoint_parts: None, ..lowered });
    longest(model, graph, &roots) <= MAX_STATEMENTS
}

/// Returns the number of statements of the longest function with these results, in loops where these are worth it.
fn longest(model: &Model, graph: &mut Graph, roots: &[Vec<Id>]) -> usize {
    let constants = Constants::collect(model, graph, roots, &[]);
    let statements = roots.iter().map(|roots| loops::statements(model, graph, &constants, roots));
    statements.max().unwrap_or(0)
}

/// Makes the program of a model, and counts the operations of every function.
///
/// # Errors
/// Expressions that a function does not know, which is a mistake of this compiler.
pub fn build(
    model: &Model,
    graph: &mut Graph,
    groups: &Groups,
    step_functions: Option<&StepFunctions>,
) -> Result<(Program, Vec<Operations>), Vec<String>> {
    let mut roots: Vec<Vec<_>> = groups.all.iter().map(|group| graph.lower_powers(&group.values())).collect();
    let mut step_functions = step_functions.map(|functions| functions.lowered(graph));
    if let Some(functions) = &mut step_functions
        && functions.in_loops
        && longest(model, graph, &step_functions::adjoint_roots(functions)) > MAX_RECURRENCE
    {
        functions.adjoint_parts = None;
    }
    let weights = step_functions.is_none().then(|| composed::weights(graph, groups, &roots)).flatten();
    if let Some(weights) = &weights {
        // the derivatives themselves are those of another group
        let of_groups = groups.all.iter().zip(&mut roots);
        of_groups.filter(|(group, _)| group.kind == Kind::Adjoint).for_each(|(_, roots)| roots.clone_from(weights));
    }
    let newton = groups.all.iter().find(|group| group.kind == Kind::Newton);
    let newton = newton.filter(|_| step_functions.is_none());
    let parts = newton.and_then(|newton| Parts::find(model, graph, newton));
    let mut splits: Vec<Option<Split>> = Vec::new();
    for (group, roots) in groups.all.iter().zip(&roots) {
        let operations = Operations::count(graph, "", roots, |_| false).total();
        let parts = parts.as_ref().filter(|_| loops::is_long(operations));
        splits.push(parts.map(|parts| Split::new(parts, graph, group, roots)));
    }
    let constraints = composed::Constraints::find(graph, groups, parts.as_ref(), &roots);
    let mut needed = roots.clone();
    for (needed, split) in needed.iter_mut().zip(&splits) {
        needed.extend(split.iter().flat_map(Split::values));
    }
    needed.extend(step_functions.iter().flat_map(step_functions::roots));
    needed.extend(constraints.as_ref().map(composed::Constraints::expressions));
    roots.extend(step_functions.iter().flat_map(step_functions::roots));
    let names = groups.all.iter().map(|group| group.kind.name());
    let names = names.chain(step_functions.iter().flat_map(step_functions::names));
    let names: Vec<&str> = names.chain(constraints.as_ref().map(|_| composed::CONSTRAINTS)).collect();
    let constants = Constants::collect(model, graph, &needed, &names);
    if graph.exceeded().is_some() {
        // too large, which the caller reports
        return Ok(Default::default());
    }
    faults::sound(model, graph, &roots)?;
    let geometry = graph.lower_powers(&model.geometry);
    let geometry = run::geometry(model, graph, &constants, &geometry);
    let mut operations = vec![constants.operations(graph)];
    let (mut functions, mut adjoint_weights) = (Vec::new(), None);
    for ((group, values), split) in groups.all.iter().zip(&roots).zip(&splits) {
        if group.kind == Kind::Adjoint
            && let Some(weights) = &weights
        {
            let of_groups = (groups, &roots[..]);
            let (function, expressions, own) = composed::adjoint(model, graph, &constants, of_groups, weights)
                .ok_or_else(|| vec!["the matrices of the adjoint lack a derivative".to_owned()])?;
            functions.push(function);
            adjoint_weights = Some(expressions);
            operations.push(own);
            continue;
        }
        if !(group.kind.fills_slice() && values.is_empty()) {
            operations.push(Operations::count(graph, group.kind.name(), values, |id| constants.holds(id)));
        }
        let parts = parts.as_ref().zip(split.as_ref());
        let (name, purpose) = (group.kind.name(), documentation::purpose(group.kind));
        let wanted = groups::Wanted { name, purpose, group, values, parts };
        functions.extend(groups::function(model, graph, &constants, wanted));
    }
    if let Some(step_functions) = &step_functions {
        functions.extend(step_functions::functions(model, graph, &constants, step_functions));
        operations.extend(step_functions::operations(graph, &constants, step_functions));
    }
    let along_motion = constraints
        .as_ref()
        .and_then(|constraints| constraints.write((model, graph), &constants, groups, parts.as_ref()));
    let run_constants = constants.fields.iter().map(|(id, name)| Constant {
        name: name.clone(),
        documentation: documentation::constant(model, graph, &constants, *id),
    });
    let adjoint_parts = step_functions.as_ref().and_then(|functions| functions.adjoint_parts.as_ref());
    let program = Program {
        run_constants: run_constants.collect(),
        constants: run::constants(model, graph, &constants),
        geometry,
        functions,
        along_motion,
        adjoint_weights,
        factors: groups.all.iter().find_map(|group| group.factors.as_ref()).map_or(0, Vec::len),
        adjoint_coefficients: adjoint_parts.map_or(0, |parts| parts.coefficients.len()),
        tables: constants.tables,
    };
    constants.faults.result()?;
    Ok((program, operations))
}
