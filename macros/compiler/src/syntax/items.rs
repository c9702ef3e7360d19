//! The items of a model and its components: blocks, `let`s, choices between blocks, definitions of components.

use proc_macro2::{Delimiter, Ident, TokenTree};

use costate_contract::nearest::nearest;

use super::ast::{Block, ComponentSyntax, Energy, ItemsIfSyntax, ModelItem};
use super::attributes::{Documentation, documentation};
use super::entries::{EntrySyntax, entries, let_statement, record, skip_to_braces};
use super::expression::expression;
use super::identifiers::new_name;
use crate::diagnostic::Diagnostics;
use crate::tokens::{Parsed, Tokens};

/// The words that open a block.
const BLOCKS: [&str; 17] = [
    "parameters",
    "inputs",
    "tables",
    "coordinates",
    "components",
    "mass",
    "forces",
    "constraints",
    "kinetic",
    "potential",
    "dissipation",
    "bodies",
    "joints",
    "elements",
    "gravity",
    "outputs",
    "initial",
];

/// The block that only components have.
const CONNECTIONS: &str = "connections";

/// The owner of blocks.
pub enum Owner {
    Model,
    /// A component with its name.
    Component(Ident),
}

/// Reads the blocks, `let`s and components of `owner`.
pub fn items(owner: &Owner, tokens: &mut Tokens, diagnostics: &mut Diagnostics) -> Vec<ModelItem> {
    let mut items = Vec::new();
    tokens.parts(|tokens| {
        if tokens.take_operator(",").is_some() || tokens.take_operator(";").is_some() {
            return;
        }
        let comment = documentation(tokens, diagnostics);
        if tokens.at_word("let") {
            comment.refuse("a `let`", diagnostics);
            items.extend(let_statement(tokens, diagnostics, at_block).map(ModelItem::Let));
        } else if tokens.at_word("component") {
            items.extend(component(comment, owner, tokens, diagnostics).map(ModelItem::Component));
        } else if tokens.at_word("if") {
            comment.refuse("an `if`", diagnostics);
            items.extend(choice(owner, tokens, diagnostics).map(|choice| ModelItem::If(Box::new(choice))));
        } else {
            comment.refuse(if tokens.is_empty() { "the end of a model" } else { "a block" }, diagnostics);
            items.extend(block(owner, tokens, diagnostics));
        }
    });
    items
}

/// Reads `if condition { blocks } else { blocks }`. If the condition is wrong, the blocks are read only to find their
/// errors.
fn choice(owner: &Owner, tokens: &mut Tokens, diagnostics: &mut Diagnostics) -> Option<ItemsIfSyntax> {
    tokens.take();
    let condition = expression(tokens).map_err(|error| record(error, diagnostics)).ok();
    if condition.is_none() {
        skip_to_braces(tokens);
    }
    let yes = branch(owner, condition.is_some(), tokens, diagnostics);
    let no = if !tokens.at_word("else") {
        Some(Vec::new())
    } else if tokens.at_word_ahead(1, "if") {
        tokens.take();
        let nested = tokens.nested(|tokens| Ok(choice(owner, tokens, diagnostics)));
        let nested = nested.map_err(|error| record(error, diagnostics)).ok().flatten();
        nested.map(|inner| vec![ModelItem::If(Box::new(inner))])
    } else {
        tokens.take();
        branch(owner, true, tokens, diagnostics)
    };
    Some(ItemsIfSyntax { condition: condition?, yes: yes?, no: no? })
}

/// Reads the blocks of a branch, in braces; `missed` is true if missing braces are to be reported.
fn branch(owner: &Owner, missed: bool, tokens: &mut Tokens, diagnostics: &mut Diagnostics) -> Option<Vec<ModelItem>> {
    let Some(group) = tokens.take_group(Delimiter::Brace) else {
        if missed {
            let found = tokens.found();
            let message = format!("expected `{{` before {found}; write `if condition {{ blocks }} else {{ blocks }}`");
            diagnostics.error(tokens.place(), message);
            tokens.recover(at_block);
        }
        return None;
    };
    let inner = tokens.nested(|tokens| Ok(items(owner, &mut tokens.inside(&group), diagnostics)));
    inner.map_err(|error| record(error, diagnostics)).ok()
}

/// Checks whether `component Name {` follows.
fn at_component(tokens: &Tokens) -> bool {
    tokens.at_word("component") && with_name(tokens)
}

/// Checks whether a word is followed by a name and braces.
fn with_name(tokens: &Tokens) -> bool {
    matches!(tokens.peek_ahead(1), Some(TokenTree::Ident(_))) && tokens.at_group_ahead(2, Delimiter::Brace)
}

/// Reads `component Name { blocks }` from the first word on. Without a name, the blocks are read only to find their
/// errors.
fn component(
    documentation: Documentation,
    owner: &Owner,
    tokens: &mut Tokens,
    diagnostics: &mut Diagnostics,
) -> Option<ComponentSyntax> {
    let place = tokens.skip(1);
    let name = component_name(tokens).map_err(|error| record(error, diagnostics)).ok();
    if name.is_none() && !tokens.at_group(Delimiter::Brace) {
        tokens.take();
    }
    let Some(group) = tokens.take_group(Delimiter::Brace) else {
        if let Some(name) = &name {
            let message = format!("expected `{{` before {}; write `component {name} {{ ... }}`", tokens.found());
            diagnostics.error(tokens.place(), message);
        }
        return None;
    };
    if let Owner::Component(outer) = owner {
        let message = format!("a component is not defined inside another one; define it beside `{outer}`");
        diagnostics.error(place, message);
        return None;
    }
    let owner = Owner::Component(name.clone().unwrap_or_else(|| Ident::new("_", place.first)));
    let items = items(&owner, &mut tokens.inside(&group), diagnostics);
    Some(ComponentSyntax { documentation: documentation.lines, name: name?, items })
}

fn component_name(tokens: &mut Tokens) -> Parsed<Ident> {
    if tokens.ident().is_none() {
        let message =
            format!("expected the name of the component, found {}; write `component Name {{ ... }}`", tokens.found());
        return Err(tokens.error(message));
    }
    new_name(tokens, "the name of the component")
}

/// Checks whether a known block starts here.
pub fn at_block(tokens: &Tokens) -> bool {
    tokens.at_group_ahead(1, Delimiter::Brace) && tokens.ident().is_some_and(is_block) || at_component(tokens)
}

fn is_block(word: &Ident) -> bool {
    all_blocks().any(|block| word == block)
}

/// Lists the words that open a block of a model or a component.
fn all_blocks() -> impl Iterator<Item = &'static str> {
    BLOCKS.into_iter().chain([CONNECTIONS])
}

fn block(owner: &Owner, tokens: &mut Tokens, diagnostics: &mut Diagnostics) -> Option<ModelItem> {
    let misspelt_component = with_name(tokens);
    let found = tokens.found();
    let place = tokens.place();
    let next = tokens.take()?;
    let TokenTree::Ident(keyword) = next else {
        diagnostics.error(place, format!("expected a block or a `let`, found {found}; {}", known_blocks()));
        tokens.recover(at_block);
        return None;
    };
    if keyword == "for" {
        diagnostics.error(place, "`for` repeats entries; write it inside a block");
        skip_block(tokens);
        return None;
    }
    if !is_block(&keyword) {
        if misspelt_component && nearest(&keyword.to_string(), ["component"]).is_some() {
            diagnostics.error(place, format!("unknown block `{keyword}`; did you mean `component`?"));
            skip_block(tokens);
            return None;
        }
        diagnostics.error(place, unknown_block(&keyword));
        // A misspelt block is read as the block that was probably meant, because of the names that it declares.
        let meant = meant_block(&keyword).map(|meant| Ident::new(meant, keyword.span()));
        if let (Some(meant), Some(group)) = (meant, tokens.take_group(Delimiter::Brace)) {
            return Some(contents(meant, &mut tokens.inside(&group), diagnostics));
        }
        skip_block(tokens);
        return None;
    }
    let Some(group) = tokens.take_group(Delimiter::Brace) else {
        let message = format!("expected `{{` before {}; write `{keyword} {{ ... }}`", tokens.found());
        diagnostics.error(tokens.place(), message);
        skip_block(tokens);
        return None;
    };
    if keyword == "tables" && !matches!(owner, Owner::Model) {
        let message =
            "a component has no tables of its own; write the block in the model, its tables are known here too";
        diagnostics.error(place, message);
    }
    if keyword == "gravity" && !matches!(owner, Owner::Model) {
        let message = "gravity acts on the whole model; write the block in the model";
        diagnostics.error(place, message);
    }
    if keyword == "connections" && matches!(owner, Owner::Model) {
        let message = "only a component has connections; write `coordinates`, or define a `component`";
        diagnostics.error(place, message);
    }
    Some(contents(keyword, &mut tokens.inside(&group), diagnostics))
}

/// Skips the braces of a block that cannot be read, or continues at the next known block.
fn skip_block(tokens: &mut Tokens) {
    tokens.recover(|tokens| tokens.at_group(Delimiter::Brace) || at_block(tokens));
    tokens.take_group(Delimiter::Brace);
}

fn meant_block(keyword: &Ident) -> Option<&'static str> {
    let word = keyword.to_string();
    if word == "body" { Some("bodies") } else { nearest(&word, all_blocks()) }
}

fn unknown_block(keyword: &Ident) -> String {
    match meant_block(keyword) {
        Some(known) => format!("unknown block `{keyword}`; did you mean `{known}`?"),
        None => format!("unknown block `{keyword}`; {}", known_blocks()),
    }
}

fn known_blocks() -> String {
    format!("a model is made of {}", BLOCKS.map(|block| format!("`{block}`")).join(", "))
}

fn contents(keyword: Ident, tokens: &mut Tokens, diagnostics: &mut Diagnostics) -> ModelItem {
    fn read<T: EntrySyntax>(keyword: Ident, tokens: &mut Tokens, diagnostics: &mut Diagnostics) -> Block<T> {
        Block { keyword, entries: entries(tokens, diagnostics) }
    }
    match keyword.to_string().as_str() {
        "parameters" => ModelItem::Parameters(read(keyword, tokens, diagnostics)),
        "inputs" => ModelItem::Inputs(read(keyword, tokens, diagnostics)),
        "tables" => ModelItem::Tables(read(keyword, tokens, diagnostics)),
        "coordinates" => ModelItem::Coordinates(read(keyword, tokens, diagnostics)),
        "mass" => ModelItem::Mass(read(keyword, tokens, diagnostics)),
        "forces" => ModelItem::Forces(read(keyword, tokens, diagnostics)),
        "constraints" => ModelItem::Constraints(read(keyword, tokens, diagnostics)),
        "outputs" => ModelItem::Outputs(read(keyword, tokens, diagnostics)),
        "components" => ModelItem::Components(read(keyword, tokens, diagnostics)),
        "connections" => ModelItem::Connections(read(keyword, tokens, diagnostics)),
        "kinetic" => ModelItem::Energies(Energy::Kinetic, read(keyword, tokens, diagnostics)),
        "potential" => ModelItem::Energies(Energy::Potential, read(keyword, tokens, diagnostics)),
        "dissipation" => ModelItem::Energies(Energy::Dissipation, read(keyword, tokens, diagnostics)),
        "bodies" => ModelItem::Bodies(read(keyword, tokens, diagnostics)),
        "joints" => ModelItem::Joints(read(keyword, tokens, diagnostics)),
        "elements" => ModelItem::Elements(read(keyword, tokens, diagnostics)),
        "gravity" => ModelItem::Gravity(read(keyword, tokens, diagnostics)),
        // The last of `BLOCKS`; the caller has checked the word.
        _ => ModelItem::Initial(read(keyword, tokens, diagnostics)),
    }
}
