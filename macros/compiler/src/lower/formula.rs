//! A single expression of given quantities and of the time, outside of a model.

use super::expressions::{Context, Expressions};
use super::names::{LetValue, Local};
use crate::diagnostic::{Diagnostic, Place};
use crate::dimension::{Measure, Measured};
use crate::model::Quantity;
use crate::symbolic::{Graph, Id, Symbol};
use crate::syntax::ast::Expr;
use crate::units::Dimension;

/// The meaning of numbers without a unit, of names and of the time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Numbers {
    /// Units as in a model: quantities and the time have their units, which must fit.
    Checked,
    /// All are numbers, of seconds and of the units of the quantities.
    Plain,
}

/// A quantity, with the word that stands for it in the expression.
pub type Named<'a> = (String, &'a Quantity);

/// An expression that has been read.
pub struct Found {
    pub graph: Graph,
    pub value: Id,
    /// The dimension of the value; `None` for plain numbers and for a literal zero.
    pub dimension: Option<Dimension>,
}

/// Reads an expression, in which `Symbol::Input(k)` is the number of the quantity k. With `wanted`, the value is a
/// number in the unit of this quantity, else one in SI units.
pub fn formula(
    written: &Expr,
    quantities: &[Named<'_>],
    numbers: Numbers,
    wanted: Option<&Quantity>,
) -> Result<Found, Vec<Diagnostic>> {
    let mut expressions: Expressions = Default::default();
    expressions.names.is_outside_of_models = true;
    let unit_of = |dimension: Option<Dimension>| match numbers {
        Numbers::Checked => Measure::known_or_unclear(dimension),
        Numbers::Plain => Measure::NUMBER,
    };
    let time = expressions.graph.symbol(Symbol::Time);
    let time = Measured { id: time, unit: unit_of(Some(Dimension::TIME)) };
    expressions.define("t".to_owned(), time);
    for (k, (word, quantity)) in quantities.iter().enumerate() {
        let number = expressions.graph.symbol(Symbol::Input(k));
        let id = match numbers {
            Numbers::Checked => expressions.in_si(number, quantity.scale),
            Numbers::Plain => number,
        };
        expressions.define(word.clone(), Measured { id, unit: unit_of(quantity.dimension) });
    }
    let value = expressions.whole_value(written, numbers, wanted);
    let diagnostics = expressions.names.report.diagnostics;
    match value {
        Some(Measured { id, unit }) if diagnostics.is_empty() => {
            let dimension = unit.known().filter(|_| numbers == Numbers::Checked);
            Ok(Found { graph: expressions.graph, value: id, dimension })
        }
        _ => Err(diagnostics.into_errors()),
    }
}

impl Expressions {
    /// Gives a word a value.
    fn define(&mut self, word: String, value: Measured) {
        // no warning says that it is not used
        let local = Local::Let { value: Some(LetValue::Number(value)), definition: usize::MAX };
        self.names.scopes.define(word, local);
    }

    /// Reads the expression, whose value is in the unit of `wanted` or in SI units.
    fn whole_value(&mut self, written: &Expr, numbers: Numbers, wanted: Option<&Quantity>) -> Option<Measured> {
        let Measured { id, unit } = self.measured(written, Context::Output)?;
        let id = match wanted {
            Some(wanted) if numbers == Numbers::Checked => {
                let dimension = wanted.dimension.unwrap_or(Dimension::NONE);
                self.expect(unit, dimension, written, &format!("the value of `{}`", wanted.name));
                let factor = wanted.scale.inverse();
                self.in_si(id, factor)
            }
            _ => id,
        };
        let id = self.bounded(id, written.place)?;
        Some(Measured { id, unit })
    }
}

/// Returns an error at the whole of a text that has no tokens.
pub fn empty() -> Diagnostic {
    let place = Place::from(proc_macro2::Span::call_site());
    Diagnostic { message: "there is no expression; write e.g. `500*sin(60*t)`".to_owned(), place }
}
