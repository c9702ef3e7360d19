//! Energies: expressions that add up, with a name or without.

use proc_macro2::{Delimiter, TokenTree};

use super::ast::{DeclaredName, EnergySyntax};
use super::entries::{EntrySyntax, Unreadable};
use super::expression::expression;
use super::names::declared_name;
use crate::tokens::{Parsed, Tokens};

impl EntrySyntax for EnergySyntax {
    const WHAT: &'static str = "an energy";
    const DOCUMENTED: bool = false;
    const USES_IF: bool = false;

    fn parse(_: Vec<String>, tokens: &mut Tokens) -> Result<Self, Unreadable<Self>> {
        let name = optional_name(tokens)?;
        Ok(EnergySyntax { name, value: expression(tokens)? })
    }
}

/// `name:` or `name[i]:` in front of an expression.
fn optional_name(tokens: &mut Tokens) -> Parsed<Option<DeclaredName>> {
    let word = matches!(tokens.peek(), Some(TokenTree::Ident(_)));
    let behind = 1 + usize::from(tokens.at_group_ahead(1, Delimiter::Bracket));
    if !word || !tokens.at_ahead(behind, ":") || tokens.at_ahead(behind, "::") {
        return Ok(None);
    }
    let name = declared_name(tokens, "the name of an energy")?;
    tokens.take_operator(":");
    Ok(Some(name))
}
