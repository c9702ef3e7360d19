//! Reading of the operands of a statement in a loop.

use proc_macro2::{Literal, TokenStream};
use quote::quote;

use super::super::code::number;
use super::schedule::Part;
use super::shape::Place;
use super::storage::giver_within;
use super::unit::Unit;
use super::writer::{Body, Column, Writer};
use crate::symbolic::{Given, Id, Node, Symbol};

impl Writer<'_> {
    /// Sets the text of a leaf outside of loops.
    pub fn know_straight(&mut self, id: Id) {
        if self.code.knows(id) {
            return;
        }
        if let Some((result, position)) = self.storage.place_of(id) {
            let (array, position) = (self.value_array(result), Literal::usize_unsuffixed(position));
            self.code.know(id, quote!(#array[#position]));
        } else if let Node::Symbol(symbol) = self.units.graph.node(id) {
            match symbol {
                Symbol::Given(given, _) => {
                    self.given.insert(given);
                }
                _ => self.uses_state = true,
            }
            let value = self.value(symbol);
            self.code.know(id, value);
        }
    }

    /// Writes a symbol.
    fn value(&self, symbol: Symbol) -> TokenStream {
        let (vector, i) = match symbol {
            Symbol::Time => return quote!(at.time),
            Symbol::Coordinate(i) => (quote!(at.coordinates), i),
            Symbol::Velocity(i) => (quote!(at.velocities), i),
            Symbol::Acceleration(i) => (quote!(at.accelerations), i),
            Symbol::Multiplier(i) => (quote!(at.multipliers), i),
            Symbol::Input(i) => (quote!(at.inputs), i),
            Symbol::Given(given, i) => (given_array(given), i),
            Symbol::Parameter(_) | Symbol::Integrator(_) => {
                return self.code.fault(format!("{symbol:?} is no constant of the run"));
            }
        };
        let i = Literal::usize_unsuffixed(i);
        self.entry_of(symbol_given(symbol), &vector, quote!(#i))
    }

    /// Writes an entry of an array of numbers, which may belong to one of several SIMD lanes.
    fn entry_of(&self, given: Option<Given>, array: &TokenStream, at: TokenStream) -> TokenStream {
        match given {
            Some(Given::Factor | Given::AdjointCoefficient) if self.numbers_are_called => {
                quote!(#array.at(#at))
            }
            _ => quote!(#array[#at]),
        }
    }

    /// Sets the texts of the operands that the first unit of the part reads from outside; returns the previous texts.
    pub fn know_columns(&mut self, body: &mut Body, part: &Part) -> Vec<(Id, Option<TokenStream>)> {
        let mut before = Vec::new();
        for (&place, column) in part.places.iter().zip(&part.columns) {
            if place == Place::Literal && column.iter().all(|id| *id == column[0]) {
                // written as a literal number
                continue;
            }
            let tokens = self.column(body, place, column);
            before.push((column[0], self.code.know(column[0], tokens)));
        }
        self.know_time(&self.units.units[part.units[0]]);
        before
    }

    /// Sets the text of the time, which is the same for all units.
    pub fn know_time(&mut self, unit: &Unit) {
        if unit.roots.iter().any(|&id| self.units.graph.depends_on(id, Symbol::Time))
            && let Some(time) = self.units.graph.find(Node::Symbol(Symbol::Time))
        {
            self.know_straight(time);
        }
    }

    /// Writes a column of leaves.
    fn column(&mut self, body: &mut Body, place: Place, column: &[Id]) -> TokenStream {
        if place == Place::Literal {
            return self.literals(body, column);
        }
        if place == Place::Constant && column.iter().all(|&id| id == column[0]) {
            return self.code.scalar(column[0]);
        }
        if let Some(name) = giver_within(self.units, self.schedule, body.index, column)
            .and_then(|giver| body.given.get(&giver))
        {
            return quote!(#name);
        }
        let read = self.read_column(place, column);
        if let Some(name) = body.read.get(&read) {
            return quote!(#name);
        }
        let (result, _, positions) = &read;
        let (result, at) = (*result, self.index(body, positions));
        let (array, suffix) = match place {
            Place::Value => (self.value_array(result), ""),
            Place::Constant => {
                let array = &self.constants_array;
                (quote!(#array), "")
            }
            Place::Coordinate => (quote!(at.coordinates), ""),
            Place::Velocity => (quote!(at.velocities), "_dot"),
            Place::Acceleration => (quote!(at.accelerations), "_ddot"),
            Place::Multiplier => (quote!(at.multipliers), ""),
            Place::Input => (quote!(at.inputs), ""),
            Place::Given(given) => (given_array(given), ""),
            Place::Literal => return self.code.fault("a loop does not know a number"),
        };
        match place {
            Place::Given(given) => {
                self.given.insert(given);
            }
            _ => self.uses_state |= !matches!(place, Place::Value | Place::Constant),
        }
        let given = if let Place::Given(given) = place { Some(given) } else { None };
        let entry = self.entry_of(given, &array, at);
        let says_nothing = place == Place::Value && !self.code.has_own_name(column[0]);
        let is_call = self.schedule.loops[body.index].is_call(&self.units.units);
        if body.uses.get(&read) == Some(&1) && (says_nothing || is_call) {
            return entry;
        }
        let name = match self.units.family(column[0]) {
            Some(family) => {
                self.code.unique(&format!("{}{}{suffix}", prefix(place), family.replace('.', "_")))
            }
            None => self.code.name_of(column[0]),
        };
        body.statements.push(quote!(let #name = #entry;));
        body.read.insert(read, name.clone());
        quote!(#name)
    }

    /// Returns the array and the positions from which a column of leaves is read.
    pub fn read_column(&mut self, place: Place, column: &[Id]) -> Column {
        let result = self.storage.place_of(column[0]).and_then(|(result, _)| result);
        (result, place, column.iter().map(|&id| self.position(place, id)).collect())
    }

    /// Returns the array of intermediate values, or the array of results that contains them.
    fn value_array(&self, result: Option<usize>) -> TokenStream {
        let array = &self.array;
        result.map_or_else(|| quote!(#array), |result| self.results[result].clone())
    }

    /// Returns the position of a leaf in its array.
    fn position(&mut self, place: Place, id: Id) -> usize {
        match place {
            Place::Value => self.known_position(self.storage.place_of(id).map(|(_, position)| position)),
            Place::Constant => *self.pool_positions.entry(id).or_insert_with(|| {
                self.pool.push(id);
                self.pool.len() - 1
            }),
            _ => self.known_position(self.units.array_index(id)),
        }
    }

    fn known_position(&self, position: Option<usize>) -> usize {
        position.unwrap_or_else(|| {
            self.code.fault("a loop does not know where a number is kept");
            0
        })
    }

    /// Writes numbers that may differ between repetitions.
    fn literals(&mut self, body: &mut Body, column: &[Id]) -> TokenStream {
        let Some(numbers) =
            column.iter().map(|&id| self.units.graph.as_constant(id)).collect::<Option<Vec<f64>>>()
        else {
            return self.code.fault("a loop does not know a number");
        };
        let (name, count, i) = (self.numbers_name(), numbers.len(), &self.repetition);
        let numbers = numbers.iter().map(|&value| number(value));
        body.numbers.push(quote!(static #name: [f64; #count] = [#(#numbers),*];));
        quote!(S::constant(#name[#i]))
    }
}

fn symbol_given(symbol: Symbol) -> Option<Given> {
    match symbol {
        Symbol::Given(given, _) => Some(given),
        _ => None,
    }
}

/// Returns the array of an additional argument of the functions of a step.
fn given_array(given: Given) -> TokenStream {
    match given {
        Given::History => quote!(history),
        Given::Factor => quote!(factors),
        Given::RightSide => quote!(right),
        Given::AdjointCarry => quote!(carry.right),
        Given::Carried => quote!(carry.carried),
        Given::OutputGradient => quote!(output_gradient),
        Given::AdjointCoefficient => quote!(coefficients),
    }
}

/// Returns the prefix of the names of variables that hold these numbers.
fn prefix(place: Place) -> &'static str {
    match place {
        Place::Multiplier => "lambda_",
        Place::Given(Given::History) => "history_",
        Place::Given(Given::RightSide) => "b_",
        Place::Given(Given::AdjointCarry) => "carry_",
        Place::Given(Given::Carried) => "carried_",
        _ => "",
    }
}
