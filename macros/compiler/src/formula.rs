//! Expressions outside of models: signals of inputs over time, and costs of outputs, in the language of models,
//! with some functions of time more.

use proc_macro2::{Delimiter, TokenStream, TokenTree};

use crate::diagnostic::Diagnostic;
use crate::lower::formula::{Found, Numbers, empty, formula};
use crate::model::Quantity;
use crate::symbolic::{Graph, Id, Symbol};
use crate::syntax::expression::expression;
use crate::text;
use crate::tokens::Tokens;
use crate::units::Dimension;

/// An expression of the time t and of given quantities.
///
/// It has the functions of the language, and these: `step(x)` is 0 before x = 0 and 1 from there on, `pulse(x, length)`
/// is 1 from x = 0 to x = length and 0 elsewhere, `chirp(x, from, to, length)` is a sine whose frequency goes from
/// `from` to `to` while x goes from 0 to `length`.
///
/// ```
/// use costate_compiler::{Formula, compile_str};
///
/// let compiled = compile_str("M { inputs { pull: kN } coordinates { x: m } mass { x: 1[kg] } forces { x: pull } }");
/// let model = compiled.map_err(|errors| format!("{errors:?}"))?.model;
/// let pull = Formula::signal("2*step(t - 1)", &model.inputs[0]).map_err(|errors| format!("{errors:?}"))?;
/// assert_eq!((pull.value(0.5, &[]), pull.value(1.5, &[])), (0.0, 2.0));
/// let same = Formula::signal("500[N]*t/0.5[s]", &model.inputs[0]).map_err(|errors| format!("{errors:?}"))?;
/// assert_eq!(same.value(2.0, &[]), 2.0);
/// # Ok::<(), String>(())
/// ```
#[derive(Debug)]
pub struct Formula {
    graph: Graph,
    value: Id,
    derivatives: Vec<Id>,
    /// The nodes of the value and of its derivatives, operands before results.
    orders: [Vec<Id>; 2],
    dimension: Option<Dimension>,
}

impl Formula {
    /// Reads the signal of an input: an expression of the time, whose value is in the unit of the input. Without any
    /// unit in the text, all numbers are plain ones, t a number of seconds; if one number has a unit, all units must
    /// fit.
    ///
    /// # Errors
    /// Every mistake that was found, with its place in the text.
    pub fn signal(text: &str, input: &Quantity) -> Result<Self, Vec<Diagnostic>> {
        let tokens = tokens(text)?;
        let numbers = if has_units(&tokens) { Numbers::Checked } else { Numbers::Plain };
        Self::read(tokens, &[], numbers, Some(input))
    }

    /// Reads an expression of these quantities and of the time, in which all units must fit. Its value is in SI units.
    ///
    /// # Errors
    /// Every mistake that was found, with its place in the text.
    pub fn of(text: &str, quantities: &[Quantity]) -> Result<Self, Vec<Diagnostic>> {
        Self::read(tokens(text)?, quantities, Numbers::Checked, None)
    }

    fn read(
        tokens: TokenStream,
        quantities: &[Quantity],
        numbers: Numbers,
        wanted: Option<&Quantity>,
    ) -> Result<Self, Vec<Diagnostic>> {
        let mut tokens = Tokens::new(tokens);
        if tokens.is_empty() {
            return Err(vec![empty()]);
        }
        let written = expression(&mut tokens).map_err(|error| vec![error])?;
        if !tokens.is_empty() {
            let message = format!("unexpected {}; write one expression", tokens.found());
            return Err(vec![tokens.error(message)]);
        }
        let Found { mut graph, value, dimension } = formula(&written, quantities, numbers, wanted)?;
        let derivatives = (0..quantities.len()).map(|k| graph.differentiate(value, Symbol::Input(k)));
        let derivatives: Vec<Id> = derivatives.collect();
        let orders = [graph.reachable(&[value]), graph.reachable(&derivatives)];
        Ok(Self { graph, value, derivatives, orders, dimension })
    }

    /// Returns the SI unit of the value of an expression of quantities; `None` for a signal of plain numbers, and for a
    /// literal zero.
    pub fn unit(&self) -> Option<String> {
        self.dimension.map(Dimension::readable)
    }

    /// Returns the SI unit of the integral of the value over time.
    pub fn unit_of_integral(&self) -> Option<String> {
        self.dimension?.times(Dimension::TIME).map(Dimension::readable)
    }

    /// Returns the positions of the quantities on which the expression depends.
    pub fn depends_on(&self) -> Vec<usize> {
        (0..self.derivatives.len()).filter(|k| self.graph.depends_on(self.value, Symbol::Input(*k))).collect()
    }

    /// Evaluates the expression at a time in s, for the values of all quantities in their units; NaN where one of them
    /// is missing.
    pub fn value(&self, time: f64, values: &[f64]) -> f64 {
        self.evaluate(&self.orders[0], time, values)[self.value.index()]
    }

    /// Evaluates the derivatives of the value by all quantities in their units.
    pub fn derivatives(&self, time: f64, values: &[f64]) -> Vec<f64> {
        let values = self.evaluate(&self.orders[1], time, values);
        self.derivatives.iter().map(|id| values[id.index()]).collect()
    }

    /// Returns the values of these nodes, by their positions in the graph.
    fn evaluate(&self, order: &[Id], time: f64, values: &[f64]) -> Vec<f64> {
        let value = |symbol| match symbol {
            Symbol::Time => time,
            Symbol::Input(k) => values.get(k).copied().unwrap_or(f64::NAN),
            _ => f64::NAN,
        };
        self.graph.values(order, value, |_, _| f64::NAN)
    }
}

/// Splits a text into tokens.
fn tokens(text: &str) -> Result<TokenStream, Vec<Diagnostic>> {
    text::tokens(text).map_err(|fault| vec![Diagnostic { message: fault.message, place: fault.span.into() }])
}

/// Checks whether a number is followed by a unit in brackets.
fn has_units(tokens: &TokenStream) -> bool {
    let mut open = vec![tokens.clone()];
    while let Some(tokens) = open.pop() {
        let mut is_after_number = false;
        for tree in tokens {
            match &tree {
                TokenTree::Group(group) if is_after_number && group.delimiter() == Delimiter::Bracket => return true,
                TokenTree::Group(group) => open.push(group.stream()),
                _ => {}
            }
            is_after_number = matches!(tree, TokenTree::Literal(_));
        }
    }
    false
}
