//! One emitted function: it fills the array of a group.

use costate_contract::Group as Kind;
use proc_macro2::{Ident, Literal, TokenStream};
use quote::{format_ident, quote};
use rustc_hash::FxHashMap;

use super::code::Code;
use super::constants::{Constants, symbol_id};
use super::contract::variant;
use super::documentation::{doc, group as group_documentation};
use super::local_names::LocalNames;
use super::loops;
use super::operations::Operations;
use crate::mechanics::{Block, Group};
use crate::model::{Model, Quantity};
use crate::symbolic::{Graph, Id, Node, Symbol};

/// Groups that are evaluated in loops of the runtime that are compiled for several kinds of processor.
const INLINED: [Kind; 6] =
    [Kind::Outputs, Kind::Residual, Kind::Newton, Kind::Linearization, Kind::Kinematics, Kind::Lookups];

/// Statements of a function; `uses_state` is true if they unpack the state of the point.
struct Body {
    statements: Vec<TokenStream>,
    uses_state: bool,
    loops: usize,
}

/// Writes the function of `group`, whose values (with lowered powers) are `values`; nothing for a group without
/// values, for which the trait has a default.
pub fn emit(
    model: &Model,
    graph: &Graph,
    constants: &Constants,
    group: &Group,
    values: &[Id],
) -> TokenStream {
    if values.is_empty() {
        return TokenStream::new();
    }
    let operations = Operations::count(graph, group.kind.name(), values, |id| constants.holds(id)).total();
    let entries = group.length();
    let mut names = LocalNames::new();
    let factors_name = group.factors.as_ref().map(|_| names.unique("factors"));
    let loops = match operations + values.len() {
        long if loops::is_long(long) => {
            let arrays = [(quote!(out), entries), (quote!(factors), values.len() - entries)];
            loops::write(model, graph, constants, values, &arrays, names.clone(), false)
        }
        _ => None,
    };
    let Body { statements, uses_state, loops } = match loops {
        Some(loops::Written { statements, uses_state, loops, .. }) => Body { statements, uses_state, loops },
        None => straight(model, graph, constants, group, values, names),
    };
    let parameters = match (&group.factors, &factors_name) {
        (Some(factors), _) if factors.is_empty() => quote!(, _: &mut Self::Factors<S>),
        (Some(_), Some(name)) => quote!(, #name: &mut Self::Factors<S>),
        _ => TokenStream::new(),
    };
    let documentation = doc(&group_documentation(model, graph, group, operations, loops));
    let (function, array) = (format_ident!("{}", group.kind.name()), variant(group.kind));
    let uses_constants = values_use_constants(constants, graph, values);
    let out = if entries == 0 { quote!(_) } else { quote!(out) };
    if matches!(group.kind, Kind::Initial | Kind::InitialDerivatives) {
        let k = if uses_constants { quote!(k) } else { quote!(_) };
        return quote! {
            #documentation
            fn #function<S: ::costate::model::Scalar>(#k: &Self::Constants<S>, #out: &mut Self::#array<S>) {
                #(#statements)*
            }
        };
    }
    let (array, sized) = if group.kind.fills_slice() {
        let length = Literal::usize_unsuffixed(entries);
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
    let constants_binding = if uses_constants { quote!(let k = at.constants;) } else { TokenStream::new() };
    let at = if uses_constants || uses_state { quote!(at) } else { quote!(_) };
    let inline = (INLINED.contains(&group.kind) && loops == 0).then(|| quote!(#[inline(always)]));
    quote! {
        #documentation
        #inline
        fn #function<S: ::costate::model::Scalar>(
            #at: &::costate::emitted::Point<'_, Self, S>,
            #out: &mut #array
            #parameters
        ) {
            #sized
            #constants_binding
            #(#statements)*
        }
    }
}

/// Writes straight-line code.
fn straight(
    model: &Model,
    graph: &Graph,
    constants: &Constants,
    group: &Group,
    values: &[Id],
    mut names: LocalNames,
) -> Body {
    let mut known = constants.known();
    let bindings = Arguments { model, graph, values }.bind(&mut names, &mut known);
    let block_names: Vec<_> = group.blocks.iter().map(|block| block_variable(block, &mut names)).collect();
    let mut code = Code::new(graph, constants, constants.tables(model), known, names);
    let expressions = code.write(values);
    let mut stores = Vec::new();
    let mut offset = 0;
    let stored = group.blocks.iter().zip(block_names).filter(|(block, _)| !block.entries.is_empty());
    let stored: Vec<_> = stored.collect();
    for (block, name) in &stored {
        let end = offset + block.entries.len();
        let entries = array(graph, &values[offset..end], &expressions[offset..end]);
        let (from, to) = (Literal::usize_unsuffixed(offset), Literal::usize_unsuffixed(end));
        stores.push(match stored.len() {
            1 => quote!(*out = #entries;),
            _ => quote! {
                let #name = #entries;
                out[#from..#to].copy_from_slice(&#name);
            },
        });
        offset = end;
    }
    if group.factors.as_ref().is_some_and(|factors| !factors.is_empty()) {
        let expressions = &expressions[offset..];
        stores.push(quote!(*factors = [#(#expressions),*];));
    }
    let uses_state = !bindings.is_empty();
    Body { statements: [bindings, code.statements(), stores].concat(), uses_state, loops: 0 }
}

/// Writes the entries of a block; `[0.0; 12]` if all entries are the same number.
fn array(graph: &Graph, values: &[Id], expressions: &[TokenStream]) -> TokenStream {
    match values {
        [first, _, others @ ..]
            if graph.as_constant(*first).is_some() && values.iter().all(|id| id == first) =>
        {
            let (number, length) = (&expressions[0], Literal::usize_unsuffixed(others.len() + 2));
            quote!([#number; #length])
        }
        _ => quote!([#(#expressions),*]),
    }
}

pub fn values_use_constants(constants: &Constants, graph: &Graph, values: &[Id]) -> bool {
    let is_table = |id| matches!(graph.node(id), Node::Curve(..) | Node::Surface(..));
    graph.reachable(values).into_iter().any(|id| constants.holds(id) || is_table(id))
}

fn block_variable(block: &Block, names: &mut LocalNames) -> proc_macro2::Ident {
    match block.argument {
        None => names.unique(block.function.name()),
        Some(argument) => names.unique(&format!("{}_wrt_{}", block.function.name(), argument.name())),
    }
}

/// Largest ratio of the length of a vector to the number of used entries at which a pattern unpacks the vector.
const FEW_ENTRIES: usize = 10;

/// A vector of the point: its field, its entries, their symbols, and prefix and suffix of their names.
type Vector<'a> = (&'a str, &'a [Quantity], fn(usize) -> Symbol, &'a str, &'a str);

/// The symbols that a function unpacks from its point.
pub struct Arguments<'a> {
    pub model: &'a Model,
    pub graph: &'a Graph,
    pub values: &'a [Id],
}

impl Arguments<'_> {
    /// Writes the `let`s, and records the text of the symbols.
    pub fn bind(&self, names: &mut LocalNames, known: &mut FxHashMap<Id, TokenStream>) -> Vec<TokenStream> {
        let model = self.model;
        let used = self.graph.symbols_of(self.values);
        let mut bindings = Vec::new();
        if used.contains(&Symbol::Time) {
            bindings.push(quote!(let t = at.time;));
            self.know(Symbol::Time, quote!(t), known);
        }
        let coordinates = &model.coordinates;
        let groups: [Vector; 5] = [
            ("coordinates", coordinates, Symbol::Coordinate, "", ""),
            ("velocities", coordinates, Symbol::Velocity, "", "_dot"),
            ("accelerations", coordinates, Symbol::Acceleration, "", "_ddot"),
            ("multipliers", &model.constraints, Symbol::Multiplier, "lambda_", ""),
            ("inputs", &model.inputs, Symbol::Input, "", ""),
        ];
        for (field, quantities, symbol, prefix, suffix) in groups {
            let field = format_ident!("{field}");
            let mut taken: Vec<(usize, Ident)> = Vec::new();
            for (i, quantity) in quantities.iter().enumerate().filter(|&(i, _)| used.contains(&symbol(i))) {
                let name = names.unique(&format!("{prefix}{}{suffix}", quantity.field));
                self.know(symbol(i), quote!(#name), known);
                taken.push((i, name));
            }
            if taken.is_empty() {
                continue;
            }
            if quantities.len() > FEW_ENTRIES * taken.len() {
                bindings.extend(taken.into_iter().map(|(i, name)| {
                    let i = Literal::usize_unsuffixed(i);
                    quote!(let #name = at.#field[#i];)
                }));
                continue;
            }
            let mut pattern = vec![quote!(_); quantities.len()];
            taken.into_iter().for_each(|(i, name)| pattern[i] = quote!(#name));
            bindings.push(quote!(let [#(#pattern),*] = *at.#field;));
        }
        bindings
    }

    fn know(&self, symbol: Symbol, tokens: TokenStream, known: &mut FxHashMap<Id, TokenStream>) {
        if let Some(id) = symbol_id(self.graph, symbol) {
            known.insert(id, tokens);
        }
    }
}
