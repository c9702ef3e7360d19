//! The constraints at the levels of velocities and accelerations, as derivatives of the constraints along a motion.

use proc_macro2::{Literal, TokenStream};
use quote::{format_ident, quote};

use super::constants;
use super::contract::variant;
use super::documentation::doc;
use super::names::{Names, identifier};
use super::step_functions::argument;
use crate::mechanics::Group;
use crate::model::Model;
use crate::program::{AlongMotion, Array, Local, Program};

/// Writes the function of the constraints, a method of the constants of a run; nothing for a model whose functions of
/// both levels are written out.
pub fn constraints(model: &Model, program: &Program) -> TokenStream {
    let Some(AlongMotion { constraints, length, .. }) = &program.along_motion else {
        return TokenStream::new();
    };
    let names = Names::of_changing(program, constraints);
    let statements = names.body();
    let (documentation, name) = (doc(&constraints.documentation), identifier(constraints.name));
    let of = constants::struct_name(model);
    let [coordinates, length] = [model.coordinates.len(), *length].map(Literal::usize_unsuffixed);
    let uses_point = [Array::Time, Array::Coordinates].iter().any(|array| names.uses.arrays.contains(array));
    let at = argument(uses_point, "at");
    let uses_constants = names.uses.arrays.contains(&Array::Constants);
    let binding = uses_constants.then(|| quote!(let k = self;));
    quote! {
        #[automatically_derived]
        #[allow(clippy::all, clippy::pedantic, non_snake_case, unused_parens)]
        impl<C: ::costate::model::Scalar> #of<C> {
            #documentation
            fn #name<S: ::costate::model::Scalar + ::core::convert::From<C>>(
                &self,
                #at: &::costate::emitted::Configuration<'_, S, [S; #coordinates]>,
                out: &mut [S; #length],
            ) {
                #binding
                #(#statements)*
            }
        }
    }
}

/// Writes the function of a group that is composed of the constraints; `None` for other groups.
pub fn level(program: &Program, group: &Group) -> Option<TokenStream> {
    let AlongMotion { constraints, levels, .. } = program.along_motion.as_ref()?;
    let function = levels.iter().find(|level| level.name == group.kind.name())?;
    let names = Names::new(program, function);
    let statements = names.statements(&function.body);
    let documentation = doc(&function.documentation);
    let (name, array) = (format_ident!("{}", function.name), variant(group.kind));
    let constraints = identifier(constraints.name);
    let [rates, accelerations] = [0, 1].map(|local| names.array(Array::Local(Local(local))));
    Some(quote! {
        #documentation
        fn #name<S: ::costate::model::Scalar>(
            at: &::costate::emitted::Point<'_, Self, S>,
            out: &mut Self::#array<S>
        ) {
            let [#rates, #accelerations] = ::costate::emitted::along_motion(
                at,
                |configuration, constraints| at.constants.#constraints(configuration, constraints),
            );
            #(#statements)*
        }
    })
}
