//! Functions of a step of the discrete adjoint: in two parts, of which the first depends on the state of the step
//! alone, or in one piece, if that is written in loops or little depends on the state.

use proc_macro2::{Literal, TokenStream};
use quote::quote;

use super::writer::{Body, Parts, Takes, Writer, argument, entries};
use crate::emit::code::Code;
use crate::emit::documentation::{count, counts, doc};
use crate::emit::stores::with_stores;
use crate::mechanics::{AdjointParts, AdjointStep, StepFunctions};
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

impl Writer<'_> {
    /// Writes all functions.
    pub fn adjoint(&self, functions: &StepFunctions) -> TokenStream {
        let Some(parts) = &functions.adjoint_parts else { return self.adjoint_step(functions) };
        let (coefficients, recurrence) = (self.adjoint_coefficients(parts), self.adjoint_recurrence(parts));
        let history = self.adjoint_history(parts);
        quote!(#coefficients #recurrence #history)
    }

    fn adjoint_coefficients(&self, parts: &AdjointParts) -> TokenStream {
        let AdjointParts { factors, coefficients, of_parameters, .. } = parts;
        let roots = [&factors[..], coefficients].concat();
        let of_variables = factors.len() + of_parameters.first().copied().unwrap_or(0);
        let taken = ["output_gradient", "selected", "coefficients", "factors"];
        let arrays = [(quote!(factors), factors.len()), (quote!(coefficients), coefficients.len())];
        let looped = self.looped(&roots, &arrays, &taken, Takes::Point);
        // code in loops computes the coefficients of all parameters
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
            "The share of the state in a step of the discrete adjoint (DA 9 to 20): the factors of K, and the\ncoefficients \
             of [`adjoint_recurrence`](Self::adjoint_recurrence).\n\n{}",
            counts(self.operations(&roots), self.operations(&roots[..of_variables])),
        ));
        quote! {
            #documentation
            #[inline(always)]
            fn adjoint_coefficients<S: ::costate::model::Scalar>(
                #at: &::costate::emitted::Point<'_, Self, S>,
                #costs: &Self::Outputs<S>,
                #selected: &::costate::emitted::SelectedParameters,
                #coefficients_name: &mut Self::AdjointCoefficients<S>,
                #factors_name: &mut Self::Factors<S>,
            ) {
                #(#statements)*
            }
        }
    }

    fn adjoint_recurrence(&self, parts: &AdjointParts) -> TokenStream {
        let AdjointParts { recurrence, .. } = parts;
        let roots = of_step(recurrence);
        let taken = ["k", "factors", "coefficients", "selected", "carry", "update", "gradient", "shares"];
        let looped = self.looped(&roots, &self.adjoint_arrays(recurrence), &taken, Takes::Numbers);
        let is_looped = looped.is_some();
        let written = match looped {
            Some(parts) => with_shares(parts),
            None => {
                let mut body = self.body(&roots, &taken[..7], false);
                self.know_parts(&mut body, &roots, parts);
                self.bind_carry(&mut body, &roots);
                self.with_code(body, |code| self.straight_adjoint(code, &[], recurrence))
            }
        };
        let k = argument(written.uses_point, "k");
        let factors_name = written.argument(Given::Factor, "factors");
        let coefficients_name = written.argument(Given::AdjointCoefficient, "coefficients");
        let carry = self.carry(&written);
        let has_shares = is_looped || recurrence.gradient.iter().any(|&id| !self.graph.is_zero(id));
        let [selected, gradient] = ["selected", "gradient"].map(|name| argument(has_shares, name));
        let statements = written.statements;
        let documentation = doc(&format!(
            "The adjoint variables of a step from what the step after has passed on, and the share of the step\nin dJ/dp \
             for the selected parameters.\n\n{}",
            counts(self.operations(&roots), self.operations(&recurrence.variables)),
        ));
        quote! {
            #documentation
            #[inline(always)]
            fn adjoint_recurrence<S: ::costate::model::Scalar>(
                #k: &Self::Constants<S>,
                #factors_name: impl ::costate::emitted::Numbers<S>,
                #coefficients_name: impl ::costate::emitted::Numbers<S>,
                #selected: &::costate::emitted::SelectedParameters,
                #carry: &::costate::emitted::AdjointCarry<Self, S>,
                update: &mut ::costate::emitted::AdjointUpdate<Self, S>,
                #gradient: &mut Self::Parameters<S>,
            ) {
                #(#statements)*
            }
        }
    }

    fn adjoint_history(&self, parts: &AdjointParts) -> TokenStream {
        let roots = &parts.history;
        if roots.iter().all(|&id| self.graph.is_zero(id)) {
            return TokenStream::new();
        }
        let taken = ["k", "factors", "coefficients", "carry", "history"];
        let looped = self.looped(roots, &[(quote!(history), roots.len())], &taken, Takes::Numbers);
        let written = match looped {
            Some(mut parts) => {
                parts.statements.push(quote! {
                    for (right, history) in carry.right.iter_mut().zip(history) {
                        *right += history;
                    }
                });
                parts
            }
            None => {
                let mut body = self.body(roots, &taken[..4], false);
                self.know_parts(&mut body, roots, parts);
                self.bind_carry(&mut body, roots);
                self.with_code(body, |code| {
                    let values = code.write(roots);
                    let mut statements = code.statements();
                    for (i, (value, &id)) in values.iter().zip(roots).enumerate() {
                        if !self.graph.is_zero(id) {
                            let i = Literal::usize_unsuffixed(i);
                            statements.push(quote!(carry.right[#i] += #value;));
                        }
                    }
                    statements
                })
            }
        };
        let k = argument(written.uses_point, "k");
        let factors = written.argument(Given::Factor, "factors");
        let coefficients = written.argument(Given::AdjointCoefficient, "coefficients");
        let statements = written.statements;
        let documentation = doc(&format!(
            "Adds the effect of the forces of a step on the step after, where that step remembers the forces\n(DA 13).\n\n{}.",
            count(self.operations(roots)),
        ));
        quote! {
            #documentation
            #[inline(always)]
            fn adjoint_history<S: ::costate::model::Scalar>(
                #k: &Self::Constants<S>,
                #factors: impl ::costate::emitted::Numbers<S>,
                #coefficients: impl ::costate::emitted::Numbers<S>,
                carry: &mut ::costate::emitted::AdjointCarry<Self, S>,
            ) {
                #(#statements)*
            }
        }
    }

    /// Writes both parts in one function.
    fn adjoint_step(&self, functions: &StepFunctions) -> TokenStream {
        let factors = &functions.adjoint_factors;
        let AdjointStep { variables, gradient } = &functions.adjoint;
        let roots = [&factors[..], variables, gradient].concat();
        let taken = ["output_gradient", "selected", "carry", "update", "gradient", "factors", "shares"];
        let mut arrays = vec![(quote!(factors), factors.len())];
        arrays.extend(self.adjoint_arrays(&functions.adjoint));
        let parts = match self.looped(&roots, &arrays, &taken, Takes::Point) {
            Some(parts) => with_shares(parts),
            None => {
                let mut body = self.body(&roots, &taken[..6], true);
                self.bind_output_gradient(&mut body, &roots);
                self.bind_carry(&mut body, &roots);
                self.with_code(body, |code| self.straight_adjoint(code, factors, &functions.adjoint))
            }
        };
        let at = argument(parts.uses_point, "at");
        let costs = parts.argument(Given::OutputGradient, "output_gradient");
        let carry = self.carry(&parts);
        let has_shares = gradient.iter().any(|&id| !self.graph.is_zero(id));
        let [selected, gradient_name] =
            ["selected", "gradient"].map(|name| argument(has_shares || self.in_loops, name));
        let factors_name = argument(!factors.is_empty(), "factors");
        let statements = parts.statements;
        let documentation = doc(&format!(
            "One step of the discrete adjoint (DA 9 to 20): the adjoint variables of a step from what the step after\nhas \
             passed on, the share of the step in dJ/dp for the selected parameters, and the factors of K.\n\n\
             {}",
            counts(self.operations(&roots), self.operations(&roots[..factors.len() + variables.len()])),
        ));
        quote! {
            #documentation
            #[inline(always)]
            fn adjoint_step<S: ::costate::model::Scalar>(
                #at: &::costate::emitted::Point<'_, Self, S>,
                #costs: &Self::Outputs<S>,
                #selected: &::costate::emitted::SelectedParameters,
                #carry: &mut ::costate::emitted::AdjointCarry<Self, S>,
                update: &mut ::costate::emitted::AdjointUpdate<Self, S>,
                #gradient_name: &mut Self::Parameters<S>,
                _: &mut Self::AdjointCoefficients<S>,
                #factors_name: &mut Self::Factors<S>,
            ) {
                #(#statements)*
            }
        }
    }

    /// Returns the arrays that a step fills, with their lengths.
    fn adjoint_arrays(&self, step: &AdjointStep) -> [(TokenStream, usize); 4] {
        let n = self.model.coordinates.len();
        [
            (quote!(update.coordinates), n),
            (quote!(update.velocities), n),
            (quote!(update.unknowns), step.variables.len() - 2 * n),
            (quote!(shares), step.gradient.len()),
        ]
    }

    /// Makes factors and coefficients known.
    fn know_parts(&self, body: &mut Body, roots: &[Id], parts: &AdjointParts) {
        self.know(body, roots, (Given::Factor, parts.factors.len()), |i| quote!(factors.at(#i)));
        let given = (Given::AdjointCoefficient, parts.coefficients.len());
        self.know(body, roots, given, |i| quote!(coefficients.at(#i)));
    }

    fn bind_output_gradient(&self, body: &mut Body, roots: &[Id]) {
        let names: Vec<String> =
            self.model.outputs.iter().map(|quantity| format!("cost_{}", quantity.field)).collect();
        self.bind(body, roots, Given::OutputGradient, &names, quote!(*output_gradient));
    }

    fn bind_carry(&self, body: &mut Body, roots: &[Id]) {
        let mut names = self.coordinates("carry_");
        let constraints = self.model.constraints.iter();
        names.extend(constraints.map(|quantity| format!("carry_lambda_{}", quantity.field)));
        self.bind(body, roots, Given::AdjointCarry, &names, quote!(carry.right));
        self.bind(body, roots, Given::Carried, &self.coordinates("carried_"), quote!(carry.carried));
    }

    /// Writes the name of the argument `carry`.
    fn carry(&self, parts: &Parts) -> TokenStream {
        argument(
            [Given::AdjointCarry, Given::Carried].iter().any(|given| parts.given.contains(given)),
            "carry",
        )
    }

    /// Writes the statements that fill `factors`, `update` and, where parameters are selected, `gradient`.
    fn straight_adjoint(&self, code: &mut Code<'_>, factors: &[Id], step: &AdjointStep) -> Vec<TokenStream> {
        let n = self.model.coordinates.len();
        let values = code.write(&[factors, &step.variables].concat());
        let (factors, variables) = values.split_at(factors.len());
        let (coordinates, rest) = variables.split_at(n);
        let (velocities, unknowns) = rest.split_at(n);
        let mut statements = code.statements();
        // assigns whole arrays, which compilers vectorize
        if !factors.is_empty() {
            statements.push(quote!(*factors = [#(#factors),*];));
        }
        statements.push(quote! {
            update.coordinates = [#(#coordinates),*];
            update.velocities = [#(#velocities),*];
            update.unknowns = [#(#unknowns),*];
        });
        let shares = step.gradient.iter().enumerate().filter(|&(_, &id)| !self.graph.is_zero(id));
        for (parameter, &share) in shares {
            let place = Literal::usize_unsuffixed(parameter);
            statements.push(if_selected(code, parameter, &[share], |_| quote!(gradient[#place])));
        }
        statements
    }
}

/// Writes a block that computes `values` for a parameter if it is selected, and stores them at their places.
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

/// Adds statements that compute the shares of all parameters and keep the selected ones.
fn with_shares(mut parts: Parts) -> Parts {
    parts.statements.push(quote! {
        for (i, share) in shares.into_iter().enumerate() {
            if selected.contains(i) {
                gradient[i] = share;
            }
        }
    });
    parts
}
