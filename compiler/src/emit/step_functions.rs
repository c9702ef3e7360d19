//! The functions of a step: from the state to the correction, and from one set of adjoint variables to the next.

use std::collections::HashMap;

use proc_macro2::{Ident, Literal, TokenStream};
use quote::{format_ident, quote};

use super::code::Code;
use super::constants::{Constants, symbol_id};
use super::documentation::doc;
use super::function::{Arguments, values_use_constants};
use super::local_names::LocalNames;
use super::operations::Operations;
use super::stores::with_stores;
use crate::mechanics::StepFunctions;
use crate::model::Model;
use crate::symbolic::{Given, Id, Symbol};

/// The expressions of every function, for their constants.
pub fn roots(functions: &StepFunctions) -> Vec<Vec<Id>> {
    let StepFunctions { factors, correction, correction_by_factors, solution, transposed_solution, adjoint } =
        functions;
    vec![
        [&factors[..], correction].concat(),
        correction_by_factors.clone(),
        solution.clone(),
        transposed_solution.clone(),
        [&adjoint.variables[..], &adjoint.gradient].concat(),
    ]
}

/// Their work.
pub fn operations(model: &Model, constants: &Constants, functions: &StepFunctions) -> Vec<Operations> {
    let names = ["newton_correction", "chord_correction", "solve", "solve_transposed", "adjoint_step"];
    let pairs = names.into_iter().zip(roots(functions));
    pairs
        .map(|(name, roots)| Operations::count(&model.graph, name, &roots, |id| constants.holds(id)))
        .collect()
}

/// The functions, whose powers are lowered.
pub fn emit(model: &Model, constants: &Constants, functions: &StepFunctions) -> TokenStream {
    let writer = Writer { model, constants };
    let newton = writer.newton_correction(functions);
    let chord = writer.chord_correction(functions);
    let solve = writer.solve(
        "solve",
        "Solves with the Newton matrix by the factors: forward and back substitution, written out.",
        &functions.solution,
        functions.factors.len(),
    );
    let transposed = writer.solve(
        "solve_transposed",
        "Solves with the transposed Newton matrix by the factors.",
        &functions.transposed_solution,
        functions.factors.len(),
    );
    let adjoint = writer.adjoint_step(functions);
    quote!(#newton #chord #solve #transposed #adjoint)
}

struct Writer<'a> {
    model: &'a Model,
    constants: &'a Constants,
}

/// A function in the making: what is known, and the statements that take the arguments apart.
struct Body {
    names: LocalNames,
    known: HashMap<Id, TokenStream>,
    bindings: Vec<TokenStream>,
    /// Whether the point is used, the run's constants included.
    uses_point: bool,
}

impl Writer<'_> {
    fn body(&self, roots: &[Id], taken: &[&str], point: bool) -> Body {
        let (mut names, mut known) = (LocalNames::new(), self.constants.known());
        for name in taken {
            names.unique(name);
        }
        let mut bindings = Vec::new();
        let uses_constants = values_use_constants(self.constants, self.model, roots);
        if point {
            if uses_constants {
                bindings.push(quote!(let k = at.constants;));
            }
            bindings.extend(Arguments { model: self.model, values: roots }.bind(&mut names, &mut known));
        }
        Body { names, known, uses_point: uses_constants || !bindings.is_empty(), bindings }
    }

    fn code(&self, body: Body) -> (Vec<TokenStream>, Code<'_>) {
        let tables = self.constants.tables(self.model);
        let code = Code::new(&self.model.graph, &self.constants.let_names, tables, body.known, body.names);
        (body.bindings, code)
    }

    fn operations(&self, roots: &[Id]) -> usize {
        Operations::count(&self.model.graph, "", roots, |id| self.constants.holds(id)).total()
    }

    fn uses(&self, roots: &[Id], given: Given, i: usize) -> bool {
        roots.iter().any(|&id| self.model.graph.depends_on(id, Symbol::Given(given, i)))
    }

    /// Takes the vector `from` of given numbers apart; whether any is used.
    fn bind(&self, body: &mut Body, roots: &[Id], given: Given, names: &[String], from: TokenStream) -> bool {
        let mut pattern = Vec::new();
        for (i, name) in names.iter().enumerate() {
            if !self.uses(roots, given, i) {
                pattern.push(quote!(_));
                continue;
            }
            let name = body.names.unique(name);
            if let Some(id) = symbol_id(&self.model.graph, Symbol::Given(given, i)) {
                body.known.insert(id, quote!(#name));
            }
            pattern.push(quote!(#name));
        }
        let used = pattern.iter().any(|name| name.to_string() != "_");
        if used {
            body.bindings.push(quote!(let [#(#pattern),*] = #from;));
        }
        used
    }

    /// Factors are used where they are; whether any is.
    fn know_factors(&self, body: &mut Body, roots: &[Id], length: usize) -> bool {
        let mut used = false;
        for i in (0..length).filter(|&i| self.uses(roots, Given::Factor, i)) {
            used = true;
            if let Some(id) = symbol_id(&self.model.graph, Symbol::Given(Given::Factor, i)) {
                let index = Literal::usize_unsuffixed(i);
                body.known.insert(id, quote!(factors[#index]));
            }
        }
        used
    }

    fn coordinates(&self, prefix: &str) -> Vec<String> {
        self.model.coordinates.iter().map(|quantity| format!("{prefix}{}", quantity.field)).collect()
    }

    fn newton_correction(&self, functions: &StepFunctions) -> TokenStream {
        let StepFunctions { factors, correction, .. } = functions;
        let roots = [&factors[..], correction].concat();
        let mut body = self.body(&roots, &["history", "correction", "factors"], true);
        let names = self.coordinates("history_");
        let history =
            argument(self.bind(&mut body, &roots, Given::History, &names, quote!(*history)), "history");
        let at = argument(body.uses_point, "at");
        let (bindings, mut code) = self.code(body);
        let values = code.write(&roots);
        let (factors, correction) = values.split_at(factors.len());
        let stores = entries("factors", factors).chain(entries("correction", correction));
        let statements = with_stores(code.statements(), stores);
        let name = argument(!factors.is_empty(), "factors");
        let correction = argument(!correction.is_empty(), "correction");
        let documentation = doc(&format!(
            "The correction of (a, lambda) in one iteration of Newton's method, `-K^-1 r`, and the factors of K that \
             change during a run.\n\n{} operations.",
            self.operations(&roots)
        ));
        quote! {
            #documentation
            #[inline(always)]
            fn newton_correction<S: ::costate::Scalar>(
                #at: &::costate::Point<'_, Self, S>,
                #history: &Self::Coordinates<S>,
                #correction: &mut Self::Unknowns<S>,
                #name: &mut Self::Factors<S>,
            ) {
                #(#bindings)*
                #(#statements)*
            }
        }
    }

    fn chord_correction(&self, functions: &StepFunctions) -> TokenStream {
        let roots = &functions.correction_by_factors;
        let mut body = self.body(roots, &["history", "correction", "factors"], true);
        let names = self.coordinates("history_");
        let history =
            argument(self.bind(&mut body, roots, Given::History, &names, quote!(*history)), "history");
        let factors = argument(self.know_factors(&mut body, roots, functions.factors.len()), "factors");
        let at = argument(body.uses_point, "at");
        let (bindings, mut code) = self.code(body);
        let values = code.write(roots);
        let statements = with_stores(code.statements(), entries("correction", &values));
        let correction = argument(!values.is_empty(), "correction");
        let documentation = doc(&format!(
            "The same with factors of an earlier iteration.\n\n{} operations.",
            self.operations(roots)
        ));
        quote! {
            #documentation
            #[inline(always)]
            fn chord_correction<S: ::costate::Scalar>(
                #at: &::costate::Point<'_, Self, S>,
                #history: &Self::Coordinates<S>,
                #correction: &mut Self::Unknowns<S>,
                #factors: &Self::Factors<S>,
            ) {
                #(#bindings)*
                #(#statements)*
            }
        }
    }

    fn solve(&self, name: &str, text: &str, roots: &[Id], length: usize) -> TokenStream {
        let mut body = self.body(roots, &["unknowns", "factors"], false);
        let mut names = self.coordinates("b_");
        names.extend(self.model.constraints.iter().map(|quantity| format!("b_lambda_{}", quantity.field)));
        self.bind(&mut body, roots, Given::RightSide, &names, quote!(*unknowns));
        let factors = argument(self.know_factors(&mut body, roots, length), "factors");
        let k = argument(values_use_constants(self.constants, self.model, roots), "k");
        let (bindings, mut code) = self.code(body);
        let values = code.write(roots);
        let statements = code.statements();
        let (documentation, function) = (doc(text), format_ident!("{name}"));
        quote! {
            #documentation
            fn #function<S: ::costate::Scalar>(
                #k: &Self::Constants<S>,
                #factors: &Self::Factors<S>,
                unknowns: &mut Self::Unknowns<S>,
            ) {
                #(#bindings)*
                #(#statements)*
                *unknowns = [#(#values),*];
            }
        }
    }

    fn adjoint_step(&self, functions: &StepFunctions) -> TokenStream {
        let (n, factors) = (self.model.coordinates.len(), &functions.factors);
        let variables = &functions.adjoint.variables;
        let gradient = &functions.adjoint.gradient;
        let roots = [&factors[..], variables, gradient].concat();
        let taken = ["output_gradient", "selected", "later", "adjoint", "gradient", "factors"];
        let mut body = self.body(&roots, &taken, true);
        let outputs: Vec<String> =
            self.model.outputs.iter().map(|quantity| format!("cost_{}", quantity.field)).collect();
        let costs = self.bind(&mut body, &roots, Given::OutputGradient, &outputs, quote!(*output_gradient));
        let mut uses_later = false;
        for (given, field) in
            [(Given::AdjointCoordinate, "y"), (Given::AdjointVelocity, "z"), (Given::AdjointMotion, "w")]
        {
            let (names, name) = (self.coordinates(&format!("later_{field}_")), format_ident!("{field}"));
            uses_later |= self.bind(&mut body, &roots, given, &names, quote!(later.#name));
        }
        let [costs, at, later] = [
            argument(costs, "output_gradient"),
            argument(body.uses_point, "at"),
            argument(uses_later, "later"),
        ];
        let (bindings, mut code) = self.code(body);
        let values = code.write(&roots[..factors.len() + variables.len()]);
        let (factors, variables) = values.split_at(factors.len());
        let factors_name = argument(!factors.is_empty(), "factors");
        let [y, z, w] = [0, 1, 2].map(|i| &variables[i * n..(i + 1) * n]);
        let mu = &variables[3 * n..];
        // arrays as a whole, which compilers make vectors of
        let store = (!factors.is_empty()).then(|| quote!(*factors = [#(#factors),*];));
        let statements = code.statements();
        let shares: Vec<TokenStream> = gradient
            .iter()
            .enumerate()
            .filter(|&(_, &id)| !self.model.graph.is_zero(id))
            .map(|(i, &id)| {
                let (statements, value) = code.block(id);
                let i = Literal::usize_unsuffixed(i);
                quote! {
                    if selected.contains(#i) {
                        #(#statements)*
                        gradient[#i] = #value;
                    }
                }
            })
            .collect();
        let [selected, gradient_name] =
            ["selected", "gradient"].map(|name| argument(!shares.is_empty(), name));
        let documentation = doc(&format!(
            "One step of the discrete adjoint (DA 9 to 20): the adjoint variables of a step from those of the step \
             `later`, the share of the step in dJ/dp for the selected parameters, and the factors of K.\n\n\
             {} operations with all parameters, {} with none.",
            self.operations(&roots),
            self.operations(&roots[..functions.factors.len() + functions.adjoint.variables.len()]),
        ));
        quote! {
            #documentation
            #[inline(always)]
            fn adjoint_step<S: ::costate::Scalar>(
                #at: &::costate::Point<'_, Self, S>,
                #costs: &Self::Outputs<S>,
                #selected: &::costate::SelectedParameters,
                #later: &::costate::AdjointVariables<Self, S>,
                adjoint: &mut ::costate::AdjointVariables<Self, S>,
                #gradient_name: &mut Self::Parameters<S>,
                #factors_name: &mut Self::Factors<S>,
            ) {
                #(#bindings)*
                #(#statements)*
                #store
                adjoint.y = [#(#y),*];
                adjoint.z = [#(#z),*];
                adjoint.w = [#(#w),*];
                adjoint.mu = [#(#mu),*];
                #(#shares)*
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
