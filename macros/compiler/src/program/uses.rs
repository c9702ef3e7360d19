//! Arrays, lookups and tables that a function uses.

use std::collections::BTreeSet;

use super::{Array, Expression, Function, Index, Place, Statement};

/// Arrays, lookups and tables that a function, or a part of it, uses.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Uses {
    /// Arrays with entries that are read or stored.
    pub arrays: BTreeSet<Array>,
    /// Constants of the run that are read, by position.
    pub constants: BTreeSet<usize>,
    /// Tables of the model in which values are looked up.
    pub lookups: BTreeSet<usize>,
    /// Tables of positions, [`Function::positions`].
    pub positions: BTreeSet<usize>,
    /// Tables of numbers, [`Function::numbers`].
    pub numbers: BTreeSet<usize>,
    /// True if variables are taken from entries that follow each other.
    pub takes: bool,
    /// True if numbers are stored in entries that follow each other.
    pub puts: bool,
    /// True if something is repeated.
    pub repeats: bool,
    /// True if something is done for selected parameters alone.
    pub selects: bool,
}

impl Function {
    /// Returns what the function uses itself; functions that it calls use more.
    pub fn uses(&self) -> Uses {
        Uses::of(&self.body)
    }
}

impl Uses {
    /// Returns what these statements use.
    pub fn of(statements: &[Statement]) -> Self {
        let mut uses = Self::default();
        uses.statements(statements);
        uses
    }

    fn statements(&mut self, statements: &[Statement]) {
        statements.iter().for_each(|statement| self.statement(statement));
    }

    fn statement(&mut self, statement: &Statement) {
        match statement {
            Statement::Let { value, .. } => self.expression(value),
            Statement::Unpack { array, .. } => self.array(*array),
            Statement::Take { first, .. } => {
                self.takes = true;
                self.place(*first);
            }
            Statement::Put { first, values } => {
                self.puts = true;
                self.place(*first);
                self.expressions(values);
            }
            Statement::SinCos { argument, .. } => self.expression(argument),
            Statement::SinCosEach { arguments, .. } | Statement::ExpEach { arguments, .. } => {
                self.expressions(arguments);
            }
            Statement::Lookup { table, arguments, .. } => {
                self.lookups.insert(*table);
                self.expressions(arguments);
            }
            Statement::Store { to, value } | Statement::Add { to, value } => {
                self.place(*to);
                self.expression(value);
            }
            Statement::StoreAll { array, values, .. } => {
                if !values.is_empty() {
                    self.array(*array);
                }
                self.expressions(values);
            }
            Statement::Loop { body, .. } => {
                self.repeats = true;
                self.statements(body);
            }
            Statement::SinCosLoop { before, argument, arguments, sines, cosines, .. } => {
                self.repeats = true;
                self.statements(before);
                self.expression(argument);
                self.arrays.extend([*arguments, *sines, *cosines].map(Array::Local));
            }
            Statement::IfSelected { body, .. } => {
                self.selects = true;
                self.statements(body);
            }
            Statement::Copy { from, to } => self.arrays.extend([*from, Array::Local(*to)]),
            Statement::AddAll { from, to } => self.arrays.extend([Array::Local(*from), *to]),
            Statement::StoreSelected { from, to } => {
                self.selects = true;
                self.arrays.extend([Array::Local(*from), *to]);
            }
            Statement::Call(_) => {}
            // the point has the constants of the run
            Statement::Evaluate { to, .. } => self.arrays.extend([Array::Constants, Array::Local(*to)]),
        }
    }

    fn expressions(&mut self, expressions: &[Expression]) {
        expressions.iter().for_each(|expression| self.expression(expression));
    }

    fn expression(&mut self, expression: &Expression) {
        match expression {
            Expression::Entry(place) => self.place(*place),
            Expression::NumberOf(table) => {
                self.numbers.insert(*table);
            }
            _ => self.expressions(expression.operands()),
        }
    }

    fn place(&mut self, place: Place) {
        self.array(place.array);
        if let Place { array: Array::Constants, index: Index::At(position) } = place {
            self.constants.insert(position);
        }
        if let Index::Table(table) = place.index {
            self.positions.insert(table);
        }
    }

    fn array(&mut self, array: Array) {
        self.arrays.insert(array);
    }
}
