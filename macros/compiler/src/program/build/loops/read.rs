//! Reading of the operands of a statement in a loop.

use super::schedule::Part;
use super::shape;
use super::storage::giver_within;
use super::unit::Unit;
use super::writer::{Body, Column, Writer};
use crate::program::{Array, Expression, Index, Local, Place, Statement};
use crate::symbolic::{Given, Id, Node, Symbol};

/// The local array with the right-hand side of a linear system, in functions that overwrite the right-hand side.
pub const RIGHT: Local = Local(0);

impl Writer<'_> {
    /// Makes a leaf outside of loops known.
    pub fn know_straight(&mut self, id: Id) {
        if self.code.knows(id) {
            return;
        }
        let place = if let Some((result, position)) = self.storage.place_of(id) {
            Some(Place { array: self.value_array(result), index: Index::At(position) })
        } else if let Node::Symbol(symbol) = self.units.graph.node(id) {
            symbol_place(symbol)
        } else {
            return;
        };
        let known = match place {
            Some(place) => Expression::Entry(place),
            None => self.code.fault(format!("{:?} is no constant of the run", self.units.graph.node(id))),
        };
        self.code.know(id, known);
    }

    /// Makes the operands known that the first unit of the part reads from outside; returns what was known before.
    pub fn know_columns(&mut self, body: &mut Body, part: &Part) -> Vec<(Id, Option<Expression>)> {
        let mut before = Vec::new();
        for (&place, column) in part.places.iter().zip(&part.columns) {
            if place == shape::Place::Literal && column.iter().all(|id| *id == column[0]) {
                // the same number in all repetitions
                continue;
            }
            let known = self.column(body, place, column);
            before.push((column[0], self.code.know(column[0], known)));
        }
        self.know_time(&self.units.units[part.units[0]]);
        before
    }

    /// Makes the time known, which is the same for all units.
    pub fn know_time(&mut self, unit: &Unit) {
        if unit.roots.iter().any(|&id| self.units.graph.depends_on(id, Symbol::Time))
            && let Some(time) = self.units.graph.find(Node::Symbol(Symbol::Time))
        {
            self.know_straight(time);
        }
    }

    /// Returns what reads a column of leaves, one in each repetition.
    fn column(&mut self, body: &mut Body, place: shape::Place, column: &[Id]) -> Expression {
        if place == shape::Place::Literal {
            return self.literals(column);
        }
        if place == shape::Place::Constant && column.iter().all(|&id| id == column[0]) {
            return self.code.expression(column[0]);
        }
        if let Some(&variable) =
            giver_within(self.units, self.schedule, body.index, column).and_then(|giver| body.given.get(&giver))
        {
            return Expression::Variable(variable);
        }
        let read = self.read_column(place, column);
        if let Some(&variable) = body.read.get(&read) {
            return Expression::Variable(variable);
        }
        let (result, _, positions) = &read;
        let (result, index) = (*result, self.index(positions));
        let (array, suffix) = match place {
            shape::Place::Value => (self.value_array(result), ""),
            shape::Place::Constant => (Array::Local(self.constants_array), ""),
            shape::Place::Coordinate => (Array::Coordinates, ""),
            shape::Place::Velocity => (Array::Velocities, "_dot"),
            shape::Place::Acceleration => (Array::Accelerations, "_ddot"),
            shape::Place::Multiplier => (Array::Multipliers, ""),
            shape::Place::Input => (Array::Inputs, ""),
            shape::Place::Given(given) => match given_array(given) {
                Some(array) => (array, ""),
                None => return self.code.fault("a loop does not know a number of a part"),
            },
            shape::Place::Literal => return self.code.fault("a loop does not know a number"),
        };
        let entry = Expression::Entry(Place { array, index });
        let says_nothing = place == shape::Place::Value && !self.code.has_own_name(column[0]);
        let is_call = self.schedule.loops[body.index].is_call(&self.units.units);
        if body.uses.get(&read) == Some(&1) && (says_nothing || is_call) {
            return entry;
        }
        let to = match self.units.family(column[0]) {
            Some(family) => self.code.unique(&format!("{}{}{suffix}", prefix(place), family.replace('.', "_"))),
            None => self.code.variable_like(column[0]),
        };
        body.statements.push(Statement::Let { to, value: entry });
        body.read.insert(read, to);
        Expression::Variable(to)
    }

    /// Returns the array and the positions from which a column of leaves is read.
    pub fn read_column(&mut self, place: shape::Place, column: &[Id]) -> Column {
        let result = self.storage.place_of(column[0]).and_then(|(result, _)| result);
        (result, place, column.iter().map(|&id| self.position(place, id)).collect())
    }

    /// Returns the array of intermediate values, or the array of results that contains them.
    fn value_array(&self, result: Option<usize>) -> Array {
        result.map_or(Array::Local(self.array), |result| self.results[result])
    }

    /// Returns the position of a leaf in its array.
    fn position(&mut self, place: shape::Place, id: Id) -> usize {
        match place {
            shape::Place::Value => self.known_position(self.storage.place_of(id).map(|(_, position)| position)),
            shape::Place::Constant => *self.pool_positions.entry(id).or_insert_with(|| {
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

    /// Returns numbers that may differ between repetitions.
    fn literals(&mut self, column: &[Id]) -> Expression {
        let numbers = column.iter().map(|&id| self.units.graph.as_constant(id));
        let Some(numbers) = numbers.collect::<Option<Vec<f64>>>() else {
            return self.code.fault("a loop does not know a number");
        };
        self.numbers.push(numbers);
        Expression::NumberOf(self.numbers.len() - 1)
    }
}

/// Returns the entry that holds a symbol; `None` for a constant of the run.
fn symbol_place(symbol: Symbol) -> Option<Place> {
    let (array, i) = match symbol {
        Symbol::Time => (Array::Time, 0),
        Symbol::Coordinate(i) => (Array::Coordinates, i),
        Symbol::Velocity(i) => (Array::Velocities, i),
        Symbol::Acceleration(i) => (Array::Accelerations, i),
        Symbol::Multiplier(i) => (Array::Multipliers, i),
        Symbol::Input(i) => (Array::Inputs, i),
        Symbol::Given(given, i) => (given_array(given)?, i),
        Symbol::Parameter(_) | Symbol::Integrator(_) => return None,
    };
    Some(Place { array, index: Index::At(i) })
}

/// Returns the array of an additional argument of the functions of a step; `None` for numbers that no function takes.
fn given_array(given: Given) -> Option<Array> {
    Some(match given {
        Given::History => Array::History,
        Given::Factor => Array::Factors,
        Given::RightSide => Array::Local(RIGHT),
        Given::AdjointCarry => Array::CarryRight,
        Given::Carried => Array::Carried,
        Given::OutputGradient => Array::OutputGradient,
        Given::AdjointCoefficient => Array::AdjointCoefficients,
        Given::Part => return None,
    })
}

/// Returns the prefix of the names of variables that hold these numbers.
fn prefix(place: shape::Place) -> &'static str {
    match place {
        shape::Place::Multiplier => "lambda_",
        shape::Place::Given(Given::History) => "history_",
        shape::Place::Given(Given::RightSide) => "b_",
        shape::Place::Given(Given::AdjointCarry) => "carry_",
        shape::Place::Given(Given::Carried) => "carried_",
        _ => "",
    }
}
