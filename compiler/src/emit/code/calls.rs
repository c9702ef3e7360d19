//! Calls that give several values: sine and cosine, like calls of several arguments, derivatives of a table.

use proc_macro2::{Literal, TokenStream};
use quote::quote;

use super::super::operations::needed;
use super::{Binding, Code, Writing};
use crate::symbolic::{Function, Id, Lookup, Node};

impl Code<'_> {
    /// The calls of several arguments that go with `call` in one.
    pub(super) fn bind_like_calls(&mut self, call: Id, group: &[Id], writing: &mut Writing) {
        for id in needed(self.graph, group, |id| self.known.contains_key(&id)) {
            if writing.like_calls.group_of(id).is_none_or(|own| *own != *group) {
                self.visit(id, writing);
            }
        }
        let arguments: Vec<TokenStream> = group.iter().map(|&argument| self.scalar(argument)).collect();
        let is_exp = matches!(self.graph.node(call), Node::Unary(Function::Exp, _));
        let mut bound = Vec::new();
        let mut names = |function: Function| -> Vec<TokenStream> {
            let name = |&argument: &Id| {
                let id = self.graph.find(Node::Unary(function, argument));
                match id.filter(|id| writing.order.binary_search(id).is_ok()) {
                    Some(id) => {
                        let name = self.name(id);
                        self.known.insert(id, quote!(#name));
                        bound.push(name.clone());
                        quote!(#name)
                    }
                    None => quote!(_),
                }
            };
            group.iter().map(name).collect()
        };
        if is_exp {
            let values = names(Function::Exp);
            self.bind_to(quote!([#(#values),*]), bound, quote!(S::exp_each([#(#arguments),*])));
            return;
        }
        let (sines, cosines) = (names(Function::Sin), names(Function::Cos));
        let value = quote!(S::sin_cos_each([#(#arguments),*]));
        self.bind_to(quote!(([#(#sines),*], [#(#cosines),*])), bound, value);
    }

    pub(super) fn bind_sin_cos(&mut self, sin: Id, cos: Id, argument: Id) {
        let (sin_name, cos_name) = (self.name(sin), self.name(cos));
        let argument = self.operand(argument, Binding::Atom);
        self.known.insert(sin, quote!(#sin_name));
        self.known.insert(cos, quote!(#cos_name));
        let pattern = quote!((#sin_name, #cos_name));
        self.bind_to(pattern, vec![sin_name, cos_name], quote!(#argument.sin_cos()));
    }

    /// Binds all lookups of a table at the same arguments, as results of one search in its knots.
    pub(super) fn bind_lookups(&mut self, lookup_of: Lookup, arguments: [Option<Id>; 2], order: &[Id]) {
        let mut found: Vec<(Lookup, Id)> = Vec::new();
        for &id in order {
            if let Some((other, same)) = self.graph.node(id).lookup()
                && other.table == lookup_of.table
                && same == arguments
            {
                found.push((other, id));
            }
        }
        found.sort_unstable();
        let lookups: Vec<Lookup> = found.iter().map(|&(lookup, _)| lookup).collect();
        let arguments: Vec<Id> = arguments.into_iter().flatten().collect();
        let value = self.derivatives(&lookups, &arguments);
        let mut names = Vec::new();
        for (_, id) in found {
            let name = self.name(id);
            self.known.insert(id, quote!(#name));
            names.push(name);
        }
        self.bind_to(quote!([#(#names),*]), names, value);
    }

    /// Derivatives of one table at the same arguments.
    pub fn derivatives(&self, lookups: &[Lookup], arguments: &[Id]) -> TokenStream {
        let Some(table) = lookups.first().and_then(|lookup| self.tables.get(lookup.table as usize)) else {
            return self.fault("a function does not know a table");
        };
        let receiver = &table.receiver;
        let arguments: Vec<_> = arguments.iter().map(|&id| self.scalar(id)).collect();
        let orders = lookups.iter().map(|lookup| {
            let [first, second] = lookup.orders.map(Literal::u8_unsuffixed);
            if arguments.len() == 1 { quote!(#first) } else { quote!([#first, #second]) }
        });
        let orders: Vec<_> = orders.collect();
        quote!(#receiver.derivatives(#(#arguments,)* [#(#orders),*]))
    }
}
