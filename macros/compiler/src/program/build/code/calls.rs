//! Calls that give several values: sine and cosine, like calls of several arguments, derivatives of a table.

use super::super::operations::needed;
use super::{Code, Writing};
use crate::program::{Expression, Statement, Variable};
use crate::symbolic::{Function, Id, Lookup, Node};

impl Code<'_> {
    /// Computes the calls of several arguments that go with `call`.
    pub(super) fn bind_like_calls(&mut self, call: Id, group: &[Id], writing: &mut Writing) {
        for id in needed(self.graph, group, |id| self.known.contains_key(&id)) {
            if writing.like_calls.group_of(id).is_none_or(|own| *own != *group) {
                self.visit(id, writing);
            }
        }
        let arguments = group.iter().map(|&argument| self.expression(argument)).collect();
        let is_exp = matches!(self.graph.node(call), Node::Unary(Function::Exp, _));
        let mut variables = |function: Function| -> Vec<Option<Variable>> {
            let variable = |&argument: &Id| {
                let id = self.graph.find(Node::Unary(function, argument));
                let id = id.filter(|id| writing.order.binary_search(id).is_ok())?;
                let variable = self.variable(id);
                self.known.insert(id, Expression::Variable(variable));
                Some(variable)
            };
            group.iter().map(variable).collect()
        };
        let statement = if is_exp {
            Statement::ExpEach { values: variables(Function::Exp), arguments }
        } else {
            let (sines, cosines) = (variables(Function::Sin), variables(Function::Cos));
            Statement::SinCosEach { sines, cosines, arguments }
        };
        self.push(statement);
    }

    pub(super) fn bind_sin_cos(&mut self, sin: Id, cos: Id, argument: Id) {
        let [sin_variable, cos_variable] = [sin, cos].map(|id| self.variable(id));
        let argument = self.expression(argument);
        self.known.insert(sin, Expression::Variable(sin_variable));
        self.known.insert(cos, Expression::Variable(cos_variable));
        self.push(Statement::SinCos { sin: Some(sin_variable), cos: Some(cos_variable), argument });
    }

    /// Computes all lookups of a table at the same arguments, as results of one search in its knots.
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
        let arguments = arguments.into_iter().map(|id| self.expression(id)).collect();
        let mut values = Vec::new();
        for (_, id) in found {
            let variable = self.variable(id);
            self.known.insert(id, Expression::Variable(variable));
            values.push(Some(variable));
        }
        self.push(self.lookup(values, &lookups, arguments));
    }

    /// Returns the statement that takes values of one table at the same arguments.
    pub fn lookup(&self, values: Vec<Option<Variable>>, lookups: &[Lookup], arguments: Vec<Expression>) -> Statement {
        let table = lookups.first().map_or(usize::MAX, |lookup| lookup.table as usize);
        if table >= self.model.tables.len() {
            self.fault("a function does not know a table");
        }
        let orders = lookups.iter().map(|lookup| lookup.orders).collect();
        Statement::Lookup { values, table, arguments, orders }
    }
}
