//! Writing of the functions of a step: arguments, straight-line code, loops.

use std::collections::BTreeSet;

use proc_macro2::{Ident, Literal, TokenStream};
use quote::{format_ident, quote};
use rustc_hash::FxHashMap;

use crate::emit::code::Code;
use crate::emit::constants::{Constants, symbol_id};
use crate::emit::function::{Arguments, values_use_constants};
use crate::emit::local_names::LocalNames;
use crate::emit::loops;
use crate::emit::operations::Operations;
use crate::model::Model;
use crate::symbolic::{Given, Graph, Id, Symbol};

/// Writes the functions of one model.
pub struct Writer<'a> {
    pub model: &'a Model,
    pub graph: &'a Graph,
    pub constants: &'a Constants,
    /// True if loops are to be tried.
    pub in_loops: bool,
}

/// The form in which a function takes its arguments.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Takes {
    /// A point, with the constants of the run.
    Point,
    /// Constants and arrays.
    Arrays,
    /// Constants and `Numbers`, possibly of one of several SIMD lanes.
    Numbers,
}

/// The statements of a function, and the arguments that it uses.
pub struct Parts {
    pub statements: Vec<TokenStream>,
    /// True if the point or the run's constants are used.
    pub uses_point: bool,
    pub given: BTreeSet<Given>,
}

impl Parts {
    /// Writes the name of an argument for `given` numbers.
    pub fn argument(&self, given: Given, name: &str) -> TokenStream {
        argument(self.given.contains(&given), name)
    }
}

/// A function that is being written: known expressions, and the statements that unpack the arguments.
pub struct Body {
    pub names: LocalNames,
    pub known: FxHashMap<Id, TokenStream>,
    pub bindings: Vec<TokenStream>,
    /// True if the point or the run's constants are used.
    pub uses_point: bool,
    pub given: BTreeSet<Given>,
}

impl Writer<'_> {
    /// Writes a function with the results `roots` in loops; the results go to `arrays` one after the other. `None`
    /// where loops are not worth while.
    pub fn looped(
        &self,
        roots: &[Id],
        arrays: &[(TokenStream, usize)],
        taken: &[&str],
        takes: Takes,
    ) -> Option<Parts> {
        if !self.in_loops {
            return None;
        }
        let mut names = LocalNames::new();
        taken.iter().for_each(|name| {
            names.unique(name);
        });
        let by_call = takes == Takes::Numbers;
        let written = loops::write(self.model, self.graph, self.constants, roots, arrays, names, by_call)?;
        let uses_constants = values_use_constants(self.constants, self.graph, roots);
        let mut statements = Vec::new();
        if takes == Takes::Point && uses_constants {
            statements.push(quote!(let k = at.constants;));
        }
        statements.extend(written.statements);
        Some(Parts { statements, uses_point: uses_constants || written.uses_state, given: written.given })
    }

    pub fn body(&self, roots: &[Id], taken: &[&str], point: bool) -> Body {
        let (mut names, mut known) = (LocalNames::new(), self.constants.known());
        for name in taken {
            names.unique(name);
        }
        let mut bindings = Vec::new();
        let uses_constants = values_use_constants(self.constants, self.graph, roots);
        if point {
            if uses_constants {
                bindings.push(quote!(let k = at.constants;));
            }
            bindings.extend(
                Arguments { model: self.model, graph: self.graph, values: roots }
                    .bind(&mut names, &mut known),
            );
        }
        let uses_point = uses_constants || !bindings.is_empty();
        Body { names, known, uses_point, bindings, given: BTreeSet::new() }
    }

    /// Writes straight-line code for a body.
    pub fn with_code(&self, body: Body, write: impl FnOnce(&mut Code<'_>) -> Vec<TokenStream>) -> Parts {
        let Body { names, known, bindings, uses_point, given } = body;
        let tables = self.constants.tables(self.model);
        let mut code = Code::new(self.graph, self.constants, tables, known, names).fusing();
        let mut statements = bindings;
        statements.extend(write(&mut code));
        Parts { statements, uses_point, given }
    }

    pub fn operations(&self, roots: &[Id]) -> usize {
        Operations::count(self.graph, "", roots, |id| self.constants.holds(id)).total()
    }

    /// Unpacks the vector `from` of given numbers.
    pub fn bind(&self, body: &mut Body, roots: &[Id], given: Given, names: &[String], from: TokenStream) {
        let used = self.graph.symbols_of(roots);
        let mut pattern = Vec::new();
        for (i, name) in names.iter().enumerate() {
            if !used.contains(&Symbol::Given(given, i)) {
                pattern.push(quote!(_));
                continue;
            }
            let name = body.names.unique(name);
            if let Some(id) = symbol_id(self.graph, Symbol::Given(given, i)) {
                body.known.insert(id, quote!(#name));
            }
            pattern.push(quote!(#name));
        }
        if pattern.iter().any(|name| name.to_string() != "_") {
            body.given.insert(given);
            body.bindings.push(quote!(let [#(#pattern),*] = #from;));
        }
    }

    /// Makes given numbers known as entries of their array.
    pub fn know(
        &self,
        body: &mut Body,
        roots: &[Id],
        (given, length): (Given, usize),
        place: impl Fn(Literal) -> TokenStream,
    ) {
        let used = self.graph.symbols_of(roots);
        for i in (0..length).filter(|&i| used.contains(&Symbol::Given(given, i))) {
            body.given.insert(given);
            if let Some(id) = symbol_id(self.graph, Symbol::Given(given, i)) {
                body.known.insert(id, place(Literal::usize_unsuffixed(i)));
            }
        }
    }

    pub fn know_factors(&self, body: &mut Body, roots: &[Id], length: usize) {
        self.know(body, roots, (Given::Factor, length), |i| quote!(factors[#i]));
    }

    pub fn coordinates(&self, prefix: &str) -> Vec<String> {
        self.model.coordinates.iter().map(|quantity| format!("{prefix}{}", quantity.field)).collect()
    }
}

/// Pairs the entries of `array` with their values.
pub fn entries<'a>(
    array: &str,
    values: &'a [TokenStream],
) -> impl Iterator<Item = (TokenStream, TokenStream)> + 'a {
    let path = array.split('.').map(|name| format_ident!("{name}"));
    let array = quote!(#(#path).*);
    values.iter().enumerate().map(move |(i, value)| {
        let i = Literal::usize_unsuffixed(i);
        (quote!(#array[#i]), value.clone())
    })
}

/// Writes the name of an argument, or `_` if it is not used.
pub fn argument(used: bool, name: &str) -> TokenStream {
    let name: Ident = format_ident!("{name}");
    if used { quote!(#name) } else { quote!(_) }
}
