//! The function of a group, which fills the array of the group.

use super::arguments::Arguments;
use super::code::Code;
use super::constants::Constants;
use super::documentation;
use super::local_names::LocalNames;
use super::loops;
use super::operations::Operations;
use super::parts::{self, Split};
use super::variables::Variables;
use crate::mechanics::{Block, Group, Parts};
use crate::model::Model;
use crate::program::{Array, Function, Statement};
use crate::symbolic::{Graph, Id};

/// A function to be written.
pub struct Wanted<'a> {
    pub name: &'static str,
    /// The meaning of the results, for the documentation.
    pub purpose: &'a str,
    pub group: &'a Group,
    /// The values of the group, with lowered powers.
    pub values: &'a [Id],
    /// The parts of the model, by which the values are cut.
    pub parts: Option<(&'a Parts, &'a Split)>,
}

/// Writes a function; `None` without values.
pub fn function(model: &Model, graph: &mut Graph, constants: &Constants, wanted: Wanted<'_>) -> Option<Function> {
    let Wanted { name, purpose, group, values, parts } = wanted;
    if values.is_empty() {
        return None;
    }
    let operations = Operations::count(graph, name, values, |id| constants.holds(id)).total();
    let entries = group.length();
    let mut names = LocalNames::new();
    if group.factors.is_some() {
        names.unique("factors");
    }
    let of_parts = parts.and_then(|(parts, split)| parts::write(model, graph, constants, parts, split, names.clone()));
    let looped = match operations + values.len() {
        _ if of_parts.is_some() => of_parts,
        long if loops::is_long(long) => {
            let arrays = [(Array::Out, entries), (Array::Factors, values.len() - entries)];
            loops::write(model, graph, constants, values, &arrays, names.clone(), Vec::new())
        }
        _ => None,
    };
    let (function, loops) = match looped {
        Some(loops::Written { function, loops }) => (function, loops),
        None => (straight_line(model, graph, constants, group, values, names), 0),
    };
    let documentation = documentation::group(model, graph, group, purpose, (operations, loops));
    Some(Function { name, documentation, ..function })
}

/// Returns straight-line code.
fn straight_line(
    model: &Model,
    graph: &Graph,
    constants: &Constants,
    group: &Group,
    values: &[Id],
    names: LocalNames,
) -> Function {
    let mut arguments = Arguments::new(model, graph, constants, values, Variables::new(names));
    arguments.point();
    let Arguments { known, mut variables, mut statements, .. } = arguments;
    let names: Vec<String> = group.blocks.iter().map(|block| variables.names.unique(&block_name(block))).collect();
    let mut code = Code::new(model, graph, constants, known, variables);
    let mut expressions = code.write(values).into_iter();
    statements.extend(code.take_statements());
    let stored = group.blocks.iter().zip(names).filter(|(block, _)| !block.entries.is_empty());
    let stored: Vec<_> = stored.collect();
    let (mut first, is_whole) = (0, stored.len() == 1);
    for (block, name) in stored {
        let values = expressions.by_ref().take(block.entries.len()).collect();
        statements.push(Statement::StoreAll { array: Array::Out, first, is_whole, name: Some(name), values });
        first += block.entries.len();
    }
    let factors: Vec<_> = expressions.collect();
    if !factors.is_empty() {
        statements.push(Statement::store_whole(Array::Factors, factors));
    }
    Function { variables: code.into_variables(), body: statements, ..Function::default() }
}

fn block_name(block: &Block) -> String {
    match block.argument {
        None => block.function.name().to_owned(),
        Some(argument) => format!("{}_wrt_{}", block.function.name(), argument.name()),
    }
}
