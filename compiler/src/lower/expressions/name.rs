//! Names in expressions.

use syn::ext::IdentExt;

use super::{Context, Expressions, NamedEnergy};
use crate::diagnostic::Place;
use crate::dimension::{Measure, Measured};
use crate::lower::names::{Kind, Local};
use crate::model::ArgumentValue;
use crate::symbolic::{Id, Symbol};
use crate::syntax::ast::NameSyntax;
use crate::units::Dimension;

impl Expressions {
    pub fn name(&mut self, name: &NameSyntax, context: Context) -> Option<Measured> {
        let text = name.ident.unraw().to_string();
        if let (true, Some(local)) = (name.members.is_empty(), self.names.scopes.get(&text)) {
            if name.index.is_some() {
                return self.refuse(
                    name.place,
                    format!("`{text}` is not an array; write `{text}` without an index"),
                );
            }
            return match local {
                Local::Loop(value) => Some(self.pure_number(value as f64)),
                Local::Let { value, definition } => {
                    self.names.usage.use_let(definition);
                    self.allowed(value?, name.place, &text, context)
                }
            };
        }
        if name.is_word() && text == "pi" {
            return Some(self.pure_number(std::f64::consts::PI));
        }
        if name.is_word() && text == "t" {
            let id = self.graph.symbol(Symbol::Time);
            let time = Measured { id, unit: Measure::Known(Dimension::TIME) };
            return self.allowed(time, name.place, &text, context);
        }
        if let (true, Some(message)) = (name.is_word(), self.names.feature_as_number(&text)) {
            return self.refuse(name.place, message);
        }
        if context.is_default() && self.names.size(&text).is_none() {
            return self.not_a_number(name.place, &text, context);
        }
        if let Some(measured) = self.measured_name(name, context).ok()? {
            return Some(measured);
        }
        let quantity = self.names.resolve(name, None)?;
        let mut text = self.names.written(name);
        let unit = self.declared_unit(quantity);
        let id = match quantity {
            (Kind::Argument, i) => {
                let Some(ArgumentValue::Size(value)) = self.names.quantities.argument_values[i] else {
                    return None;
                };
                self.graph.constant(value as f64)
            }
            (Kind::Parameter, i) => {
                let number = self.graph.symbol(Symbol::Parameter(i));
                self.in_si(number, self.names.quantities.parameters[i].scale)
            }
            (Kind::Input, i) => {
                let number = self.graph.symbol(Symbol::Input(i));
                self.in_si(number, self.names.quantities.inputs[i].scale)
            }
            (Kind::Table, i) => {
                let signature = self.names.quantities.tables[i].signature();
                return self.refuse(name.place, format!("`{text}` is a table; write `{signature}`"));
            }
            (Kind::Coordinate, i) => self.graph.symbol(Symbol::Coordinate(i)),
            (Kind::Connection, i) => {
                let i = self.names.connected(name, i)?;
                self.graph.symbol(Symbol::Coordinate(i))
            }
            (Kind::BoundParameter | Kind::BoundInput, i) => {
                if name.members.is_empty() {
                    // It depends on where the component is used whether the value may stand here.
                    text = format!("{text}` of `{}", self.names.table.here().prefix.trim_end_matches('.'));
                }
                self.names.bound_value(name, i)?
            }
            (Kind::Energy, i) => self.energy_in_use(name, i)?,
            (kind @ (Kind::Instance | Kind::Body | Kind::Joint | Kind::Element), i) => {
                let message = self.names.component_as_value(kind, i);
                return self.refuse(name.place, message);
            }
            (Kind::Constraint, _) => {
                return self.refuse(
                    name.place,
                    format!(
                        "`{text}` is the name of a constraint; an output gets its multiplier by `multiplier({text})`"
                    ),
                );
            }
            (Kind::Output, _) => {
                return self.refuse(
                    name.place,
                    format!("`{text}` is an output; name the expression with `let` to use it here as well"),
                );
            }
        };
        self.allowed(Measured { id, unit }, name.place, &text, context)
    }

    /// The unit that a quantity is declared with.
    pub fn declared_unit(&self, (kind, position): (Kind, usize)) -> Measure {
        let quantities = &self.names.quantities;
        let dimension = match kind {
            Kind::Argument => return Measure::NUMBER,
            Kind::Parameter => quantities.parameters.get(position).and_then(|parameter| parameter.dimension),
            Kind::Input => quantities.inputs.get(position).and_then(|input| input.dimension),
            Kind::Coordinate => {
                quantities.coordinates.get(position).and_then(|coordinate| coordinate.dimension)
            }
            Kind::Connection | Kind::BoundParameter | Kind::BoundInput => {
                quantities.bound_units.get(position).copied().flatten()
            }
            Kind::Energy => {
                let energy = self.energies.get(position).and_then(|energy| energy.value);
                return energy.map_or(Measure::Unclear, |value| value.unit);
            }
            Kind::Table | Kind::Constraint | Kind::Output | Kind::Instance => None,
            Kind::Body | Kind::Joint | Kind::Element => None,
        };
        Measure::known_or_unclear(dimension)
    }

    /// The value of a named energy in use.
    pub fn energy_in_use(&mut self, name: &NameSyntax, position: usize) -> Option<Id> {
        let NamedEnergy { read, value } = self.energies[position];
        if !read && !self.names.report.cut_short {
            let text = self.names.written(name);
            let message = format!("`{text}` is defined further below; move its block above this one");
            self.error(name.place, message);
        }
        value.map(|value| value.id)
    }

    /// A value if everything that it depends on may stand in `context`, else an error at `place`.
    pub fn allowed(
        &mut self,
        value: Measured,
        place: Place,
        text: &str,
        context: Context,
    ) -> Option<Measured> {
        let refusal = self.graph.symbols(value.id).iter().find_map(|symbol| context.refusal(*symbol));
        match refusal {
            None => Some(value),
            Some(reason) => self.refuse(place, format!("`{text}` can't be used here: {reason}")),
        }
    }

    /// A default is read before the names of the model are known: none of them may stand in it.
    pub fn not_a_number<T>(&mut self, place: Place, text: &str, context: Context) -> Option<T> {
        if self.names.table.is_unclear(text) {
            return None;
        }
        let reason = context.refusal(Symbol::Time).unwrap_or_default();
        self.refuse(place, format!("`{text}` can't be used here: {reason}"))
    }
}
