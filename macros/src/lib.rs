//! The `model!` macro: forwards its tokens to `costate-compiler`. The language is described in the
//! documentation of [`macro@model`].

use costate_compiler::Interpreter;
use proc_macro::TokenStream;

#[doc = include_str!("../language/overview.md")]
#[doc = include_str!("../language/blocks.md")]
#[doc = include_str!("../language/names.md")]
#[doc = include_str!("../language/components.md")]
#[doc = include_str!("../language/energies.md")]
#[doc = include_str!("../language/bodies.md")]
#[doc = include_str!("../language/units.md")]
#[doc = include_str!("../language/expressions.md")]
#[doc = include_str!("../language/tables.md")]
#[doc = include_str!("../language/checks.md")]
#[doc = include_str!("../language/generated.md")]
#[proc_macro]
pub fn model(tokens: TokenStream) -> TokenStream {
    let interpreter = match (cfg!(feature = "interpreted"), cfg!(feature = "interpreted-models")) {
        // a macro has debug assertions where the crates of its users have them
        (_, true) if cfg!(debug_assertions) => Interpreter::Default,
        (false, false) => Interpreter::Absent,
        _ => Interpreter::OnRequest,
    };
    costate_compiler::expand(tokens.into(), interpreter).into()
}
