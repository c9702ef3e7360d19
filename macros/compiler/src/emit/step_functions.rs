//! The functions of a step and of its adjoint.

use proc_macro2::{Ident, TokenStream};
use quote::{format_ident, quote};

use super::documentation::doc;
use super::names::Names;
use crate::program::{Array, Function, Program, Statement, Uses};

/// Arrays of the point at which functions are evaluated.
const POINT: [Array; 6] =
    [Array::Time, Array::Coordinates, Array::Velocities, Array::Accelerations, Array::Multipliers, Array::Inputs];

/// Writes a function of a step; nothing for a function of another name.
pub fn emit(program: &Program, function: &Function) -> TokenStream {
    let names = Names::new(program, function);
    let Some((parameters, binding)) = signature(function, &names.uses) else { return TokenStream::new() };
    let statements = names.body();
    let (documentation, name) = (doc(&function.documentation), format_ident!("{}", function.name));
    // `solve` runs in loops over columns, four side by side
    let inline = (function.name != "solve_transposed").then(|| quote!(#[inline(always)]));
    quote! {
        #documentation
        #inline
        fn #name<S: ::costate::model::Scalar>(#parameters) {
            #binding
            #(#statements)*
        }
    }
}

/// Returns the parameters of a function, and the statement that takes the constants from the point.
fn signature(function: &Function, own: &Uses) -> Option<(TokenStream, TokenStream)> {
    let uses = with_those_of_calls(function, own);
    let name = |array: Array, name: &str| argument(uses.arrays.contains(&array), name);
    let at = argument(uses_point(&uses), "at");
    let k = argument(uses_constants(&uses), "k");
    let selected = argument(uses.selects, "selected");
    let carry = [Array::CarryRight, Array::Carried].iter().any(|array| uses.arrays.contains(array));
    let carry = argument(carry, "carry");
    let (history, correction) = (name(Array::History, "history"), name(Array::Correction, "correction"));
    let (factors, gradient) = (name(Array::Factors, "factors"), name(Array::Gradient, "gradient"));
    let output_gradient = name(Array::OutputGradient, "output_gradient");
    let coefficients = name(Array::AdjointCoefficients, "coefficients");
    let parameters = match function.name {
        "newton_correction" => quote! {
            #at: &::costate::emitted::Point<'_, Self, S>,
            #history: &Self::Coordinates<S>,
            #correction: &mut Self::Unknowns<S>,
            #factors: &mut Self::Factors<S>,
        },
        "chord_correction" => quote! {
            #at: &::costate::emitted::Point<'_, Self, S>,
            #history: &Self::Coordinates<S>,
            #correction: &mut Self::Unknowns<S>,
            #factors: &Self::Factors<S>,
        },
        "solve" | "solve_transposed" => quote! {
            #k: &Self::Constants<S>,
            #factors: &Self::Factors<S>,
            unknowns: &mut Self::Unknowns<S>,
        },
        "adjoint_coefficients" => quote! {
            #at: &::costate::emitted::Point<'_, Self, S>,
            #output_gradient: &Self::Outputs<S>,
            #selected: &::costate::emitted::SelectedParameters,
            #coefficients: &mut Self::AdjointCoefficients<S>,
            #factors: &mut Self::Factors<S>,
        },
        "adjoint_recurrence" => quote! {
            #k: &Self::Constants<S>,
            #factors: impl ::costate::emitted::Numbers<S>,
            #coefficients: impl ::costate::emitted::Numbers<S>,
            #selected: &::costate::emitted::SelectedParameters,
            #carry: &::costate::emitted::AdjointCarry<Self, S>,
            update: &mut ::costate::emitted::AdjointUpdate<Self, S>,
            #gradient: &mut Self::Parameters<S>,
        },
        "adjoint_history" => quote! {
            #k: &Self::Constants<S>,
            #factors: impl ::costate::emitted::Numbers<S>,
            #coefficients: impl ::costate::emitted::Numbers<S>,
            carry: &mut ::costate::emitted::AdjointCarry<Self, S>,
        },
        "adjoint_step" => quote! {
            #at: &::costate::emitted::Point<'_, Self, S>,
            #output_gradient: &Self::Outputs<S>,
            #selected: &::costate::emitted::SelectedParameters,
            #carry: &mut ::costate::emitted::AdjointCarry<Self, S>,
            update: &mut ::costate::emitted::AdjointUpdate<Self, S>,
            #gradient: &mut Self::Parameters<S>,
            _: &mut Self::AdjointCoefficients<S>,
            #factors: &mut Self::Factors<S>,
        },
        _ => return None,
    };
    let takes_point =
        matches!(function.name, "newton_correction" | "chord_correction" | "adjoint_coefficients" | "adjoint_step");
    let is_call = matches!(function.body[..], [Statement::Call(_)]);
    let binding = if takes_point && !is_call { constants_binding(&uses) } else { TokenStream::new() };
    Some((parameters, binding))
}

/// Returns what a function uses, and of a function that it calls the arguments.
fn with_those_of_calls(function: &Function, own: &Uses) -> Uses {
    let mut uses = own.clone();
    if let [Statement::Call(_)] = &function.body[..] {
        let arguments = match function.name {
            "chord_correction" => [&POINT[..], &[Array::History, Array::Correction]].concat(),
            _ => vec![Array::Constants, Array::Factors, Array::Unknowns],
        };
        uses.arrays.extend(arguments);
    }
    uses
}

/// Writes the name of an argument, or `_` if it is not used.
pub fn argument(used: bool, name: &str) -> TokenStream {
    let name: Ident = format_ident!("{name}");
    if used { quote!(#name) } else { quote!(_) }
}

/// Writes the statement that takes the constants of the run from the point, if they are used.
pub fn constants_binding(uses: &Uses) -> TokenStream {
    if uses_constants(uses) { quote!(let k = at.constants;) } else { TokenStream::new() }
}

/// Checks whether a function uses the constants of the run, beside which there are tables.
pub fn uses_constants(uses: &Uses) -> bool {
    uses.arrays.contains(&Array::Constants) || !uses.lookups.is_empty()
}

/// Checks whether a function uses the point or the constants that it has.
pub fn uses_point(uses: &Uses) -> bool {
    uses_constants(uses) || POINT.iter().any(|array| uses.arrays.contains(array))
}
