//! The functions of a step: from the state to the correction, and from one set of adjoint variables to the next.

mod adjoint;

pub use adjoint::roots as adjoint_roots;

use std::collections::BTreeSet;

use proc_macro2::{Ident, Literal, TokenStream};
use quote::{format_ident, quote};
use rustc_hash::FxHashMap;

use super::code::Code;
use super::constants::{Constants, symbol_id};
use super::documentation::{count, doc};
use super::function::{Arguments, values_use_constants};
use super::local_names::LocalNames;
use super::loops;
use super::operations::Operations;
use super::stores::with_stores;
use crate::mechanics::StepFunctions;
use crate::model::Model;
use crate::symbolic::{Given, Graph, Id, Symbol};

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

struct Writer<'a> {
    model: &'a Model,
    graph: &'a Graph,
    constants: &'a Constants,
    /// Whether loops are sought.
    in_loops: bool,
}

/// How a function takes what it computes with.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Takes {
    /// A point, with the constants of the run.
    Point,
    /// Constants and arrays.
    Arrays,
    /// Constants and `Numbers`, which may be those of one lane of several.
    Numbers,
}

/// What a function does, and what it uses of its arguments.
struct Parts {
    statements: Vec<TokenStream>,
    /// Whether the point is used, the run's constants included.
    uses_point: bool,
    given: BTreeSet<Given>,
}

impl Parts {
    /// The name of an argument for `given` numbers.
    fn argument(&self, given: Given, name: &str) -> TokenStream {
        argument(self.given.contains(&given), name)
    }
}

/// A function in the making: what is known, and the statements that take the arguments apart.
struct Body {
    names: LocalNames,
    known: FxHashMap<Id, TokenStream>,
    bindings: Vec<TokenStream>,
    /// Whether the point is used, the run's constants included.
    uses_point: bool,
    given: BTreeSet<Given>,
}

impl Writer<'_> {
    /// A function with the results `roots`, which go to `arrays` one after the other, in loops; `None` where they do not
    /// serve.
    fn looped(
        &self,
        roots: &[Id],
        arrays: &[(TokenStream, usize)],
        taken: &[&str],
        takes: Takes,
    ) -> Option<Parts> {
        if !self.in_loops {
            return None;
        }
        let mut names = LocalNames::new();
        taken.iter().for_each(|name| {
            names.unique(name);
        });
        let by_call = takes == Takes::Numbers;
        let written = loops::write(self.model, self.graph, self.constants, roots, arrays, names, by_call)?;
        let uses_constants = values_use_constants(self.constants, self.graph, roots);
        let mut statements = Vec::new();
        if takes == Takes::Point && uses_constants {
            statements.push(quote!(let k = at.constants;));
        }
        statements.extend(written.statements);
        Some(Parts { statements, uses_point: uses_constants || written.uses_state, given: written.given })
    }

    fn body(&self, roots: &[Id], taken: &[&str], point: bool) -> Body {
        let (mut names, mut known) = (LocalNames::new(), self.constants.known());
        for name in taken {
            names.unique(name);
        }
        let mut bindings = Vec::new();
        let uses_constants = values_use_constants(self.constants, self.graph, roots);
        if point {
            if uses_constants {
                bindings.push(quote!(let k = at.constants;));
            }
            bindings.extend(
                Arguments { model: self.model, graph: self.graph, values: roots }
                    .bind(&mut names, &mut known),
            );
        }
        let uses_point = uses_constants || !bindings.is_empty();
        Body { names, known, uses_point, bindings, given: BTreeSet::new() }
    }

    /// Straight-line code for a body.
    fn with_code(&self, body: Body, write: impl FnOnce(&mut Code<'_>) -> Vec<TokenStream>) -> Parts {
        let Body { names, known, bindings, uses_point, given } = body;
        let tables = self.constants.tables(self.model);
        let mut code = Code::new(self.graph, self.constants, tables, known, names).fusing();
        let mut statements = bindings;
        statements.extend(write(&mut code));
        Parts { statements, uses_point, given }
    }

    fn operations(&self, roots: &[Id]) -> usize {
        Operations::count(self.graph, "", roots, |id| self.constants.holds(id)).total()
    }

    /// Takes the vector `from` of given numbers apart.
    fn bind(&self, body: &mut Body, roots: &[Id], given: Given, names: &[String], from: TokenStream) {
        let used = self.graph.symbols_of(roots);
        let mut pattern = Vec::new();
        for (i, name) in names.iter().enumerate() {
            if !used.contains(&Symbol::Given(given, i)) {
                pattern.push(quote!(_));
                continue;
            }
            let name = body.names.unique(name);
            if let Some(id) = symbol_id(self.graph, Symbol::Given(given, i)) {
                body.known.insert(id, quote!(#name));
            }
            pattern.push(quote!(#name));
        }
        if pattern.iter().any(|name| name.to_string() != "_") {
            body.given.insert(given);
            body.bindings.push(quote!(let [#(#pattern),*] = #from;));
        }
    }

    /// Given numbers are used where they are.
    fn know(
        &self,
        body: &mut Body,
        roots: &[Id],
        (given, length): (Given, usize),
        place: impl Fn(Literal) -> TokenStream,
    ) {
        let used = self.graph.symbols_of(roots);
        for i in (0..length).filter(|&i| used.contains(&Symbol::Given(given, i))) {
            body.given.insert(given);
            if let Some(id) = symbol_id(self.graph, Symbol::Given(given, i)) {
                body.known.insert(id, place(Literal::usize_unsuffixed(i)));
            }
        }
    }

    fn know_factors(&self, body: &mut Body, roots: &[Id], length: usize) {
        self.know(body, roots, (Given::Factor, length), |i| quote!(factors[#i]));
    }

    fn coordinates(&self, prefix: &str) -> Vec<String> {
        self.model.coordinates.iter().map(|quantity| format!("{prefix}{}", quantity.field)).collect()
    }

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
        quote! {
            #documentation
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

/// The entries of `array` with the values that they take.
fn entries<'a>(
    array: &str,
    values: &'a [TokenStream],
) -> impl Iterator<Item = (TokenStream, TokenStream)> + 'a {
    let path = array.split('.').map(|name| format_ident!("{name}"));
    let array = quote!(#(#path).*);
    values.iter().enumerate().map(move |(i, value)| {
        let i = Literal::usize_unsuffixed(i);
        (quote!(#array[#i]), value.clone())
    })
}

/// The name of an argument, `_` where it is not used.
fn argument(used: bool, name: &str) -> TokenStream {
    let name: Ident = format_ident!("{name}");
    if used { quote!(#name) } else { quote!(_) }
}
