//! Writing of the functions of a step: arguments, straight-line code, loops.

use crate::model::Model;
use crate::program::build::arguments::Arguments;
use crate::program::build::code::Code;
use crate::program::build::constants::Constants;
use crate::program::build::local_names::LocalNames;
use crate::program::build::loops;
use crate::program::build::operations::Operations;
use crate::program::build::variables::Variables;
use crate::program::{Array, Function, LocalArray, Statement};
use crate::symbolic::{Given, Graph, Id};

/// Writes the functions of one model.
pub struct Writer<'a> {
    pub model: &'a Model,
    pub graph: &'a Graph,
    pub constants: &'a Constants,
    /// True if loops are to be tried.
    pub in_loops: bool,
}

impl<'a> Writer<'a> {
    /// Writes a function with the results `roots` in loops; the results go to `arrays` one after the other. Variables
    /// have none of the names that are `taken`. `None` where loops are not worth while.
    pub fn looped(
        &self,
        roots: &[Id],
        arrays: &[(Array, usize)],
        taken: &[&str],
        locals: Vec<LocalArray>,
    ) -> Option<Function> {
        if !self.in_loops {
            return None;
        }
        let names = names(taken);
        let written = loops::write(self.model, self.graph, self.constants, roots, arrays, names, locals)?;
        Some(written.function)
    }

    /// Starts a function with the results `roots` in straight-line code.
    pub fn arguments(&self, roots: &[Id], taken: &[&str]) -> Arguments<'a> {
        let variables = Variables::new(names(taken));
        Arguments::new(self.model, self.graph, self.constants, roots, variables)
    }

    /// Writes straight-line code after the statements that take the arguments.
    pub fn straight(&self, arguments: Arguments<'a>, write: impl FnOnce(&mut Code<'a>) -> Vec<Statement>) -> Function {
        let Arguments { known, variables, statements: mut body, .. } = arguments;
        let mut code = Code::new(self.model, self.graph, self.constants, known, variables).fusing();
        body.extend(write(&mut code));
        Function { variables: code.into_variables(), body, ..Function::default() }
    }

    pub fn operations(&self, roots: &[Id]) -> usize {
        Operations::count(self.graph, "", roots, |id| self.constants.holds(id)).total()
    }

    pub fn coordinates(&self, prefix: &str) -> Vec<String> {
        self.model.coordinates.iter().map(|quantity| format!("{prefix}{}", quantity.field)).collect()
    }

    /// Returns names for the entries of a vector over the equations of motion and the constraints.
    pub fn equations(&self, prefix: &str) -> Vec<String> {
        let constraints = self.model.constraints.iter();
        let constraints = constraints.map(|quantity| format!("{prefix}lambda_{}", quantity.field));
        self.coordinates(prefix).into_iter().chain(constraints).collect()
    }

    /// Takes the history term of a step.
    pub fn history(&self, arguments: &mut Arguments<'_>) {
        arguments.given(Given::History, Array::History, &self.coordinates("history_"));
    }
}

fn names(taken: &[&str]) -> LocalNames {
    let mut names = LocalNames::new();
    for name in taken {
        names.unique(name);
    }
    names
}
