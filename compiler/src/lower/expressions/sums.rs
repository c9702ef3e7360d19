//! Sums over an index: `sum(i in 1..=3, x[i])`.

use syn::ext::IdentExt;

use super::{Context, Expressions};
use crate::diagnostic::Place;
use crate::dimension::{Measure, Measured};
use crate::lower::names::Local;
use crate::symbolic::Id;
use crate::syntax::ast::{Expr, SumSyntax};

/// Longer sums are sums of parts that are as long, lest too many operations build on each other.
const LONGEST: usize = 500;

impl Expressions {
    /// The sum of the terms, all of them in one unit; zero if there are none.
    pub fn sum(&mut self, sum: &SumSyntax, place: Place, context: Context) -> Option<Measured> {
        let terms = self.terms(sum, |expressions, term| {
            let Measured { id, unit } = expressions.measured(term, context)?;
            Some(Measured { id: expressions.bounded(id, term.place)?, unit })
        })?;
        let mut unit = Measure::Any;
        for term in &terms {
            unit = self.alike(unit, (&sum.term, *term), "another term of the sum");
        }
        let ids: Vec<Id> = terms.iter().map(|term| term.id).collect();
        let parts: Vec<Id> = ids.chunks(LONGEST).map(|part| self.total(part)).collect();
        let id = self.total(&parts);
        Some(Measured { id: self.bounded(id, place)?, unit })
    }

    /// What `read` makes of the term for every value of the index; `None` after an error, the first of which ends the sum.
    fn terms<T>(&mut self, sum: &SumSyntax, read: impl Fn(&mut Self, &Expr) -> Option<T>) -> Option<Vec<T>> {
        let values = self.names.range(&sum.range)?;
        if !self.names.may_repeat(&values, sum.range.place) {
            return None;
        }
        let variable = sum.variable.unraw().to_string();
        if let Some(message) = self.names.name_in_use(&variable) {
            return self.refuse(sum.variable.span(), message);
        }
        if values.is_empty() {
            // In a model of another size, names are used in it.
            self.names.usage.is_partial = true;
        }
        let mut terms = Vec::new();
        for value in values {
            self.names.scopes.push();
            self.names.scopes.define(variable.clone(), Local::Loop(value));
            let term = read(self, &sum.term);
            self.names.scopes.pop();
            terms.push(term?);
        }
        Some(terms)
    }

    fn total(&mut self, terms: &[Id]) -> Id {
        let Some((first, rest)) = terms.split_first() else { return self.graph.zero() };
        rest.iter().fold(*first, |sum, term| self.graph.add(sum, *term))
    }
}
