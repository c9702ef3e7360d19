//! The way from the syntax tree to the model: names are resolved, loops unrolled, and all expressions are in one graph.
//!
//! The result is the model alone, which does not change after this stage. Its expressions are in a graph beside it, in
//! which later stages build theirs.
//!
//! Every module has a context, which owns the context of the module below it and knows none above: `names`,
//! `expressions`, `system` (the equations in the making), `mechanism` (bodies, joints, elements), `blocks`. Below them
//! are functions that need no context: `report` (errors, and names that are unknown because of them), `kinds` and
//! `functions` of the language, `geometry`.
//!
//! A model is read a second time, with the units that the first reading has found, if its unit of energy is not the
//! joule (masses may be in other units than kilograms), or if it uses a multiplier above the constraint.

mod blocks;
mod expressions;
pub mod formula;
mod functions;
mod geometry;
mod kinds;
mod mechanism;
mod names;
mod report;
mod system;

#[cfg(test)]
mod tests;

use blocks::read;
pub use expressions::Energies;
use expressions::SystemUnits;

use crate::diagnostic::Diagnostics;
use crate::model::{Arguments, Model};
use crate::symbolic::Graph;
use crate::syntax::ast::ModelSyntax;

/// Resolves names, unrolls loops and builds the expression graph; reports every error that it finds.
///
/// Where `diagnostics` has syntax errors already, names may be missing because of them: then unknown names and
/// missing blocks are not reported.
///
/// With the model and its expressions, its energies, and whether it is whole: nothing is missing in it because of
/// errors.
pub fn lower(
    syntax: &ModelSyntax,
    arguments: &Arguments,
    diagnostics: &mut Diagnostics,
) -> (Model, Graph, Energies, bool) {
    let known = SystemUnits::default();
    let errors = diagnostics.len();
    let mut found = read(syntax, arguments, &known, std::mem::take(diagnostics));
    if found.units != known {
        // Masses and constraints give units to what stands above them. What is wrong there decides what is said of all
        // that is made of it, so that units can't be checked afterwards without reading every expression again.
        found.diagnostics.restart(errors);
        found = read(syntax, arguments, &found.units, found.diagnostics);
    }
    *diagnostics = found.diagnostics;
    (found.model, found.graph, found.energies, found.whole)
}
