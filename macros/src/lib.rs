//! The `model!` macro: forwards its tokens to `costate-compiler`. The language is described in the
//! documentation of [`macro@model`].

use proc_macro::TokenStream;

/// Declares a multibody model and generates its equations of motion with all their derivatives.
#[proc_macro]
pub fn model(tokens: TokenStream) -> TokenStream {
    costate_compiler::expand(tokens.into()).into()
}
