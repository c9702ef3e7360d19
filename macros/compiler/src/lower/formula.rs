//! A single expression of given quantities and of the time, outside of a model.

use proc_macro2::{Ident, TokenStream};
use quote::quote_spanned;
use syn::ext::IdentExt;

use super::expressions::{Context, Expressions};
use super::names::{LetValue, Local};
use crate::diagnostic::{Diagnostic, Place};
use crate::dimension::{Measure, Measured};
use crate::model::Quantity;
use crate::symbolic::{Graph, Id, Symbol};
use crate::syntax::ast::{Expr, NameSyntax};
use crate::syntax::expression::expression;
use crate::tokens::Tokens;
use crate::units::Dimension;

/// The meaning of numbers without a unit, of names and of the time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Numbers {
    /// Units as in a model: quantities and the time have their units, which must fit.
    Checked,
    /// All are numbers, of seconds and of the units of the quantities.
    Plain,
}

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
    quantities: &[Quantity],
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
    for (k, quantity) in quantities.iter().enumerate() {
        let number = expressions.graph.symbol(Symbol::Input(k));
        let id = match numbers {
            Numbers::Checked => expressions.in_si(number, quantity.scale),
            Numbers::Plain => number,
        };
        expressions.define(quantity.name.clone(), Measured { id, unit: unit_of(quantity.dimension) });
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

    /// Returns the value of a quantity such as `x[2]` or `front.load`, by its whole name.
    pub fn quantity_outside(&mut self, name: &NameSyntax) -> Option<Measured> {
        let path = self.names.path(name);
        match self.names.scopes.get(&path)? {
            Local::Let { value: Some(LetValue::Number(value)), .. } => Some(value),
            _ => None,
        }
    }

    /// Calls a function that only expressions outside of models have; `None` if it has another name.
    pub fn call_outside(
        &mut self,
        function: &Ident,
        arguments: &[Expr],
        place: Place,
        context: Context,
    ) -> Option<Option<Measured>> {
        let (parameters, body) = function_of_time(function)?;
        if arguments.len() != parameters.len() {
            let message = format!("write `{function}({})`", parameters.join(", "));
            return Some(self.refuse(place, message));
        }
        let values: Vec<Option<Measured>> = arguments.iter().map(|argument| self.measured(argument, context)).collect();
        self.names.scopes.push();
        for (parameter, value) in parameters.iter().zip(values) {
            let local = Local::Let { value: value.map(LetValue::Number), definition: usize::MAX };
            self.names.scopes.define((*parameter).to_owned(), local);
        }
        let body = expression(&mut Tokens::new(body)).ok();
        let value = body.and_then(|body| self.measured(&body, context));
        self.names.scopes.pop();
        Some(value)
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

/// Returns the parameters of a function that jumps or sweeps, and the expression of its value.
fn function_of_time(function: &Ident) -> Option<(&'static [&'static str], TokenStream)> {
    let span = function.span();
    Some(match function.unraw().to_string().as_str() {
        "step" => (&["x"], quote_spanned!(span=> if x >= 0 { 1 } else { 0 })),
        "pulse" => (&["x", "length"], quote_spanned!(span=> if abs(x/length - 0.5) <= 0.5 { 1 } else { 0 })),
        "chirp" => {
            (&["x", "from", "to", "length"], quote_spanned!(span=> sin(2*pi*x*(from + (to - from)*x/(2*length)))))
        }
        _ => return None,
    })
}

/// Returns an error at the whole of a text that has no tokens.
pub fn empty() -> Diagnostic {
    let place = Place::from(proc_macro2::Span::call_site());
    Diagnostic { message: "there is no expression; write e.g. `500*sin(60*t)`".to_owned(), place }
}
