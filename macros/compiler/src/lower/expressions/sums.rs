//! Expressions for every value of an index: sums, `sum(i in 1..=3, x[i])`.

use std::ops::RangeInclusive;

use syn::ext::IdentExt;

use super::{Context, Expressions};
use crate::diagnostic::Place;
use crate::dimension::{Measure, Measured};
use crate::lower::names::Local;
use crate::symbolic::Id;
use crate::syntax::ast::{Expr, IndexSyntax, SumSyntax};

impl Expressions {
    /// Reads a sum of terms, all of which have the same unit; zero if there are none.
    pub fn sum(&mut self, sum: &SumSyntax, place: Place, context: Context) -> Option<Measured> {
        // Largest number of terms that are added one by one; longer sums are split into parts, to limit the depth of
        // the graph.
        const MAX_TERMS: usize = 500;
        let terms = self.terms(sum, |expressions, term| {
            let Measured { id, unit } = expressions.measured(term, context)?;
            Some(Measured { id: expressions.bounded(id, term.place)?, unit })
        })?;
        let mut unit = Measure::Any;
        for term in &terms {
            unit = self.alike(unit, (&sum.term, *term), "another term of the sum");
        }
        let ids: Vec<Id> = terms.iter().map(|term| term.id).collect();
        let parts: Vec<Id> = ids.chunks(MAX_TERMS).map(|part| self.total(part)).collect();
        let id = self.total(&parts);
        Some(Measured { id: self.bounded(id, place)?, unit })
    }

    /// Applies `read` to the term for every value of the index; `None` after an error, the first of which ends the
    /// sum.
    pub fn terms<T>(&mut self, sum: &SumSyntax, read: impl Fn(&mut Self, &Expr) -> Option<T>) -> Option<Vec<T>> {
        let values = self.index_values(&sum.index)?;
        values.map(|value| self.at_index(&sum.index, value, |this| read(this, &sum.term))).collect()
    }

    /// Returns the range of an index; `None` after an error.
    pub fn index_values(&mut self, index: &IndexSyntax) -> Option<RangeInclusive<i64>> {
        let values = self.names.range(&index.range)?;
        if !self.names.may_repeat(&values, index.range.place) {
            return None;
        }
        if let Some(message) = self.names.name_in_use(&index.variable.unraw().to_string()) {
            return self.refuse(index.variable.span(), message);
        }
        if values.is_empty() {
            // Names may be used in the term of a model of another size.
            self.names.usage.is_partial = true;
        }
        Some(values)
    }

    /// Applies `read` with the index set to a value.
    pub fn at_index<T>(&mut self, index: &IndexSyntax, value: i64, read: impl FnOnce(&mut Self) -> T) -> T {
        self.names.scopes.push();
        self.names.scopes.define(index.variable.unraw().to_string(), Local::Loop(value));
        let result = read(self);
        self.names.scopes.pop();
        result
    }

    fn total(&mut self, terms: &[Id]) -> Id {
        let Some((first, rest)) = terms.split_first() else { return self.graph.zero() };
        rest.iter().fold(*first, |sum, term| self.graph.add(sum, *term))
    }
}
