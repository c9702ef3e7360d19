//! Expressions: from the syntax tree to the graph.

use syn::ext::IdentExt;

use super::arguments::ArgumentValue;
use super::context::Context;
use super::functions::{self, NumberFunction};
use super::lower::Lowering;
use super::names::Kind;
use super::scope::Local;
use crate::diagnostic::Place;
use crate::dimension::{Measure, Measured};
use crate::nearest::nearest;
use crate::symbolic::{Id, Symbol};
use crate::syntax::ast::{BinaryOperator, Expr, ExprKind, NameSyntax};
use crate::units::{Dimension, Scale};

impl Lowering<'_> {
    /// The expression's value in SI units and what it is measured in; `None` after an error.
    pub fn measured(&mut self, expr: &Expr, context: Context) -> Option<Measured> {
        match &expr.kind {
            ExprKind::Number { value, unit, .. } => {
                let dimension = unit.as_ref().map_or(Some(Dimension::NONE), |unit| unit.dimension);
                let zero = *value == 0.0 && unit.is_none();
                let value = unit.as_ref().map_or(*value, |unit| unit.scale.apply(*value));
                let unit = if zero { Measure::Any } else { Measure::known_or_unclear(dimension) };
                Some(Measured { id: self.graph.constant(value), unit })
            }
            ExprKind::Name(name) => self.name(name, context),
            ExprKind::Negate(inner) => {
                let Measured { id, unit } = self.measured(inner, context)?;
                Some(Measured { id: self.graph.negate(id), unit })
            }
            ExprKind::Binary(operator, left, right) if is_arithmetic(*operator) => {
                // Both sides, so that a mistake on either is reported.
                let values = (self.measured(left, context), self.measured(right, context));
                self.arithmetic(*operator, (left, values.0?), (right, values.1?))
            }
            ExprKind::Binary(..) | ExprKind::Not(_) => {
                self.error_at(
                    expr.place,
                    "expected a number, found a condition; write `if condition { 1 } else { 0 }`",
                );
                None
            }
            ExprKind::Call { function, arguments } => self.call(function, arguments, expr.place, context),
            ExprKind::If { condition: condition_syntax, yes, no } => {
                let condition = self.condition(condition_syntax, context);
                let holds = condition.and_then(|condition| self.known_condition(condition));
                if let (Some(holds), true) = (holds, self.has_feature(condition_syntax)) {
                    // The other branch belongs to another variant, which has names of its own.
                    self.usage.is_partial = true;
                    return self.measured(if holds { yes } else { no }, context);
                }
                let first = self.branch(yes, context, holds != Some(false));
                let second = self.branch(no, context, holds != Some(true));
                let (condition, first, second) = (condition?, first?, second?);
                let unit = self.alike(first.unit, (no, second), "the other branch");
                let id = match holds {
                    Some(true) => first.id,
                    Some(false) => second.id,
                    None => self.graph.select(condition, first.id, second.id),
                };
                if holds.is_none() {
                    self.note_kink("if", id, expr.place);
                }
                Some(Measured { id, unit })
            }
            ExprKind::List(_) => {
                self.error_at(
                    expr.place,
                    "expected a number, found a list; a list stands only as the default of an array of parameters",
                );
                None
            }
            ExprKind::Vector(_) => {
                self.error_at(expr.place, "expected a number, found a vector; write one of its components");
                None
            }
            ExprKind::Attached(attached) => self.measured_point(attached, expr.place, context),
        }
    }

    pub(super) fn condition(&mut self, expr: &Expr, context: Context) -> Option<Id> {
        match &expr.kind {
            ExprKind::Name(name) if name.is_word() && self.known_truth(&name.ident).is_some() => {
                let holds = self.known_truth(&name.ident)?;
                // A condition between numbers, whose value is known.
                let zero = self.graph.zero();
                let holds_always = self.graph.equal(zero, zero);
                Some(if holds { holds_always } else { self.graph.not(holds_always) })
            }
            ExprKind::Not(inner) => {
                let inner = self.condition(inner, context)?;
                Some(self.graph.not(inner))
            }
            ExprKind::Binary(operator @ (BinaryOperator::And | BinaryOperator::Or), left, right) => {
                let (left, right) = (self.condition(left, context), self.condition(right, context));
                let (left, right) = (left?, right?);
                Some(match operator {
                    BinaryOperator::And => self.graph.and(left, right),
                    _ => self.graph.or(left, right),
                })
            }
            ExprKind::Binary(operator, left, right) if !is_arithmetic(*operator) => {
                let values = (self.measured(left, context), self.measured(right, context));
                let (first, second) = (values.0?, values.1?);
                self.alike(first.unit, (right, second), "what it is compared with");
                let (left, right) = (first.id, second.id);
                let graph = &mut self.graph;
                Some(match operator {
                    BinaryOperator::Less => graph.less(left, right),
                    BinaryOperator::LessEqual => graph.less_equal(left, right),
                    BinaryOperator::Greater => graph.less(right, left),
                    BinaryOperator::GreaterEqual => graph.less_equal(right, left),
                    BinaryOperator::Equal => graph.equal(left, right),
                    _ => {
                        let equal = graph.equal(left, right);
                        graph.not(equal)
                    }
                })
            }
            _ => {
                // A mistake in what is named has been reported where it is declared.
                let unclear = matches!(&expr.kind, ExprKind::Name(name)
                    if name.is_word() && self.names.is_unclear(&name.ident.unraw().to_string()));
                if !unclear {
                    let message = self.no_condition(expr);
                    self.error_at(expr.place, message);
                }
                None
            }
        }
    }

    /// Whether a feature stands in the condition.
    fn has_feature(&self, condition: &Expr) -> bool {
        match &condition.kind {
            ExprKind::Name(name) => name.is_word() && self.feature(&name.ident.unraw().to_string()).is_some(),
            ExprKind::Not(inner) => self.has_feature(inner),
            ExprKind::Binary(BinaryOperator::And | BinaryOperator::Or, left, right) => {
                self.has_feature(left) || self.has_feature(right)
            }
            _ => false,
        }
    }

    /// Of `true`, `false` and features.
    fn known_truth(&self, name: &proc_macro2::Ident) -> Option<bool> {
        match name.unraw().to_string().as_str() {
            "true" => Some(true),
            "false" => Some(false),
            name => self.feature(name),
        }
    }

    fn name(&mut self, name: &NameSyntax, context: Context) -> Option<Measured> {
        let text = name.ident.unraw().to_string();
        if let (true, Some(local)) = (name.members.is_empty(), self.scopes.get(&text)) {
            if name.index.is_some() {
                self.error_at(
                    name.place,
                    format!("`{text}` is not an array; write `{text}` without an index"),
                );
                return None;
            }
            return match local {
                Local::Loop(value) => Some(self.pure_number(value as f64)),
                Local::Let { value, definition } => {
                    self.usage.use_let(definition);
                    let Measured { id, unit } = value?;
                    let id = self.allowed(id, name.place, &text, context)?;
                    Some(Measured { id, unit })
                }
            };
        }
        if name.is_word() && text == "pi" {
            return Some(self.pure_number(std::f64::consts::PI));
        }
        if name.is_word() && text == "t" {
            let time = self.graph.symbol(Symbol::Time);
            let id = self.allowed(time, name.place, &text, context)?;
            return Some(Measured { id, unit: Measure::Known(Dimension::TIME) });
        }
        if let (true, Some(message)) = (name.is_word(), self.feature_as_number(&text)) {
            self.error_at(name.place, message);
            return None;
        }
        if context.is_default() && self.size(&text).is_none() {
            return self.not_a_number(name.place, &text, context);
        }
        if let Some(measured) = self.measured_name(name, context).ok()? {
            return Some(measured);
        }
        let quantity = self.resolve(name, None)?;
        let mut text = self.written(name);
        let unit = self.declared_unit(quantity);
        let id = match quantity {
            (Kind::Argument, i) => {
                let Some(ArgumentValue::Size(value)) = self.argument_values[i] else { return None };
                self.graph.constant(value as f64)
            }
            (Kind::Parameter, i) => {
                let number = self.graph.symbol(Symbol::Parameter(i));
                self.in_si(number, self.parameter_scales[i])
            }
            (Kind::Input, i) => {
                let number = self.graph.symbol(Symbol::Input(i));
                self.in_si(number, self.input_scales[i])
            }
            (Kind::Table, i) => {
                let signature = self.model.tables[i].signature();
                self.error_at(name.place, format!("`{text}` is a table; write `{signature}`"));
                return None;
            }
            (Kind::Coordinate, i) => self.graph.symbol(Symbol::Coordinate(i)),
            (Kind::Connection, i) => {
                let i = self.connected(name, i)?;
                self.graph.symbol(Symbol::Coordinate(i))
            }
            (Kind::BoundParameter | Kind::BoundInput, i) => {
                if name.members.is_empty() {
                    // It depends on where the component is used whether the value may stand here.
                    text = format!("{text}` of `{}", self.names.here().prefix.trim_end_matches('.'));
                }
                self.bound_value(name, i)?
            }
            (Kind::Energy, i) => self.energy_in_use(name, i)?,
            (kind @ (Kind::Instance | Kind::Body | Kind::Joint | Kind::Element), i) => {
                let message = self.component_as_value(kind, i);
                self.error_at(name.place, message);
                return None;
            }
            (Kind::Constraint, _) => {
                self.error_at(
                    name.place,
                    format!(
                        "`{text}` is the name of a constraint; an output gets its multiplier by `multiplier({text})`"
                    ),
                );
                return None;
            }
            (Kind::Output, _) => {
                self.error_at(
                    name.place,
                    format!("`{text}` is an output; name the expression with `let` to use it here as well"),
                );
                return None;
            }
        };
        let id = self.allowed(id, name.place, &text, context)?;
        Some(Measured { id, unit })
    }

    /// A number without a unit.
    fn pure_number(&mut self, value: f64) -> Measured {
        Measured { id: self.graph.constant(value), unit: Measure::NUMBER }
    }

    /// `id` if everything that it depends on may stand in `context`, else an error at `place`.
    pub(super) fn allowed(&mut self, id: Id, place: Place, text: &str, context: Context) -> Option<Id> {
        let refusal = self.graph.symbols(id).iter().find_map(|symbol| context.refusal(*symbol));
        match refusal {
            None => Some(id),
            Some(reason) => {
                self.error_at(place, format!("`{text}` can't be used here: {reason}"));
                None
            }
        }
    }

    /// A default is read before the names of the model are known: none of them may stand in it.
    fn not_a_number<T>(&mut self, place: Place, text: &str, context: Context) -> Option<T> {
        if self.names.is_unclear(text) {
            return None;
        }
        let reason = context.refusal(Symbol::Time).unwrap_or_default();
        self.error_at(place, format!("`{text}` can't be used here: {reason}"));
        None
    }

    fn call(
        &mut self,
        function: &proc_macro2::Ident,
        arguments: &[Expr],
        place: Place,
        context: Context,
    ) -> Option<Measured> {
        let name = function.unraw().to_string();
        match name.as_str() {
            "dot" | "ddot" | "multiplier" if context.is_default() => {
                return self.not_a_number(place, &name, context);
            }
            "dot" | "ddot" => return self.time_derivative(&name, arguments, place, context),
            "multiplier" => return self.multiplier(arguments, place, context),
            "value" => return self.number_in_unit(arguments, place, context),
            _ => {}
        }
        if let Some(table) = self.table_named(&name) {
            if context.is_default() {
                return self.not_a_number(place, &name, context);
            }
            return self.look_up(table, arguments, place, context);
        }
        if self.names.is_unclear(&name) {
            return None;
        }
        let Some(known) = NumberFunction::named(&name) else {
            let message = self.unknown_function(&name);
            self.error_at(function.span(), message);
            return None;
        };
        let values: Vec<Option<Measured>> =
            arguments.iter().map(|argument| self.measured(argument, context)).collect();
        let values: Vec<Measured> = values.into_iter().collect::<Option<_>>()?;
        let ids: Vec<Id> = values.iter().map(|value| value.id).collect();
        let Some(id) = known.apply(&mut self.graph, &ids) else {
            let count = match arguments.len() {
                0 => "needs arguments".to_owned(),
                1 => "does not take 1 argument".to_owned(),
                count => format!("does not take {count} arguments"),
            };
            self.error_at(place, format!("`{name}` {count}; write `{}`", known.signature()));
            return None;
        };
        self.check_domain(known, &ids, place);
        if matches!(known.name(), "abs" | "sign" | "min" | "max") {
            self.note_kink(known.name(), id, place);
        }
        let unit = self.function_unit(known, arguments, &values);
        Some(Measured { id, unit })
    }

    /// `dot(x)` and `ddot(x)`, of a coordinate or of any expression of coordinates, time and parameters.
    fn time_derivative(
        &mut self,
        name: &str,
        arguments: &[Expr],
        place: Place,
        context: Context,
    ) -> Option<Measured> {
        let [argument] = arguments else {
            self.error_at(place, format!("`{name}` takes one coordinate; write `{name}(x)`"));
            return None;
        };
        let orders = if name == "dot" { 1 } else { 2 };
        let Measured { mut id, mut unit } = self.measured(argument, Context::Let)?;
        for _ in 0..orders {
            let undefined = self.graph.symbols(id).iter().any(|symbol| {
                matches!(symbol, Symbol::Input(_) | Symbol::Acceleration(_) | Symbol::Multiplier(_))
            });
            if undefined {
                self.error_at(
                    argument.place,
                    format!(
                        "the time derivative of an input, an acceleration or a multiplier is not known; \
                         `{name}` takes coordinates and expressions of them"
                    ),
                );
                return None;
            }
            id = self.graph.time_derivative(id);
            unit = unit.over(Measure::Known(Dimension::TIME));
        }
        let id = self.allowed(id, place, name, context)?;
        Some(Measured { id, unit })
    }

    fn multiplier(&mut self, arguments: &[Expr], place: Place, context: Context) -> Option<Measured> {
        let [Expr { kind: ExprKind::Name(name), .. }] = arguments else {
            self.error_at(place, "`multiplier` takes the name of a constraint; write `multiplier(name)`");
            return None;
        };
        match self.resolve(name, Some(Kind::Constraint))? {
            (Kind::Constraint, i) => {
                let id = self.graph.symbol(Symbol::Multiplier(i));
                let id = self.allowed(id, place, "multiplier", context)?;
                Some(Measured { id, unit: self.multiplier_unit(i) })
            }
            (kind, _) => {
                let message = format!(
                    "`{}` is {}; `multiplier` takes the name of a constraint",
                    self.written(name),
                    kind.text()
                );
                self.error_at(name.place, message);
                None
            }
        }
    }

    fn unknown_function(&self, name: &str) -> String {
        if let Some(here) = functions::foreign(name) {
            return format!("unknown function `{name}`; write {here}");
        }
        if self.names.get(name).is_some() || self.scopes.get(name).is_some() {
            return format!("`{name}` is not a function; write `{name}*(...)` for a product");
        }
        let mut known = functions::names();
        known.extend(self.names.names_of(Kind::Table));
        match nearest(name, known) {
            Some(known) => format!("unknown function `{name}`; did you mean `{known}`?"),
            None => format!("unknown function `{name}`; the functions are {}", functions::names().join(", ")),
        }
    }

    /// A number in another unit, in SI.
    pub(super) fn in_si(&mut self, number: Id, scale: Scale) -> Id {
        let graph = &mut self.graph;
        let mut id = number;
        if scale.numerator != 1.0 {
            let factor = graph.constant(scale.numerator);
            id = graph.multiply(factor, id);
        }
        if scale.denominator != 1.0 {
            let divisor = graph.constant(scale.denominator);
            id = graph.divide(id, divisor);
        }
        id
    }

    /// A value in SI units as the number that the user reads in the declared unit.
    pub(super) fn in_declared_unit(&mut self, value: Id, scale: Scale) -> Id {
        let graph = &mut self.graph;
        let mut id = value;
        if scale.denominator != 1.0 {
            let factor = graph.constant(scale.denominator);
            id = graph.multiply(factor, id);
        }
        if scale.numerator != 1.0 {
            let divisor = graph.constant(scale.numerator);
            id = graph.divide(id, divisor);
        }
        id
    }
}

fn is_arithmetic(operator: BinaryOperator) -> bool {
    matches!(
        operator,
        BinaryOperator::Add
            | BinaryOperator::Subtract
            | BinaryOperator::Multiply
            | BinaryOperator::Divide
            | BinaryOperator::Power
    )
}
