//! The symbolic model compiler of costate.
pub mod diagnostic;
use proc_macro2::TokenStream;
pub fn expand(tokens: TokenStream) -> TokenStream { tokens }
