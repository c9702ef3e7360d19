//! The table that describes a model.

use std::collections::BTreeSet;

use costate_contract::{Argument, Function};
use proc_macro2::{Ident, Literal, TokenStream};
use quote::{format_ident, quote};
use rustc_hash::FxHashMap;

use super::documentation::doc;
use super::elimination;
use super::variant;
use crate::mechanics::{Block, Elimination, Group, Groups};
use crate::model::{Model, Quantity};
use crate::symbolic::Graph;

/// Entries of a pattern that is written where it is used.
const SHORT_PATTERN: usize = 2;

/// `const DESCRIPTION: Description = ...;`
pub fn emit(model: &Model, graph: &Graph, groups: &Groups, elimination: Option<&Elimination>) -> TokenStream {
    let name = model.name.to_string();
    let quantities = [
        ("parameters", &model.parameters),
        ("inputs", &model.inputs),
        ("coordinates", &model.coordinates),
        ("constraints", &model.constraints),
        ("outputs", &model.outputs),
    ];
    let quantities = quantities
        .into_iter()
        .map(|(field, quantities)| list(field, quantities.iter().map(quantity).collect()));
    let tables = list("tables", super::tables::descriptions(model));
    let specified_coordinates = flags(model.initial_coordinates.iter().map(Option::is_some).collect());
    let specified_velocities = flags(model.initial_velocities.iter().map(Option::is_some).collect());
    let patterns = Patterns::of(groups);
    let pattern_constants = patterns.constants();
    let groups: Vec<TokenStream> = groups.0.iter().map(|group| patterns.group(group)).collect();
    let imports = imports(model, &patterns, elimination);
    let (elimination_constant, elimination) = match elimination {
        None => Default::default(),
        Some(elimination) => (
            elimination::description(graph, elimination),
            quote!(elimination: ::core::option::Option::Some(ELIMINATION),),
        ),
    };
    quote! {
        const DESCRIPTION: ::costate::emitted::Description = {
            #imports
            #(#pattern_constants)*
            #elimination_constant
            Description {
                #(#quantities)*
                #tables
                specified_coordinates: #specified_coordinates,
                specified_velocities: #specified_velocities,
                groups: Groups { #(#groups)* ..Groups::EMPTY },
                #elimination
                ..Description::new(#name)
            }
        };
    }
}

/// A quantity with its unit and documentation.
pub fn quantity(quantity: &Quantity) -> TokenStream {
    let (name, unit, documentation) = (&quantity.name, &quantity.unit, &quantity.documentation);
    quote!(Quantity::new(#name, #unit, #documentation))
}

/// A field with these elements; nothing without any.
fn list(field: &str, elements: Vec<TokenStream>) -> TokenStream {
    if elements.is_empty() {
        return TokenStream::new();
    }
    let field = format_ident!("{field}");
    quote!(#field: &[#(#elements),*],)
}

/// `&[true, false]`, `&[true; 40]`
fn flags(flags: Vec<bool>) -> TokenStream {
    match flags.first() {
        Some(first) if flags.len() > 1 && flags.iter().all(|flag| flag == first) => {
            let length = Literal::usize_unsuffixed(flags.len());
            quote!(&[#first; #length])
        }
        _ => quote!(&[#(#flags),*]),
    }
}

/// What the description calls by its own name.
fn imports(model: &Model, patterns: &Patterns<'_>, elimination: Option<&Elimination>) -> TokenStream {
    let mut types = vec!["Block", "Description", "Groups"];
    if elimination.is_some() {
        types.push("Elimination");
    }
    if !model.tables.is_empty() {
        types.push("TableDescription");
    }
    types.sort_unstable();
    let types = types.into_iter().map(|name| format_ident!("{name}"));
    let mut functions = BTreeSet::new();
    let mut arguments = BTreeSet::new();
    for block in patterns.blocks() {
        functions.insert(variant(block.function));
        arguments.extend(block.argument.map(|argument: Argument| variant(argument)));
    }
    let arguments = (!arguments.is_empty()).then(|| {
        let arguments = arguments.iter();
        quote!(use ::costate::emitted::Argument::{#(#arguments),*};)
    });
    let functions = functions.iter();
    quote! {
        #arguments
        use ::costate::emitted::Function::{#(#functions),*};
        use ::costate::emitted::{#(#types),*};
        use ::costate::model::Quantity;
    }
}

/// `G_P`, after the formula of the derivative.
fn pattern_name(function: Function, argument: Argument) -> String {
    let of = match function {
        Function::InitialCoordinates => "Q0",
        Function::InitialVelocities => "V0",
        Function::Inertia if argument == Argument::Accelerations => return "M".to_owned(),
        Function::Inertia => "MA",
        Function::Force => "F",
        Function::ConstraintForce => "CONSTRAINT_FORCE",
        Function::ForceResidual => "G",
        Function::Step => return "STEP".to_owned(),
        Function::Constraint => "C",
        Function::ConstraintVelocity => "C_VELOCITY",
        Function::ConstraintAcceleration => "C_ACCELERATION",
        Function::Output => "S",
    };
    format!("{of}_{}", argument.letter().to_uppercase())
}

/// (row, column) of every entry.
pub type Pattern = [(usize, usize)];

/// The patterns of all blocks that have entries; long ones that several blocks share have a name.
struct Patterns<'a> {
    groups: &'a Groups,
    names: FxHashMap<&'a Pattern, Ident>,
    /// The first block of each pattern with a name, in the order in which they occur.
    named: Vec<&'a Block>,
}

impl<'a> Patterns<'a> {
    fn of(groups: &'a Groups) -> Self {
        let mut patterns = Patterns { groups, names: FxHashMap::default(), named: Vec::new() };
        let mut counts: FxHashMap<String, usize> = FxHashMap::default();
        for block in patterns.blocks() {
            let Some(argument) = block.argument else { continue };
            if block.entries.len() <= SHORT_PATTERN || patterns.names.contains_key(&block.entries[..]) {
                continue;
            }
            let name = pattern_name(block.function, argument);
            let count = counts.entry(name.clone()).or_default();
            *count += 1;
            let name = if *count == 1 { format_ident!("{name}") } else { format_ident!("{name}_{count}") };
            patterns.names.insert(&block.entries, name);
            patterns.named.push(block);
        }
        patterns
    }

    /// Those that are described.
    fn blocks(&self) -> impl Iterator<Item = &'a Block> + use<'a> {
        self.groups.0.iter().flat_map(|group| &group.blocks).filter(|block| !block.entries.is_empty())
    }

    fn constants(&self) -> Vec<TokenStream> {
        let constants = self.named.iter().map(|block| {
            let (name, entries) = (&self.names[&block.entries[..]], entries(&block.entries));
            let documentation = doc(&format!("Where `{}` has entries.", block.formula()));
            quote!(#documentation const #name: &[(u32, u32)] = #entries;)
        });
        constants.collect()
    }

    /// The field of a group; nothing without entries.
    fn group(&self, group: &Group) -> TokenStream {
        let blocks = group.blocks.iter().filter(|block| !block.entries.is_empty());
        let blocks: Vec<TokenStream> = blocks.map(|block| self.block(block)).collect();
        if blocks.is_empty() {
            return TokenStream::new();
        }
        let field = format_ident!("{}", group.kind.name());
        quote!(#field: &Block::in_sequence([#(#blocks),*]),)
    }

    fn block(&self, block: &Block) -> TokenStream {
        let function = variant(block.function);
        let Some(argument) = block.argument else {
            let rows = Literal::usize_unsuffixed(block.rows);
            return quote!(Block::value::<#rows>(#function));
        };
        let argument = variant(argument);
        let entries = match self.names.get(&block.entries[..]) {
            Some(name) => quote!(#name),
            None => pairs(&block.entries),
        };
        quote!(Block::derivative(#function, #argument, #entries))
    }
}

/// `[0, 1]`
pub fn indices(indices: impl IntoIterator<Item = usize>) -> TokenStream {
    let indices = indices.into_iter().map(Literal::usize_unsuffixed);
    quote!([#(#indices),*])
}

/// (row, column) of many entries, where pairs would take a line each.
pub fn entries(pattern: &Pattern) -> TokenStream {
    if pattern.len() <= SHORT_PATTERN {
        return pairs(pattern);
    }
    let rows = indices(pattern.iter().map(|entry| entry.0));
    let columns = indices(pattern.iter().map(|entry| entry.1));
    quote!(&Block::entries(#rows, #columns))
}

fn pairs(pattern: &Pattern) -> TokenStream {
    let entries = pattern.iter().map(|&(row, column)| {
        let [row, column] = [row, column].map(Literal::usize_unsuffixed);
        quote!((#row, #column))
    });
    quote!(&[#(#entries),*])
}
