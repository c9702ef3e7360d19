//! The parts of equal structure of a model, with what belongs to them.

use std::collections::BTreeSet;

use costate_contract::{Argument, Function};

use super::alike::{self, Component};
use super::block::Block;
use super::group::Group;
use crate::model::Model;
use crate::symbolic::{Given, Graph, Symbol};

/// Parts of equal structure. What one of them has first, second, .. corresponds to what every other one has first,
/// second, ..
#[derive(Debug)]
pub struct Parts {
    /// Number of parts.
    pub count: usize,
    /// Part of every coordinate that belongs to one, and the place among the coordinates of the part.
    coordinates: Vec<Option<(usize, usize)>>,
    /// Part of every constraint, and the place there.
    constraints: Vec<Option<(usize, usize)>>,
    /// Part of every input, and the place there.
    inputs: Vec<Option<(usize, usize)>>,
}

/// The place of a result in a part: the block, and row and column there, with `true` for places within the part.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct EntryPlace {
    block: usize,
    row: (bool, usize),
    column: (bool, usize),
}

impl Parts {
    /// Finds the parts into which the model falls without one of its bodies, or without one of the coordinates that
    /// belong to no body; `None` where no such parts are equal. `newton` is the group of that name.
    pub fn find(model: &Model, graph: &Graph, newton: &Group) -> Option<Parts> {
        let block = |function: Function, argument| {
            newton.blocks.iter().find(|block| (block.function, block.argument) == (function, Some(argument)))
        };
        let motion = block(Function::Step, Argument::Accelerations)?;
        let best = alike::find(model, motion, block(Function::Constraint, Argument::Coordinates)?)?;
        if best.len() > u32::BITS as usize {
            // sets of parts are the bits of a number
            return None;
        }
        let mut parts = Parts {
            count: best.len(),
            coordinates: vec![None; model.coordinates.len()],
            constraints: vec![None; model.constraints.len()],
            inputs: vec![None; model.inputs.len()],
        };
        for (part, Component { coordinates, constraints }) in best.iter().enumerate() {
            for (place, &i) in coordinates.iter().enumerate() {
                parts.coordinates[i] = Some((part, place));
            }
            for (place, &i) in constraints.iter().enumerate() {
                parts.constraints[i] = Some((part, place));
            }
        }
        parts.inputs = parts.find_inputs(graph, newton);
        Some(parts)
    }

    /// Returns the part to which a symbol belongs, and its place there.
    pub fn of(&self, symbol: Symbol) -> Option<(usize, usize)> {
        match symbol {
            Symbol::Coordinate(i)
            | Symbol::Velocity(i)
            | Symbol::Acceleration(i)
            | Symbol::Given(Given::History | Given::Carried, i) => self.coordinates[i],
            Symbol::Multiplier(i) => self.constraints[i],
            Symbol::Input(i) => self.inputs[i],
            _ => None,
        }
    }

    /// Returns the places of the results of a group.
    pub fn places(&self, group: &Group) -> Vec<Option<(usize, EntryPlace)>> {
        let blocks = group.blocks.iter().enumerate();
        blocks.flat_map(|(number, block)| self.places_of_block(number, block)).collect()
    }

    fn places_of_block<'a>(
        &'a self,
        number: usize,
        block: &'a Block,
    ) -> impl Iterator<Item = Option<(usize, EntryPlace)>> + 'a {
        let rows = self.of_rows(block.function);
        let columns = block.argument.map_or(&[][..], |argument| self.of_columns(argument));
        block.entries.iter().map(move |&(row, column)| {
            let of = |owners: &[Option<(usize, usize)>], index: usize| owners.get(index).copied().flatten();
            let (row_owner, column_owner) = (of(rows, row), of(columns, column));
            let part = match (row_owner, column_owner) {
                (Some((part, _)), None) | (None, Some((part, _))) => part,
                (Some((part, _)), Some((other, _))) if part == other => part,
                _ => return None,
            };
            let place = |owner: Option<(usize, usize)>, index| owner.map_or((false, index), |(_, place)| (true, place));
            Some((part, EntryPlace { block: number, row: place(row_owner, row), column: place(column_owner, column) }))
        })
    }

    fn of_rows(&self, function: Function) -> &[Option<(usize, usize)>] {
        match function {
            Function::Inertia
            | Function::Force
            | Function::ConstraintForce
            | Function::ForceResidual
            | Function::Step => &self.coordinates,
            Function::Constraint | Function::ConstraintVelocity | Function::ConstraintAcceleration => &self.constraints,
            _ => &[],
        }
    }

    fn of_columns(&self, argument: Argument) -> &[Option<(usize, usize)>] {
        match argument {
            Argument::Coordinates | Argument::Velocities | Argument::Accelerations => &self.coordinates,
            Argument::Multipliers => &self.constraints,
            Argument::Inputs => &self.inputs,
            _ => &[],
        }
    }

    /// Finds the inputs that act on one part alone.
    fn find_inputs(&self, graph: &Graph, newton: &Group) -> Vec<Option<(usize, usize)>> {
        let mut users: Vec<BTreeSet<Option<usize>>> = vec![BTreeSet::new(); self.inputs.len()];
        for block in newton.blocks.iter().filter(|block| block.argument.is_none()) {
            for (row, _, value) in block.iter() {
                let rows = if block.function == Function::Constraint { &self.constraints } else { &self.coordinates };
                for symbol in graph.symbols(value) {
                    if let Symbol::Input(i) = symbol {
                        users[*i].insert(rows[row].map(|(part, _)| part));
                    }
                }
            }
        }
        let mut numbers = vec![0; self.count];
        let of_one = |users: &BTreeSet<Option<usize>>| {
            let mut parts = users.iter().flatten();
            parts.next().copied().filter(|_| parts.next().is_none())
        };
        let found: Vec<_> = users
            .iter()
            .map(|users| {
                let part = of_one(users)?;
                numbers[part] += 1;
                Some((part, numbers[part] - 1))
            })
            .collect();
        // parts with other numbers of inputs have no inputs that correspond
        if numbers.iter().all(|number| *number == numbers[0]) { found } else { vec![None; found.len()] }
    }
}
