//! The text of a function with loops.

use std::collections::BTreeSet;

use proc_macro2::{Ident, Literal, TokenStream};
use quote::quote;

use rustc_hash::FxHashMap;

use super::super::code::Code;
use super::super::constants::Constants;
use super::super::local_names::LocalNames;
use super::index::Indices;
use super::plan::plan;
use super::schedule::{Loop, Part};
use super::storage::Storage;
use super::unit::{Kind, Unit};
use super::writer::{Body, Writer};
use crate::model::Model;
use crate::symbolic::{Given, Graph, Id};

/// A function with loops.
pub struct Written {
    /// Statements that compute the results from the point and store them.
    pub statements: Vec<TokenStream>,
    /// True if the state of the point is used.
    pub uses_state: bool,
    /// The other arguments that are used.
    pub given: BTreeSet<Given>,
    /// Number of loops, including calls for the sines and cosines of many arguments.
    pub loops: usize,
}

/// Writes a function with the results `values` in loops. The results go to `arrays`, given with their lengths, one
/// after the other. If `numbers_are_called`, factors and coefficients are read by calls. `None` where straight-line
/// code is better.
pub fn write(
    model: &Model,
    graph: &Graph,
    constants: &Constants,
    values: &[Id],
    arrays: &[(TokenStream, usize)],
    mut names: LocalNames,
    numbers_are_called: bool,
) -> Option<Written> {
    let is_constant = |id| constants.holds(id);
    let lengths: Vec<usize> = arrays.iter().map(|(_, length)| *length).collect();
    let (units, schedule) = plan(model, graph, values, &lengths, &is_constant)?;
    let storage = Storage::new(&units, &schedule);
    let [array, constants_array, repetition] = ["e", "constants", "i"].map(|name| names.unique(name));
    let code = Code::new(graph, constants, constants.tables(model), constants.known(), names);
    let mut writer = Writer {
        units: &units,
        schedule: &schedule,
        storage: &storage,
        results: arrays.iter().map(|(name, _)| name.clone()).collect(),
        code,
        array,
        constants_array,
        repetition,
        pool: Vec::new(),
        pool_positions: FxHashMap::default(),
        indices: Indices::default(),
        number_tables: 0,
        position_tables: 0,
        uses_state: false,
        given: BTreeSet::new(),
        numbers_are_called,
    };
    for (index, straight) in schedule.straight.iter().enumerate() {
        straight.iter().for_each(|&unit| writer.straight(unit));
        if let Some(group) = schedule.loops.get(index) {
            if group.is_call(&units.units) { writer.call(index, group) } else { writer.repeat(index, group) }
        }
    }
    Some(writer.finish())
}

impl Writer<'_> {
    fn finish(self) -> Written {
        let mut statements = Vec::new();
        if !self.pool.is_empty() {
            let (name, constants) = (&self.constants_array, self.pool.iter().map(|&id| self.code.scalar(id)));
            statements.push(quote!(let #name = [#(#constants),*];));
        }
        if self.storage.length > 0 {
            let (name, length) = (&self.array, Literal::usize_unsuffixed(self.storage.length));
            statements.push(quote!(let mut #name = [S::constant(0.0); #length];));
        }
        for (position, name) in self.results.iter().enumerate() {
            // results that the function goes on with
            if matches!(name.to_string().as_str(), "shares" | "history") {
                let start = position.checked_sub(1).map_or(0, |before| self.units.ends[before]);
                let length = Literal::usize_unsuffixed(self.units.ends[position] - start);
                statements.push(quote!(let mut #name = [S::constant(0.0); #length];));
            }
        }
        statements.extend(self.code.statements());
        Written {
            statements,
            uses_state: self.uses_state,
            given: self.given,
            loops: self.schedule.loops.len(),
        }
    }

    /// Writes a unit outside of loops.
    fn straight(&mut self, index: usize) {
        let unit = &self.units.units[index];
        for id in self.units.shape(unit.kind, &unit.roots, &[], true).leaves {
            self.know_straight(id);
        }
        self.know_time(unit);
        if unit.kind == Kind::Copy || (unit.kind == Kind::Value && self.is_only_stored(unit)) {
            let value = self.code.scalar(unit.roots[0]);
            for target in self.straight_targets(unit, 0) {
                self.code.act(quote!(#target = #value;));
            }
            return;
        }
        let (pattern, value, names) = self.statement(unit);
        let bound = names.iter().flatten().cloned().collect();
        self.code.bind_to(pattern, bound, value);
        for (output, name) in names.iter().enumerate() {
            let (Some(name), Some(id)) = (name, unit.outputs[output].id) else { continue };
            self.code.know(id, quote!(#name));
            for target in self.straight_targets(unit, output) {
                self.code.act(quote!(#target = #name;));
            }
        }
    }

    /// Checks whether a value goes to one place only and has no other use by a name.
    fn is_only_stored(&self, unit: &Unit) -> bool {
        let output = &unit.outputs[0];
        let is_named = output.id.is_some_and(|id| self.storage.between_straight.contains(&id));
        let is_stored = output.id.is_some_and(|id| self.storage.positions.contains_key(&id));
        !is_named && output.destinations.len() + usize::from(is_stored) == 1
    }

    fn straight_targets(&self, unit: &Unit, output: usize) -> Vec<TokenStream> {
        let output = &unit.outputs[output];
        let stored = output.id.and_then(|id| self.storage.positions.get(&id)).map(|&position| {
            let (array, position) = (&self.array, Literal::usize_unsuffixed(position));
            quote!(#array[#position])
        });
        let results = output.destinations.iter().map(|&position| {
            let (array, position) = self.result(position);
            let position = Literal::usize_unsuffixed(position);
            quote!(#array[#position])
        });
        stored.into_iter().chain(results).collect()
    }

    /// Returns the array of a result, and the position in it.
    fn result(&self, position: usize) -> (TokenStream, usize) {
        let (array, position) = self.units.array_of(position);
        (self.results[array].clone(), position)
    }

    /// Returns the pattern and the value of the unit's statement, whose leaves are known, and the variables of its
    /// outputs.
    fn statement(&mut self, unit: &Unit) -> (TokenStream, TokenStream, Vec<Option<Ident>>) {
        let mut names = Vec::new();
        for output in &unit.outputs {
            names.push(output.id.map(|id| self.code.name_of(id)));
        }
        let patterns: Vec<TokenStream> =
            names.iter().map(|name| name.as_ref().map_or(quote!(_), |name| quote!(#name))).collect();
        let (pattern, value) = match unit.kind {
            Kind::Value | Kind::Copy => (quote!(#(#patterns)*), self.code.scalar(unit.roots[0])),
            Kind::SinCos => {
                let argument = self.code.factor(unit.roots[0]);
                (quote!((#(#patterns),*)), quote!(#argument.sin_cos()))
            }
            Kind::SinCosEach => {
                let argument = self.code.scalar(unit.roots[0]);
                let patterns = patterns.iter().map(|name| quote!([#name]));
                (quote!((#(#patterns),*)), quote!(S::sin_cos_each([#argument])))
            }
            Kind::Lookup => {
                let ids = unit.outputs.iter().filter_map(|output| output.id);
                let lookups: Vec<_> =
                    ids.filter_map(|id| Some(self.units.graph.node(id).lookup()?.0)).collect();
                (quote!([#(#patterns),*]), self.code.derivatives(&lookups, &unit.roots))
            }
        };
        (pattern, value, names)
    }

    /// Writes a loop.
    fn repeat(&mut self, index: usize, group: &Loop) {
        let mut body = self.body(index);
        let names = self.code.names();
        for (position, part) in group.parts.iter().enumerate() {
            self.part(&mut body, position, part);
        }
        self.code.forget_names_but(names);
        let Body { tables, numbers, statements, .. } = body;
        let (count, i) = (Literal::usize_unsuffixed(group.count), &self.repetition);
        self.code.act(quote! {
            #(#tables)*
            #(#numbers)*
            for #i in 0..#count {
                #(#statements)*
            }
        });
    }

    /// Writes one call for sines and cosines of many arguments.
    fn call(&mut self, index: usize, group: &Loop) {
        let mut body = self.body(index);
        let part = &group.parts[0];
        let unit = &self.units.units[part.units[0]];
        let before = self.know_columns(&mut body, part);
        let argument = self.code.scalar(unit.roots[0]);
        self.code.restore(before);
        let Body { tables, numbers, statements, .. } = body;
        let argument = if statements.is_empty() { argument } else { quote!({ #(#statements)* #argument }) };
        let (count, i) = (Literal::usize_unsuffixed(group.count), self.repetition.clone());
        let [arguments, sines, cosines] =
            ["arguments", "sines", "cosines"].map(|name| self.code.unique(name));
        self.code.act(quote! {
            #(#tables)*
            #(#numbers)*
            let #arguments: [S; #count] = ::core::array::from_fn(|#i| #argument);
            let (#sines, #cosines) = S::sin_cos_each(#arguments);
        });
        let mut body = self.body(index);
        for (output, name) in [sines, cosines].iter().enumerate() {
            self.store(&mut body, part, output, &quote!(#name[#i]));
        }
        let Body { tables, numbers, statements, .. } = body;
        self.code.act(quote! {
            #(#tables)*
            #(#numbers)*
            for #i in 0..#count {
                #(#statements)*
            }
        });
    }

    fn part(&mut self, body: &mut Body, position: usize, part: &Part) {
        let unit = &self.units.units[part.units[0]];
        let before = self.know_columns(body, part);
        let giver = (body.index, position, 0);
        let is_stored = unit.outputs[0].id.is_some_and(|id| self.storage.positions.contains_key(&id));
        let stores = unit.outputs[0].destinations.len() + usize::from(is_stored);
        if unit.kind == Kind::Copy
            || (unit.kind == Kind::Value && !self.storage.within_loops.contains(&giver) && stores == 1)
        {
            let value = self.code.scalar(unit.roots[0]);
            self.code.restore(before);
            self.store(body, part, 0, &value);
            return;
        }
        let (pattern, value, names) = self.statement(unit);
        self.code.restore(before);
        body.statements.push(quote!(let #pattern = #value;));
        for (output, name) in names.into_iter().enumerate() {
            if let Some(name) = name {
                self.store(body, part, output, &quote!(#name));
                body.given.insert((body.index, position, output), name);
            }
        }
    }

    /// Stores an output of a part at all its places.
    fn store(&mut self, body: &mut Body, part: &Part, output: usize, value: &TokenStream) {
        let outputs: Vec<_> =
            part.units.iter().map(|&unit| &self.units.units[unit].outputs[output]).collect();
        let stored = outputs.iter().map(|output| self.storage.positions.get(&output.id?).copied());
        if let Some(positions) = stored.collect::<Option<Vec<usize>>>() {
            let at = self.index(body, &positions);
            let array = &self.array;
            body.statements.push(quote!(#array[#at] = #value;));
        }
        for place in 0..outputs[0].destinations.len() {
            let results: Vec<(TokenStream, usize)> =
                outputs.iter().map(|output| self.result(output.destinations[place])).collect();
            let positions: Vec<usize> = results.iter().map(|(_, position)| *position).collect();
            let (array, at) = (&results[0].0, self.index(body, &positions));
            body.statements.push(quote!(#array[#at] = #value;));
        }
    }
}
