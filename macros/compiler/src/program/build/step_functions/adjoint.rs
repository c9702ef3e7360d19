//! Functions of a step of the discrete adjoint: in two parts, of which the first depends on the state of the step
//! alone, or in one piece, if that is written in loops or little depends on the state.

use super::writer::Writer;
use crate::mechanics::{AdjointParts, AdjointStep, StepFunctions};
use crate::program::build::arguments::Arguments;
use crate::program::build::code::Code;
use crate::program::build::documentation::{count, counts};
use crate::program::build::stores::{entries, with_stores};
use crate::program::{Array, Function, Index, Local, LocalArray, Place, Statement};
use crate::symbolic::{Given, Id};

/// Returns the expressions of every function, to collect their constants.
pub fn roots(functions: &StepFunctions) -> Vec<Vec<Id>> {
    match &functions.adjoint_parts {
        Some(AdjointParts { factors, coefficients, recurrence, history, .. }) => {
            vec![[&factors[..], coefficients].concat(), of_step(recurrence), history.clone()]
        }
        None => vec![[&functions.adjoint_factors[..], &of_step(&functions.adjoint)].concat()],
    }
}

/// Returns the names of the functions.
pub fn names(functions: &StepFunctions) -> &'static [&'static str] {
    match functions.adjoint_parts {
        Some(_) => &["adjoint_coefficients", "adjoint_recurrence", "adjoint_history"],
        None => &["adjoint_step"],
    }
}

fn of_step(step: &AdjointStep) -> Vec<Id> {
    [&step.variables[..], &step.gradient].concat()
}

/// The local array of shares or of the history, in functions with loops.
const RESULT: Local = Local(0);

impl Writer<'_> {
    /// Returns all functions.
    pub fn adjoint(&self, functions: &StepFunctions) -> Vec<Function> {
        let Some(parts) = &functions.adjoint_parts else { return vec![self.adjoint_step(functions)] };
        let mut all = vec![self.adjoint_coefficients(parts), self.adjoint_recurrence(parts)];
        all.extend(self.adjoint_history(parts));
        all
    }

    fn adjoint_coefficients(&self, parts: &AdjointParts) -> Function {
        let AdjointParts { factors, coefficients, of_parameters, .. } = parts;
        let roots = [&factors[..], coefficients].concat();
        let of_variables = factors.len() + of_parameters.first().copied().unwrap_or(0);
        let taken = ["output_gradient", "selected", "coefficients", "factors"];
        let arrays = [(Array::Factors, factors.len()), (Array::AdjointCoefficients, coefficients.len())];
        // code in loops computes the coefficients of all parameters
        let function = self.looped(&roots, &arrays, &taken, Vec::new()).unwrap_or_else(|| {
            let mut arguments = self.arguments(&roots, &taken);
            arguments.point();
            self.take_output_gradient(&mut arguments);
            self.straight(arguments, |code| {
                let mut values = code.write(&roots[..of_variables]);
                let of_coefficients = values.split_off(factors.len());
                let results = entries(Array::Factors, values, factors);
                let results = results.chain(entries(Array::AdjointCoefficients, of_coefficients, coefficients));
                let mut statements = with_stores(code.take_statements(), results);
                let bounds = of_parameters.windows(2).map(|bounds| bounds[0]..bounds[1]);
                for (parameter, own) in bounds.enumerate().filter(|(_, own)| !own.is_empty()) {
                    let place = (Array::AdjointCoefficients, own.start);
                    statements.push(if_selected(code, parameter, &coefficients[own], place));
                }
                statements
            })
        });
        let documentation = format!(
            "The share of the state in a step of the discrete adjoint (DA 9 to 20): the factors of K, and \
                 the\ncoefficients \
             of [`adjoint_recurrence`](Self::adjoint_recurrence).\n\n{}",
            counts(self.operations(&roots), self.operations(&roots[..of_variables])),
        );
        Function { name: "adjoint_coefficients", documentation, ..function }
    }

    fn adjoint_recurrence(&self, parts: &AdjointParts) -> Function {
        let AdjointParts { recurrence, .. } = parts;
        let roots = of_step(recurrence);
        let taken = ["k", "factors", "coefficients", "selected", "carry", "update", "gradient", "shares"];
        let function = self.looped_adjoint(&roots, &[], recurrence, &taken).unwrap_or_else(|| {
            let mut arguments = self.arguments(&roots, &taken[..7]);
            know_parts(&mut arguments, parts);
            self.take_carry(&mut arguments);
            self.straight(arguments, |code| self.straight_adjoint(code, &[], recurrence))
        });
        let documentation = format!(
            "The adjoint variables of a step from what the step after has passed on, and the share of the step\nin \
                 dJ/dp \
             for the selected parameters.\n\n{}",
            counts(self.operations(&roots), self.operations(&recurrence.variables)),
        );
        Function { name: "adjoint_recurrence", documentation, ..function }
    }

    fn adjoint_history(&self, parts: &AdjointParts) -> Option<Function> {
        let roots = &parts.history;
        if roots.iter().all(|&id| self.graph.is_zero(id)) {
            return None;
        }
        let taken = ["k", "factors", "coefficients", "carry", "history"];
        let local = vec![LocalArray { name: "history".to_owned(), length: roots.len() }];
        let looped = self.looped(roots, &[(Array::Local(RESULT), roots.len())], &taken, local);
        let function = match looped {
            Some(mut function) => {
                function.body.push(Statement::AddAll { from: RESULT, to: Array::CarryRight });
                function
            }
            None => {
                let mut arguments = self.arguments(roots, &taken[..4]);
                know_parts(&mut arguments, parts);
                self.take_carry(&mut arguments);
                self.straight(arguments, |code| {
                    let values = code.write(roots);
                    let mut statements = code.take_statements();
                    for (i, value) in values.into_iter().enumerate() {
                        if !self.graph.is_zero(roots[i]) {
                            let to = Place { array: Array::CarryRight, index: Index::At(i) };
                            statements.push(Statement::Add { to, value });
                        }
                    }
                    statements
                })
            }
        };
        let documentation = format!(
            "Adds the effect of the forces of a step on the step after, where that step remembers the forces\n(DA \
                 13).\n\n{}.",
            count(self.operations(roots)),
        );
        Some(Function { name: "adjoint_history", documentation, ..function })
    }

    /// Returns both parts as one function.
    fn adjoint_step(&self, functions: &StepFunctions) -> Function {
        let factors = &functions.adjoint_factors;
        let AdjointStep { variables, gradient } = &functions.adjoint;
        let roots = [&factors[..], variables, gradient].concat();
        let taken = ["output_gradient", "selected", "carry", "update", "gradient", "factors", "shares"];
        let function = self.looped_adjoint(&roots, factors, &functions.adjoint, &taken).unwrap_or_else(|| {
            let mut arguments = self.arguments(&roots, &taken[..6]);
            arguments.point();
            self.take_output_gradient(&mut arguments);
            self.take_carry(&mut arguments);
            self.straight(arguments, |code| self.straight_adjoint(code, factors, &functions.adjoint))
        });
        let documentation = format!(
            "One step of the discrete adjoint (DA 9 to 20): the adjoint variables of a step from what the step \
                 after\nhas \
             passed on, the share of the step in dJ/dp for the selected parameters, and the factors of K.\n\n\
             {}",
            counts(self.operations(&roots), self.operations(&roots[..factors.len() + variables.len()])),
        );
        Function { name: "adjoint_step", documentation, ..function }
    }

    /// Returns a step, after `factors`, in loops: computes the shares of all parameters and keeps the selected ones.
    fn looped_adjoint(&self, roots: &[Id], factors: &[Id], step: &AdjointStep, taken: &[&str]) -> Option<Function> {
        let n = self.model.coordinates.len();
        let arrays = [
            (Array::Factors, factors.len()),
            (Array::UpdateCoordinates, n),
            (Array::UpdateVelocities, n),
            (Array::UpdateUnknowns, step.variables.len() - 2 * n),
            (Array::Local(RESULT), step.gradient.len()),
        ];
        let shares = vec![LocalArray { name: "shares".to_owned(), length: step.gradient.len() }];
        let mut function = self.looped(roots, &arrays, taken, shares)?;
        function.body.push(Statement::StoreSelected { from: RESULT, to: Array::Gradient });
        Some(function)
    }

    fn take_output_gradient(&self, arguments: &mut Arguments<'_>) {
        let names: Vec<String> = self.model.outputs.iter().map(|quantity| format!("cost_{}", quantity.field)).collect();
        arguments.given(Given::OutputGradient, Array::OutputGradient, &names);
    }

    fn take_carry(&self, arguments: &mut Arguments<'_>) {
        arguments.given(Given::AdjointCarry, Array::CarryRight, &self.equations("carry_"));
        arguments.given(Given::Carried, Array::Carried, &self.coordinates("carried_"));
    }

    /// Returns the statements that fill `factors`, the adjoint variables and, where parameters are selected, the
    /// gradient.
    fn straight_adjoint(&self, code: &mut Code<'_>, factors: &[Id], step: &AdjointStep) -> Vec<Statement> {
        let n = self.model.coordinates.len();
        let mut of_factors = code.write(&[factors, &step.variables].concat());
        let mut coordinates = of_factors.split_off(factors.len());
        let mut velocities = coordinates.split_off(n);
        let unknowns = velocities.split_off(n);
        let mut statements = code.take_statements();
        // stores whole arrays, which compilers vectorize
        if !factors.is_empty() {
            statements.push(Statement::store_whole(Array::Factors, of_factors));
        }
        statements.extend([
            Statement::store_whole(Array::UpdateCoordinates, coordinates),
            Statement::store_whole(Array::UpdateVelocities, velocities),
            Statement::store_whole(Array::UpdateUnknowns, unknowns),
        ]);
        let shares = step.gradient.iter().enumerate().filter(|&(_, &id)| !self.graph.is_zero(id));
        for (parameter, &share) in shares {
            statements.push(if_selected(code, parameter, &[share], (Array::Gradient, parameter)));
        }
        statements
    }
}

/// Makes factors and coefficients known.
fn know_parts(arguments: &mut Arguments<'_>, parts: &AdjointParts) {
    arguments.given_entries(Given::Factor, Array::Factors, parts.factors.len());
    let length = parts.coefficients.len();
    arguments.given_entries(Given::AdjointCoefficient, Array::AdjointCoefficients, length);
}

/// Returns a block that computes `values` for a parameter if it is selected, and stores them from a place on.
fn if_selected(code: &mut Code<'_>, parameter: usize, ids: &[Id], (array, first): (Array, usize)) -> Statement {
    let (block, values) = code.block(ids);
    let place = |i| Place { array, index: Index::At(first + i) };
    let results = values.into_iter().zip(ids).enumerate().map(|(i, (value, &id))| (place(i), value, id));
    Statement::IfSelected { parameter, body: with_stores(block, results) }
}
