//! The functions of a step: from the state to the correction, and from one set of adjoint variables to the next.

mod adjoint;
mod writer;

pub use adjoint::roots as adjoint_roots;

use proc_macro2::TokenStream;
use quote::{format_ident, quote};

use super::constants::Constants;
use super::documentation::{count, doc};
use super::function::values_use_constants;
use super::operations::Operations;
use super::stores::with_stores;
use crate::mechanics::StepFunctions;
use crate::model::Model;
use crate::symbolic::{Given, Graph, Id};
use writer::{Takes, Writer, argument, entries};

/// The expressions of every function, for their constants.
pub fn roots(functions: &StepFunctions) -> Vec<Vec<Id>> {
    let StepFunctions { factors, correction, correction_by_factors, solution, transposed_solution, .. } =
        functions;
    let mut roots = vec![
        [&factors[..], correction].concat(),
        correction_by_factors.clone(),
        solution.clone(),
        transposed_solution.clone(),
    ];
    roots.extend(adjoint::roots(functions));
    roots
}

/// The functions' names, in the order of their expressions.
pub fn names(functions: &StepFunctions) -> Vec<&'static str> {
    let newton = ["newton_correction", "chord_correction", "solve", "solve_transposed"];
    newton.into_iter().chain(adjoint::names(functions).iter().copied()).collect()
}

/// Their work.
pub fn operations(graph: &Graph, constants: &Constants, functions: &StepFunctions) -> Vec<Operations> {
    let pairs = names(functions).into_iter().zip(roots(functions));
    pairs.map(|(name, roots)| Operations::count(graph, name, &roots, |id| constants.holds(id))).collect()
}

/// The functions, whose powers are lowered.
pub fn emit(model: &Model, graph: &Graph, constants: &Constants, functions: &StepFunctions) -> TokenStream {
    let writer = Writer { model, graph, constants, in_loops: functions.in_loops };
    let newton = writer.newton_correction(functions);
    let chord = writer.chord_correction(functions);
    let solve = writer.solve(
        "solve",
        "Solves with the Newton matrix by the factors: forward and back substitution, written out.",
        &functions.solution,
        functions.factors.len(),
    );
    let transposed = if functions.transposed_solution == functions.solution {
        symmetric_solve()
    } else {
        writer.solve(
            "solve_transposed",
            "Solves with the transposed Newton matrix by the factors.",
            &functions.transposed_solution,
            functions.factors.len(),
        )
    };
    let adjoint = writer.adjoint(functions);
    quote!(#newton #chord #solve #transposed #adjoint)
}

/// The solution with the transpose of a matrix that is its own.
fn symmetric_solve() -> TokenStream {
    quote! {
        /// Solves with the transposed Newton matrix by the factors; the matrix is symmetric.
        fn solve_transposed<S: ::costate::model::Scalar>(
            k: &Self::Constants<S>,
            factors: &Self::Factors<S>,
            unknowns: &mut Self::Unknowns<S>,
        ) {
            Self::solve(k, factors, unknowns);
        }
    }
}

impl Writer<'_> {
    fn newton_correction(&self, functions: &StepFunctions) -> TokenStream {
        let StepFunctions { factors, correction, .. } = functions;
        let roots = [&factors[..], correction].concat();
        let taken = ["history", "correction", "factors"];
        let arrays = [(quote!(factors), factors.len()), (quote!(correction), correction.len())];
        let parts = self.looped(&roots, &arrays, &taken, Takes::Point).unwrap_or_else(|| {
            let mut body = self.body(&roots, &taken, true);
            let names = self.coordinates("history_");
            self.bind(&mut body, &roots, Given::History, &names, quote!(*history));
            self.with_code(body, |code| {
                let values = code.write(&roots);
                let (factors, correction) = values.split_at(factors.len());
                let stores = entries("factors", factors).chain(entries("correction", correction));
                with_stores(code.statements(), stores)
            })
        });
        let (at, history) = (argument(parts.uses_point, "at"), parts.argument(Given::History, "history"));
        let statements = parts.statements;
        let name = argument(!factors.is_empty(), "factors");
        let correction = argument(!correction.is_empty(), "correction");
        let documentation = doc(&format!(
            "The correction of (a, lambda) in one iteration of Newton's method, `-K^-1 r`, and the factors of the\nNewton \
             matrix K that change during a run.\n\n{}.",
            count(self.operations(&roots))
        ));
        quote! {
            #documentation
            #[inline(always)]
            fn newton_correction<S: ::costate::model::Scalar>(
                #at: &::costate::emitted::Point<'_, Self, S>,
                #history: &Self::Coordinates<S>,
                #correction: &mut Self::Unknowns<S>,
                #name: &mut Self::Factors<S>,
            ) {
                #(#statements)*
            }
        }
    }

    fn chord_correction(&self, functions: &StepFunctions) -> TokenStream {
        let roots = &functions.correction_by_factors;
        if functions.factors.is_empty() && *roots == functions.correction {
            return quote! {
                /// The correction of (a, lambda) with the factors of K of an earlier iteration, which do not change.
                #[inline(always)]
                fn chord_correction<S: ::costate::model::Scalar>(
                    at: &::costate::emitted::Point<'_, Self, S>,
                    history: &Self::Coordinates<S>,
                    correction: &mut Self::Unknowns<S>,
                    _: &Self::Factors<S>,
                ) {
                    Self::newton_correction(at, history, correction, &mut []);
                }
            };
        }
        let taken = ["history", "correction", "factors"];
        let parts = self
            .looped(roots, &[(quote!(correction), roots.len())], &taken, Takes::Point)
            .unwrap_or_else(|| {
                let mut body = self.body(roots, &taken, true);
                let names = self.coordinates("history_");
                self.bind(&mut body, roots, Given::History, &names, quote!(*history));
                self.know_factors(&mut body, roots, functions.factors.len());
                self.with_code(body, |code| {
                    let values = code.write(roots);
                    with_stores(code.statements(), entries("correction", &values))
                })
            });
        let (at, history) = (argument(parts.uses_point, "at"), parts.argument(Given::History, "history"));
        let factors = parts.argument(Given::Factor, "factors");
        let statements = parts.statements;
        let correction = argument(!roots.is_empty(), "correction");
        let documentation = doc(&format!(
            "The correction of (a, lambda) with the factors of K of an earlier iteration.\n\n{}.",
            count(self.operations(roots))
        ));
        quote! {
            #documentation
            #[inline(always)]
            fn chord_correction<S: ::costate::model::Scalar>(
                #at: &::costate::emitted::Point<'_, Self, S>,
                #history: &Self::Coordinates<S>,
                #correction: &mut Self::Unknowns<S>,
                #factors: &Self::Factors<S>,
            ) {
                #(#statements)*
            }
        }
    }

    fn solve(&self, name: &str, text: &str, roots: &[Id], length: usize) -> TokenStream {
        let taken = ["unknowns", "factors", "right"];
        let looped = self.looped(roots, &[(quote!(unknowns), roots.len())], &taken, Takes::Arrays);
        let parts = match looped {
            Some(mut parts) => {
                parts.statements.insert(0, quote!(let right = *unknowns;));
                parts
            }
            None => {
                let mut body = self.body(roots, &taken[..2], false);
                let mut names = self.coordinates("b_");
                let constraints = self.model.constraints.iter();
                names.extend(constraints.map(|quantity| format!("b_lambda_{}", quantity.field)));
                self.bind(&mut body, roots, Given::RightSide, &names, quote!(*unknowns));
                self.know_factors(&mut body, roots, length);
                self.with_code(body, |code| {
                    let values = code.write(roots);
                    [code.statements(), vec![quote!(*unknowns = [#(#values),*];)]].concat()
                })
            }
        };
        let factors = parts.argument(Given::Factor, "factors");
        let statements = parts.statements;
        let k = argument(values_use_constants(self.constants, self.graph, roots), "k");
        let (documentation, function) = (doc(text), format_ident!("{name}"));
        // in loops over columns, four side by side
        let inline = (name == "solve").then(|| quote!(#[inline(always)]));
        quote! {
            #documentation
            #inline
            fn #function<S: ::costate::model::Scalar>(
                #k: &Self::Constants<S>,
                #factors: &Self::Factors<S>,
                unknowns: &mut Self::Unknowns<S>,
            ) {
                #(#statements)*
            }
        }
    }
}
