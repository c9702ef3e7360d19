//! The functions of groups, each of which fills an array.

use costate_contract::Group as Kind;
use proc_macro2::{Literal, TokenStream};
use quote::{format_ident, quote};

use super::along_motion;
use super::contract::variant;
use super::documentation::doc;
use super::names::Names;
use super::step_functions::{argument, constants_binding, uses_constants, uses_point};
use crate::mechanics::Group;
use crate::program::{Array, Program};

/// Groups that are evaluated in loops of the runtime that are compiled for several kinds of processor.
const INLINED: [Kind; 6] =
    [Kind::Outputs, Kind::Residual, Kind::Newton, Kind::Linearization, Kind::Kinematics, Kind::Lookups];

/// Writes the function of a group; nothing for a group without values, for which the trait has a default.
pub fn emit(program: &Program, group: &Group) -> TokenStream {
    if let Some(function) = along_motion::level(program, group) {
        return function;
    }
    let Some(function) = program.function(group.kind.name()) else { return TokenStream::new() };
    let names = Names::new(program, function);
    let documentation = doc(&function.documentation);
    if group.kind == Kind::Adjoint
        && let Some(weights) = &program.adjoint_weights
    {
        return sums_of_linearization(&documentation, &names.scalars(weights));
    }
    let (statements, uses) = (names.body(), &names.uses);
    let (name, array) = (format_ident!("{}", function.name), variant(group.kind));
    let out = argument(uses.arrays.contains(&Array::Out), "out");
    if matches!(group.kind, Kind::Initial | Kind::InitialDerivatives) {
        let k = argument(uses_constants(uses), "k");
        return quote! {
            #documentation
            fn #name<S: ::costate::model::Scalar>(#k: &Self::Constants<S>, #out: &mut Self::#array<S>) {
                #(#statements)*
            }
        };
    }
    let (array, sized) = if group.kind.fills_slice() {
        let length = Literal::usize_unsuffixed(group.length());
        (
            quote!([S]),
            quote! {
                let ::core::option::Option::Some(out): ::core::option::Option<&mut [S; #length]> =
                    out.first_chunk_mut() else { return };
            },
        )
    } else {
        (quote!(Self::#array<S>), TokenStream::new())
    };
    let factors = group.factors.as_ref().map(|_| {
        let factors = argument(uses.arrays.contains(&Array::Factors), "factors");
        quote!(, #factors: &mut Self::Factors<S>)
    });
    let (at, constants) = (argument(uses_point(uses), "at"), constants_binding(uses));
    let is_inlined = match group.kind {
        // in lanes where there are no emitted factors, in a loop of its own
        Kind::Adjoint => program.function("newton_correction").is_none(),
        // in the lanes of the function that evaluates it
        Kind::Linearization if program.adjoint_weights.is_some() => true,
        kind => INLINED.contains(&kind) && !uses.repeats,
    };
    let inline = is_inlined.then(|| quote!(#[inline(always)]));
    quote! {
        #documentation
        #inline
        fn #name<S: ::costate::model::Scalar>(
            #at: &::costate::emitted::Point<'_, Self, S>,
            #out: &mut #array
            #factors
        ) {
            #sized
            #constants
            #(#statements)*
        }
    }
}

/// Writes the function of the adjoint of which the runtime adds the matrices, with the weights of the step.
fn sums_of_linearization(documentation: &TokenStream, weights: &TokenStream) -> TokenStream {
    quote! {
        const ADJOINT_IS_SUMS: bool = true;
        #documentation
        fn adjoint<S: ::costate::model::Scalar>(
            at: &::costate::emitted::Point<'_, Self, S>,
            out: &mut Self::Adjoint<S>,
            _: &mut Self::Factors<S>,
        ) {
            static TERMS: ::std::sync::OnceLock<::costate::emitted::AdjointTerms> = ::std::sync::OnceLock::new();
            let k = at.constants;
            let terms = TERMS.get_or_init(|| ::costate::emitted::AdjointTerms::of(Self::description(())));
            terms.evaluate(at, [#weights], out);
        }
    }
}
