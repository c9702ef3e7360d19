//! The functions of a step of the discrete adjoint: two parts, of which the first depends on the state of the step alone,
//! or one piece, where that is written in loops or little depends on the state.

use proc_macro2::{Literal, TokenStream};
use quote::{format_ident, quote};

use super::{Body, Parts, Takes, Writer, argument, entries};
use crate::emit::code::Code;
use crate::emit::documentation::doc;
use crate::emit::stores::with_stores;
use crate::mechanics::{AdjointParts, AdjointStep, StepFunctions};
use crate::symbolic::{Given, Id};

/// The adjoint variables of the step after that go into a step, and their fields.
const LATER: [(Given, &str); 4] = [
    (Given::AdjointCoordinate, "y"),
    (Given::AdjointVelocity, "z"),
    (Given::AdjointAuxiliary, "auxiliary"),
    (Given::AdjointMotion, "w"),
];

/// The expressions of every function, for their constants.
pub fn roots(functions: &StepFunctions) -> Vec<Vec<Id>> {
    match &functions.adjoint_parts {
        Some(AdjointParts { factors, coefficients, recurrence, .. }) => {
            vec![[&factors[..], coefficients].concat(), of_step(recurrence)]
        }
        None => vec![[&functions.adjoint_factors[..], &of_step(&functions.adjoint)].concat()],
    }
}

/// The functions' names.
pub fn names(functions: &StepFunctions) -> &'static [&'static str] {
    match functions.adjoint_parts {
        Some(_) => &["adjoint_coefficients", "adjoint_recurrence"],
        None => &["adjoint_step"],
    }
}

fn of_step(step: &AdjointStep) -> Vec<Id> {
    [&step.variables[..], &step.gradient].concat()
}

impl Writer<'_> {
    /// All of them.
    pub fn adjoint(&self, functions: &StepFunctions) -> TokenStream {
        let Some(parts) = &functions.adjoint_parts else { return self.adjoint_step(functions) };
        let (coefficients, recurrence) = (self.adjoint_coefficients(parts), self.adjoint_recurrence(parts));
        quote!(#coefficients #recurrence)
    }

    fn adjoint_coefficients(&self, parts: &AdjointParts) -> TokenStream {
        let AdjointParts { factors, coefficients, of_parameters, .. } = parts;
        let roots = [&factors[..], coefficients].concat();
        let of_variables = factors.len() + of_parameters.first().copied().unwrap_or(0);
        let taken = ["output_gradient", "selected", "coefficients", "factors"];
        let arrays = [(quote!(factors), factors.len()), (quote!(coefficients), coefficients.len())];
        let looped = self.looped(&roots, &arrays, &taken, Takes::Point);
        // in loops those of all parameters are computed
        let has_shares = looped.is_none() && roots.len() > of_variables;
        let written = looped.unwrap_or_else(|| {
            let mut body = self.body(&roots, &taken, true);
            self.bind_output_gradient(&mut body, &roots);
            self.with_code(body, |code| {
                let values = code.write(&roots[..of_variables]);
                let (of_factors, values) = values.split_at(factors.len());
                let stores = entries("factors", of_factors).chain(entries("coefficients", values));
                let mut statements = with_stores(code.statements(), stores);
                let bounds = of_parameters.windows(2).map(|bounds| bounds[0]..bounds[1]);
                for (parameter, own) in bounds.enumerate().filter(|(_, own)| !own.is_empty()) {
                    statements.push(if_selected(code, parameter, &coefficients[own.clone()], |i| {
                        let i = Literal::usize_unsuffixed(own.start + i);
                        quote!(coefficients[#i])
                    }));
                }
                statements
            })
        });
        let at = argument(written.uses_point, "at");
        let costs = written.argument(Given::OutputGradient, "output_gradient");
        let selected = argument(has_shares, "selected");
        let [factors_name, coefficients_name] = [(factors, "factors"), (coefficients, "coefficients")]
            .map(|(values, name)| argument(!values.is_empty(), name));
        let statements = written.statements;
        let documentation = doc(&format!(
            "What a step of the discrete adjoint (DA 9 to 20) depends on besides the adjoint variables of the step \
             after it: the factors of K, and the coefficients of [`adjoint_recurrence`](Self::adjoint_recurrence).\n\n\
             {} operations with all parameters, {} with none.",
            self.operations(&roots),
            self.operations(&roots[..of_variables]),
        ));
        quote! {
            #documentation
            #[inline(always)]
            fn adjoint_coefficients<S: ::costate::Scalar>(
                #at: &::costate::Point<'_, Self, S>,
                #costs: &Self::Outputs<S>,
                #selected: &::costate::SelectedParameters,
                #coefficients_name: &mut Self::AdjointCoefficients<S>,
                #factors_name: &mut Self::Factors<S>,
            ) {
                #(#statements)*
            }
        }
    }

    fn adjoint_recurrence(&self, parts: &AdjointParts) -> TokenStream {
        let AdjointParts { factors, coefficients, recurrence, .. } = parts;
        let roots = of_step(recurrence);
        let taken = ["k", "factors", "coefficients", "selected", "later", "adjoint", "gradient", "shares"];
        let looped = self.looped(&roots, &self.adjoint_arrays(recurrence), &taken, Takes::Numbers);
        let is_looped = looped.is_some();
        let written = match looped {
            Some(parts) => with_shares(parts, recurrence.gradient.len()),
            None => {
                let mut body = self.body(&roots, &taken[..7], false);
                self.know(&mut body, &roots, (Given::Factor, factors.len()), |i| quote!(factors.at(#i)));
                let given = (Given::AdjointCoefficient, coefficients.len());
                self.know(&mut body, &roots, given, |i| quote!(coefficients.at(#i)));
                self.bind_later(&mut body, &roots);
                self.with_code(body, |code| self.straight_adjoint(code, &[], recurrence))
            }
        };
        let k = argument(written.uses_point, "k");
        let factors_name = written.argument(Given::Factor, "factors");
        let coefficients_name = written.argument(Given::AdjointCoefficient, "coefficients");
        let later = self.later(&written);
        let has_shares = is_looped || recurrence.gradient.iter().any(|&id| !self.graph.is_zero(id));
        let [selected, gradient] = ["selected", "gradient"].map(|name| argument(has_shares, name));
        let statements = written.statements;
        let documentation = doc(&format!(
            "The adjoint variables of a step from those of the step `later`, and the share of the step in dJ/dp for the \
             selected parameters.\n\n{} operations with all parameters, {} with none.",
            self.operations(&roots),
            self.operations(&recurrence.variables),
        ));
        quote! {
            #documentation
            #[inline(always)]
            fn adjoint_recurrence<S: ::costate::Scalar>(
                #k: &Self::Constants<S>,
                #factors_name: impl ::costate::Numbers<S>,
                #coefficients_name: impl ::costate::Numbers<S>,
                #selected: &::costate::SelectedParameters,
                #later: &::costate::AdjointVariables<Self, S>,
                adjoint: &mut ::costate::AdjointVariables<Self, S>,
                #gradient: &mut Self::Parameters<S>,
            ) {
                #(#statements)*
            }
        }
    }

    /// Both parts in one piece.
    fn adjoint_step(&self, functions: &StepFunctions) -> TokenStream {
        let factors = &functions.adjoint_factors;
        let AdjointStep { variables, gradient } = &functions.adjoint;
        let roots = [&factors[..], variables, gradient].concat();
        let taken = ["output_gradient", "selected", "later", "adjoint", "gradient", "factors", "shares"];
        let mut arrays = vec![(quote!(factors), factors.len())];
        arrays.extend(self.adjoint_arrays(&functions.adjoint));
        let parts = match self.looped(&roots, &arrays, &taken, Takes::Point) {
            Some(parts) => with_shares(parts, gradient.len()),
            None => {
                let mut body = self.body(&roots, &taken[..6], true);
                self.bind_output_gradient(&mut body, &roots);
                self.bind_later(&mut body, &roots);
                self.with_code(body, |code| self.straight_adjoint(code, factors, &functions.adjoint))
            }
        };
        let at = argument(parts.uses_point, "at");
        let costs = parts.argument(Given::OutputGradient, "output_gradient");
        let later = self.later(&parts);
        let has_shares = gradient.iter().any(|&id| !self.graph.is_zero(id));
        let [selected, gradient_name] =
            ["selected", "gradient"].map(|name| argument(has_shares || self.in_loops, name));
        let factors_name = argument(!factors.is_empty(), "factors");
        let statements = parts.statements;
        let documentation = doc(&format!(
            "One step of the discrete adjoint (DA 9 to 20): the adjoint variables of a step from those of the step \
             `later`, the share of the step in dJ/dp for the selected parameters, and the factors of K.\n\n\
             {} operations with all parameters, {} with none.",
            self.operations(&roots),
            self.operations(&roots[..factors.len() + variables.len()]),
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
                _: &mut Self::AdjointCoefficients<S>,
                #factors_name: &mut Self::Factors<S>,
            ) {
                #(#statements)*
            }
        }
    }

    /// What a step fills, with lengths.
    fn adjoint_arrays(&self, step: &AdjointStep) -> [(TokenStream, usize); 6] {
        let n = self.model.coordinates.len();
        [
            (quote!(adjoint.y), n),
            (quote!(adjoint.z), n),
            (quote!(adjoint.auxiliary), n),
            (quote!(adjoint.w), n),
            (quote!(adjoint.mu), step.variables.len() - 4 * n),
            (quote!(shares), step.gradient.len()),
        ]
    }

    fn bind_output_gradient(&self, body: &mut Body, roots: &[Id]) {
        let names: Vec<String> =
            self.model.outputs.iter().map(|quantity| format!("cost_{}", quantity.field)).collect();
        self.bind(body, roots, Given::OutputGradient, &names, quote!(*output_gradient));
    }

    fn bind_later(&self, body: &mut Body, roots: &[Id]) {
        for (given, field) in LATER {
            let (names, name) = (self.coordinates(&format!("later_{field}_")), format_ident!("{field}"));
            self.bind(body, roots, given, &names, quote!(later.#name));
        }
    }

    /// The name of the argument `later`.
    fn later(&self, parts: &Parts) -> TokenStream {
        argument(LATER.iter().any(|(given, _)| parts.given.contains(given)), "later")
    }

    /// The statements that fill `factors`, `adjoint` and, where parameters are selected, `gradient`.
    fn straight_adjoint(&self, code: &mut Code<'_>, factors: &[Id], step: &AdjointStep) -> Vec<TokenStream> {
        let n = self.model.coordinates.len();
        let values = code.write(&[factors, &step.variables].concat());
        let (factors, variables) = values.split_at(factors.len());
        let [y, z, auxiliary, w] = [0, 1, 2, 3].map(|i| &variables[i * n..(i + 1) * n]);
        let mu = &variables[4 * n..];
        let mut statements = code.statements();
        // arrays as a whole, which compilers make vectors of
        if !factors.is_empty() {
            statements.push(quote!(*factors = [#(#factors),*];));
        }
        statements.push(quote! {
            adjoint.y = [#(#y),*];
            adjoint.z = [#(#z),*];
            adjoint.auxiliary = [#(#auxiliary),*];
            adjoint.w = [#(#w),*];
            adjoint.mu = [#(#mu),*];
        });
        let shares = step.gradient.iter().enumerate().filter(|&(_, &id)| !self.graph.is_zero(id));
        for (parameter, &share) in shares {
            let place = Literal::usize_unsuffixed(parameter);
            statements.push(if_selected(code, parameter, &[share], |_| quote!(gradient[#place])));
        }
        statements
    }
}

/// `values` for a parameter, computed where it is selected and stored at their places.
fn if_selected(
    code: &mut Code<'_>,
    parameter: usize,
    values: &[Id],
    place: impl Fn(usize) -> TokenStream,
) -> TokenStream {
    let (block, values) = code.block(values);
    let stores = values.iter().enumerate().map(|(i, value)| (place(i), value.clone()));
    let block = with_stores(block, stores);
    let parameter = Literal::usize_unsuffixed(parameter);
    quote! {
        if selected.contains(#parameter) {
            #(#block)*
        }
    }
}

/// With the shares of all parameters, of which the selected ones count.
fn with_shares(mut parts: Parts, parameters: usize) -> Parts {
    let parameters = Literal::usize_unsuffixed(parameters);
    parts.statements.insert(0, quote!(let mut shares = [S::constant(0.0); #parameters];));
    parts.statements.push(quote! {
        for (i, share) in shares.into_iter().enumerate() {
            if selected.contains(i) {
                gradient[i] = share;
            }
        }
    });
    parts
}
