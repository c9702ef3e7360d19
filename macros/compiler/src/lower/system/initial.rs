//! Initial values that depend on those of other coordinates.

use std::collections::HashSet;

use super::System;
use crate::symbolic::{Id, Symbol};

/// An initial value: the coordinate, `true` for its velocity, `true` for what stands after `~`.
type Value = (usize, bool, bool);

impl System {
    /// Replaces coordinates and velocities in initial values by their own initial values; the order of entries is free.
    pub fn finish_initial(&mut self) {
        let sources: Vec<Value> = self.initial_sources.keys().copied().collect();
        let mut done = HashSet::new();
        for source in sources {
            let (mut stack, mut open) = (vec![source], HashSet::new());
            while let Some(&top) = stack.last() {
                if done.contains(&top) {
                    stack.pop();
                    continue;
                }
                let needed: Vec<Value> = self.needed(top).into_iter().filter(|v| !done.contains(v)).collect();
                if open.insert(top) && !needed.is_empty() {
                    if let Some(again) = needed.iter().find(|value| open.contains(value)) {
                        self.refuse_circle(top, *again);
                        return;
                    }
                    stack.extend(needed);
                    continue;
                }
                if let Some(again) = needed.first() {
                    self.refuse_circle(top, *again);
                    return;
                }
                self.settle(top);
                done.insert(top);
                stack.pop();
            }
        }
    }

    fn initial(&self, (i, velocity, near): Value) -> Option<Id> {
        let values = match (velocity, near) {
            (true, _) => &self.initial_velocities,
            (_, true) => &self.near_coordinates,
            _ => &self.initial_coordinates,
        };
        values.get(i).copied().flatten()
    }

    /// Returns the initial value of a symbol, as far as one with `near` may depend on it; `None` for other symbols and
    /// for coordinates without an initial value.
    fn value_of(&self, symbol: Symbol, near: bool) -> Option<Value> {
        match symbol {
            Symbol::Coordinate(i) => {
                let values = [(i, false, false), (i, false, true)];
                let known = values.into_iter().take(if near { 2 } else { 1 });
                known.into_iter().find(|value| self.initial(*value).is_some())
            }
            Symbol::Velocity(i) => Some((i, true, false)).filter(|value| self.initial(*value).is_some()),
            _ => None,
        }
    }

    /// Lists the initial values that an initial value depends on.
    fn needed(&self, value: Value) -> Vec<Value> {
        let Some(id) = self.initial(value) else { return Vec::new() };
        let symbols = self.expressions.graph.symbols(id).iter();
        symbols.filter_map(|symbol| self.value_of(*symbol, value.2)).collect()
    }

    /// Replaces the symbols in an initial value, all of whose own values are settled.
    fn settle(&mut self, value: Value) {
        let Some(id) = self.initial(value) else { return };
        let symbols = self.expressions.graph.symbols(id).to_vec();
        let states = symbols.iter().filter(|symbol| !matches!(symbol, Symbol::Parameter(_)));
        let mut known = Vec::new();
        for symbol in states {
            let own = self.value_of(*symbol, value.2).and_then(|own| self.initial(own));
            match (own, symbol, value.2) {
                (Some(own), ..) => known.push((*symbol, own)),
                // an open coordinate is near 0
                (None, Symbol::Coordinate(_), true) => known.push((*symbol, self.expressions.graph.zero())),
                (None, Symbol::Coordinate(i) | Symbol::Velocity(i), _) => {
                    return self.refuse_open(value, *symbol, *i);
                }
                _ => {}
            }
        }
        if known.is_empty() {
            return;
        }
        let replace = |_: &mut _, symbol| known.iter().find(|(other, _)| *other == symbol).map(|(_, own)| *own);
        let new = self.expressions.graph.substitute(id, &replace);
        let (i, velocity, near) = value;
        let values = match (velocity, near) {
            (true, _) => &mut self.initial_velocities,
            (_, true) => &mut self.near_coordinates,
            _ => &mut self.initial_coordinates,
        };
        values[i] = Some(new);
    }

    fn refuse_open(&mut self, value: Value, symbol: Symbol, coordinate: usize) {
        // An initial value may be missing because of a mistake.
        let Some(place) = self.initial_sources.get(&value).copied() else { return };
        if self.expressions.names.report.faults() > 0 {
            return;
        }
        let name = self.coordinate_name(coordinate);
        let body = name.rsplit_once(".e").filter(|(_, i)| matches!(*i, "0" | "1" | "2" | "3"));
        let message = match (symbol, body) {
            (Symbol::Velocity(_), Some((body, _))) => {
                format!("this initial value depends on how `{body}` turns; write `{body}.angular_velocity = (0, 0, 0)`")
            }
            (Symbol::Velocity(_), None) => format!(
                "this initial value depends on the velocity of `{name}`, which has none; write `dot({name}) = ...`"
            ),
            (_, Some((body, _))) => format!(
                "this initial value depends on the orientation of `{body}`, which has none; write `{body}.orientation \
                     = ...`, \
                 or `~` in place of `=` here"
            ),
            (_, None) => format!(
                "this initial value depends on `{name}`, which has none; write `{name} = ...`, or `~` in place of `=` \
                     here"
            ),
        };
        self.error(place, message);
    }

    fn refuse_circle(&mut self, value: Value, again: Value) {
        let Some(place) = self.initial_sources.get(&value).copied() else { return };
        let (own, other) = (self.coordinate_name(value.0), self.coordinate_name(again.0));
        let message = if value == again {
            format!("the initial value of `{own}` depends on itself; write numbers and parameters")
        } else {
            format!("the initial values of `{own}` and `{other}` depend on each other; give one of them a number")
        };
        self.error(place, message);
    }
}
