//! Components in use.

use proc_macro2::Delimiter;

use super::ast::{BindingSyntax, InstanceSyntax};
use super::entries::{EntrySyntax, Unreadable, entries, with_errors};
use super::expression::expression;
use super::identifiers::new_name;
use super::names::{declared_name, name};
use super::punctuation::{colon, equals};
use crate::diagnostic::{Diagnostic, Diagnostics};
use crate::tokens::{Parsed, Tokens};

impl EntrySyntax for InstanceSyntax {
    const WHAT: &'static str = "a component";
    const DOCUMENTED: bool = true;

    fn parse(documentation: Vec<String>, tokens: &mut Tokens) -> Result<Self, Unreadable<Self>> {
        let name = declared_name(tokens, "a name")?;
        colon(tokens, "write `name: Component { ... }`")?;
        let component = new_name(tokens, "the name of a component")?;
        let Some(group) = tokens.take_group(Delimiter::Brace) else {
            let elsewhere = match tokens.at_group(Delimiter::Parenthesis) {
                true => ", or a joint in the block `joints` and an element in the block `elements`",
                false => "",
            };
            let message = format!(
                "expected `{{` before {}; write `{}: {component} {{ ... }}`{elsewhere}",
                tokens.found(),
                name.ident
            );
            return Err(tokens.error(message).into());
        };
        let mut diagnostics = Diagnostics::default();
        let bindings = entries(&mut tokens.inside(&group), &mut diagnostics);
        with_errors(InstanceSyntax { documentation, name, component, bindings }, diagnostics)
    }
}

impl EntrySyntax for BindingSyntax {
    const WHAT: &'static str = "a binding";
    const DOCUMENTED: bool = false;

    fn parse(_: Vec<String>, tokens: &mut Tokens) -> Result<Self, Unreadable<Self>> {
        let name = name(tokens, "a connection, a parameter or an input of the component")?;
        if let Some(member) = name.members.first() {
            let message = format!(
                "only the component's own names are bound; bind `{}` in the component, to a parameter of it",
                member.ident
            );
            let place = name.place;
            return Err(Diagnostic { message, place }.into());
        }
        value_follows(tokens)?;
        Ok(BindingSyntax { name, value: expression(tokens)? })
    }
}

fn value_follows(tokens: &mut Tokens) -> Parsed<()> {
    if equals(tokens)? {
        return Ok(());
    }
    let message = format!("expected `=` before {}; write `name = value`", tokens.found());
    Err(tokens.error(message))
}
