//! A model that is interpreted: the struct of the parameters and the typed names, with the model's own text.

use std::path::Path;

use proc_macro2::{Literal, TokenStream};
use quote::quote;

use super::structure;
use crate::model::{ArgumentValue, Model};

/// Writes the struct of the parameters, the typed names, and the implementation of the runtime's `Model` that reads
/// `text` when the model is first used.
pub fn interpreted(model: &Model, text: &str) -> TokenStream {
    let (structure, conversions) = (structure::parameters(model), structure::conversions(model));
    let name = &model.name;
    let written = name.to_string();
    let files = files(model);
    let arguments = model.arguments.iter().map(|argument| {
        let name = &argument.name;
        match argument.value {
            ArgumentValue::Size(size) => {
                let size = Literal::i64_unsuffixed(size);
                quote!((#name, ArgumentValue::Size(#size)))
            }
            ArgumentValue::Feature(on) => quote!((#name, ArgumentValue::Feature(#on))),
        }
    });
    let arguments: Vec<TokenStream> = arguments.collect();
    let import = (!arguments.is_empty()).then(|| {
        quote!(
            use ::costate::emitted::ArgumentValue;
        )
    });
    quote! {
        #structure
        #[automatically_derived]
        #[allow(clippy::all, clippy::pedantic, non_snake_case)]
        impl ::costate::Model for #name {
            type Functions = ::costate::emitted::Interpreted;

            #conversions

            fn program() -> &'static ::costate::emitted::LoadedProgram {
                #import
                static TEXT: ::costate::emitted::ModelText =
                    ::costate::emitted::ModelText::new(#written, #text, &[#(#files),*], &[#(#arguments),*]);
                TEXT.program()
            }

            fn system() -> &'static dyn ::costate::emitted::System {
                Self::program().system()
            }

            fn differentiable() -> &'static dyn ::costate::emitted::Differentiable {
                Self::program().system()
            }

            fn second_order() -> &'static dyn ::costate::emitted::SecondOrder {
                Self::program().system()
            }

            fn dual_equations() -> &'static dyn ::costate::emitted::DualEquations {
                Self::program().system()
            }
        }
    }
}

/// Lists the files of tables and meshes by the names that the text has, with their contents as they are when the crate
/// is built.
fn files(model: &Model) -> Vec<TokenStream> {
    let folder = std::env::var_os("CARGO_MANIFEST_DIR");
    let names = model.file_names(folder.as_deref().map(Path::new));
    let contents = names.iter().map(|name| match Path::new(name).is_absolute() {
        true => quote!((#name, ::core::include_bytes!(#name))),
        false => {
            let below = format!("/{name}");
            quote!((#name, ::core::include_bytes!(::core::concat!(::core::env!("CARGO_MANIFEST_DIR"), #below))))
        }
    });
    contents.collect()
}
