//! Functions in use.

use syn::ext::IdentExt;

use costate_contract::nearest::nearest;

use super::{Context, Expressions};
use crate::diagnostic::Place;
use crate::dimension::{Measure, Measured, as_unit};
use crate::lower::functions::{self, Arguments, NumberFunction, VectorFunction};
use crate::lower::names::Kind;
use crate::symbolic::{Id, Symbol};
use crate::syntax::ast::{Expr, ExprKind};
use crate::units::Dimension;

impl Expressions {
    pub fn call(
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
        if self.names.is_outside_of_models
            && let Some(value) = self.call_outside(function, arguments, place, context)
        {
            return value;
        }
        if let Some(table) = self.names.table_named(&name) {
            if context.is_default() {
                return self.not_a_number(place, &name, context);
            }
            return self.look_up(table, arguments, place, context);
        }
        if self.names.table.is_unclear(&name) {
            return None;
        }
        if let Some(known) = VectorFunction::named(&name) {
            return self.number_of_vectors(known, arguments, place, context);
        }
        let Some(known) = NumberFunction::named(&name) else {
            let message = self.unknown_function(&name);
            return self.refuse(function.span(), message);
        };
        let values: Vec<Option<Measured>> = arguments.iter().map(|argument| self.measured(argument, context)).collect();
        let values: Vec<Measured> = values.into_iter().collect::<Option<_>>()?;
        let ids: Vec<Id> = values.iter().map(|value| value.id).collect();
        let Some(id) = known.apply(&mut self.graph, &ids) else {
            let count = match arguments.len() {
                0 => "needs arguments".to_owned(),
                1 => "does not take 1 argument".to_owned(),
                count => format!("does not take {count} arguments"),
            };
            return self.refuse(place, format!("`{name}` {count}; write `{}`", known.signature()));
        };
        self.check_domain(known, &ids, place);
        if matches!(known.name(), "abs" | "sign" | "min" | "max") {
            self.note_kink(known.name(), id, place);
        }
        let unit = self.function_unit(known, arguments, &values);
        Some(Measured { id, unit })
    }

    /// The unit of a function's value.
    fn function_unit(&mut self, function: NumberFunction, written: &[Expr], values: &[Measured]) -> Measure {
        let name = function.name();
        let mut unit = Measure::Any;
        for (expr, found) in written.iter().zip(values) {
            unit = match function.arguments() {
                Arguments::Numbers => {
                    self.expect(found.unit, Dimension::NONE, expr, &format!("the argument of `{name}`"));
                    Measure::NUMBER
                }
                Arguments::Alike => self.alike(unit, (expr, *found), &format!("another argument of `{name}`")),
            };
        }
        function.unit(unit)
    }

    /// `dot(x)` and `ddot(x)`, of a coordinate or of any expression of coordinates, time and parameters.
    fn time_derivative(&mut self, name: &str, arguments: &[Expr], place: Place, context: Context) -> Option<Measured> {
        let [argument] = arguments else {
            return self.refuse(place, format!("`{name}` takes one coordinate; write `{name}(x)`"));
        };
        let orders = if name == "dot" { 1 } else { 2 };
        let Measured { mut id, mut unit } = self.measured(argument, Context::Let)?;
        for _ in 0..orders {
            let undefined = self
                .graph
                .symbols(id)
                .iter()
                .any(|symbol| matches!(symbol, Symbol::Input(_) | Symbol::Acceleration(_) | Symbol::Multiplier(_)));
            if undefined {
                return self.refuse(
                    argument.place,
                    format!(
                        "the time derivative of an input, an acceleration or a multiplier is not known; \
                         `{name}` takes coordinates and expressions of them"
                    ),
                );
            }
            id = self.graph.time_derivative(id);
            unit = unit.over(Measure::Known(Dimension::TIME));
        }
        self.allowed(Measured { id, unit }, place, name, context)
    }

    fn multiplier(&mut self, arguments: &[Expr], place: Place, context: Context) -> Option<Measured> {
        let [Expr { kind: ExprKind::Name(name), .. }] = arguments else {
            return self.refuse(place, "`multiplier` takes the name of a constraint; write `multiplier(name)`");
        };
        match self.names.resolve(name, Some(Kind::Constraint))? {
            (Kind::Constraint, i) => {
                let id = self.graph.symbol(Symbol::Multiplier(i));
                let sense = self.parts.constraint_senses.get(&i).copied().unwrap_or_default();
                let id = self.sensed(id, sense);
                let value = self.allowed(Measured { id, unit: Measure::Unclear }, place, "multiplier", context)?;
                Some(Measured { unit: self.multiplier_unit(i), ..value })
            }
            (kind, _) => {
                let message = format!(
                    "`{}` is {}; `multiplier` takes the name of a constraint",
                    self.names.written(name),
                    kind.text()
                );
                self.refuse(name.place, message)
            }
        }
    }

    /// The unit of a constraint's multiplier, energy over constraint.
    fn multiplier_unit(&mut self, constraint: usize) -> Measure {
        let known = self.names.quantities.constraints.get(constraint).and_then(|constraint| constraint.dimension);
        let known = known.or_else(|| self.system_units.constraints.get(constraint).copied().flatten());
        self.findings.waits_for_constraint |= known.is_none();
        known.map_or(Measure::Unclear, |unit| Measure::Known(self.energy()).over(Measure::Known(unit)))
    }

    /// `value(x, mm)`: the number of `x` in a unit.
    fn number_in_unit(&mut self, arguments: &[Expr], place: Place, context: Context) -> Option<Measured> {
        let [expr, Expr { kind: ExprKind::Number { unit: Some(unit), .. }, .. }] = arguments else {
            return self.refuse(place, "`value` takes a quantity and a unit; write e.g. `value(x, mm)`");
        };
        let found = self.measured(expr, context)?;
        if let Some((found, _)) = found.unit.conflict(Measure::known_or_unclear(unit.dimension)) {
            let (has, right) = (as_unit(found), found.readable());
            let message =
                format!("this has {has} and can't be measured in `{}`; write `value(..., {right})`", unit.text);
            self.names.report.remark(expr.place, message);
        }
        let id = self.in_declared_unit(found.id, unit.scale);
        Some(Measured { id, unit: Measure::NUMBER })
    }

    fn unknown_function(&self, name: &str) -> String {
        if let Some(here) = functions::foreign(name) {
            return format!("unknown function `{name}`; write {here}");
        }
        if self.names.table.get(name).is_some() || self.names.scopes.get(name).is_some() {
            return format!("`{name}` is not a function; write `{name}*(...)` for a product");
        }
        let mut known = functions::names();
        known.extend(self.names.table.names_of(Kind::Table));
        match nearest(name, known) {
            Some(known) => format!("unknown function `{name}`; did you mean `{known}`?"),
            None => format!("unknown function `{name}`; the functions are {}", functions::names().join(", ")),
        }
    }
}
