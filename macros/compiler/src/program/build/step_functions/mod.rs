//! The functions of a step: from the state to the correction, and from one set of adjoint variables to the next.

mod adjoint;
mod writer;

pub use adjoint::roots as adjoint_roots;

use super::constants::Constants;
use super::documentation::count;
use super::loops::RIGHT;
use super::operations::Operations;
use super::stores::{entries, with_stores};
use crate::mechanics::StepFunctions;
use crate::model::Model;
use crate::program::{Array, Function, LocalArray, Statement};
use crate::symbolic::{Given, Graph, Id};
use writer::Writer;

/// Returns the expressions of every function, for their constants.
pub fn roots(functions: &StepFunctions) -> Vec<Vec<Id>> {
    let StepFunctions { factors, correction, correction_by_factors, solution, transposed_solution, .. } = functions;
    let mut roots = vec![
        [&factors[..], correction].concat(),
        correction_by_factors.clone(),
        solution.clone(),
        transposed_solution.clone(),
    ];
    roots.extend(adjoint::roots(functions));
    roots
}

/// Returns the names of the functions, in the order of their expressions.
pub fn names(functions: &StepFunctions) -> Vec<&'static str> {
    let newton = ["newton_correction", "chord_correction", "solve", "solve_transposed"];
    newton.into_iter().chain(adjoint::names(functions).iter().copied()).collect()
}

/// Counts the operations of the functions.
pub fn operations(graph: &Graph, constants: &Constants, functions: &StepFunctions) -> Vec<Operations> {
    let pairs = names(functions).into_iter().zip(roots(functions));
    pairs.map(|(name, roots)| Operations::count(graph, name, &roots, |id| constants.holds(id))).collect()
}

/// Returns the functions, whose powers are lowered.
pub fn functions(model: &Model, graph: &Graph, constants: &Constants, functions: &StepFunctions) -> Vec<Function> {
    let writer = Writer { model, graph, constants, in_loops: functions.in_loops };
    let solve = writer.solve(
        "solve",
        "Solves with the Newton matrix by the factors: forward and back substitution, written out.",
        &functions.solution,
        functions.factors.len(),
    );
    let transposed = if functions.transposed_solution == functions.solution {
        // the transpose of a symmetric matrix is the matrix
        let documentation =
            "Solves with the transposed Newton matrix by the factors; the matrix is symmetric.".to_owned();
        let body = vec![Statement::Call(solve.name)];
        Function { name: "solve_transposed", documentation, body, ..Function::default() }
    } else {
        writer.solve(
            "solve_transposed",
            "Solves with the transposed Newton matrix by the factors.",
            &functions.transposed_solution,
            functions.factors.len(),
        )
    };
    let newton = [writer.newton_correction(functions), writer.chord_correction(functions), solve, transposed];
    newton.into_iter().chain(writer.adjoint(functions)).collect()
}

impl Writer<'_> {
    fn newton_correction(&self, functions: &StepFunctions) -> Function {
        let StepFunctions { factors, correction, .. } = functions;
        let roots = [&factors[..], correction].concat();
        let taken = ["history", "correction", "factors"];
        let arrays = [(Array::Factors, factors.len()), (Array::Correction, correction.len())];
        let function = self.looped(&roots, &arrays, &taken, Vec::new()).unwrap_or_else(|| {
            let mut arguments = self.arguments(&roots, &taken);
            arguments.point();
            self.history(&mut arguments);
            self.straight(arguments, |code| {
                let mut values = code.write(&roots);
                let of_correction = values.split_off(factors.len());
                let results = entries(Array::Factors, values, factors);
                let results = results.chain(entries(Array::Correction, of_correction, correction));
                with_stores(code.take_statements(), results)
            })
        });
        let documentation = format!(
            "The correction of (a, lambda) in one iteration of Newton's method, `-K^-1 r`, and the factors of \
                 the\nNewton \
             matrix K that change during a run.\n\n{}.",
            count(self.operations(&roots))
        );
        Function { name: "newton_correction", documentation, ..function }
    }

    fn chord_correction(&self, functions: &StepFunctions) -> Function {
        let (name, roots) = ("chord_correction", &functions.correction_by_factors);
        if functions.factors.is_empty() && *roots == functions.correction {
            let documentation =
                "The correction of (a, lambda) with the factors of K of an earlier iteration, which do not change.";
            let body = vec![Statement::Call("newton_correction")];
            return Function { name, documentation: documentation.to_owned(), body, ..Function::default() };
        }
        let taken = ["history", "correction", "factors"];
        let arrays = [(Array::Correction, roots.len())];
        let function = self.looped(roots, &arrays, &taken, Vec::new()).unwrap_or_else(|| {
            let mut arguments = self.arguments(roots, &taken);
            arguments.point();
            self.history(&mut arguments);
            arguments.given_entries(Given::Factor, Array::Factors, functions.factors.len());
            self.straight(arguments, |code| {
                let values = code.write(roots);
                with_stores(code.take_statements(), entries(Array::Correction, values, roots))
            })
        });
        let documentation = format!(
            "The correction of (a, lambda) with the factors of K of an earlier iteration.\n\n{}.",
            count(self.operations(roots))
        );
        Function { name, documentation, ..function }
    }

    fn solve(&self, name: &'static str, text: &str, roots: &[Id], length: usize) -> Function {
        let taken = ["unknowns", "factors", "right"];
        let right = vec![LocalArray { name: "right".to_owned(), length: roots.len() }];
        let function = match self.looped(roots, &[(Array::Unknowns, roots.len())], &taken, right) {
            Some(mut function) => {
                function.body.insert(0, Statement::Copy { from: Array::Unknowns, to: RIGHT });
                function
            }
            None => {
                let mut arguments = self.arguments(roots, &taken[..2]);
                arguments.given(Given::RightSide, Array::Unknowns, &self.equations("b_"));
                arguments.given_entries(Given::Factor, Array::Factors, length);
                self.straight(arguments, |code| {
                    let values = code.write(roots);
                    let mut statements = code.take_statements();
                    statements.push(Statement::store_whole(Array::Unknowns, values));
                    statements
                })
            }
        };
        Function { name, documentation: text.to_owned(), ..function }
    }
}
