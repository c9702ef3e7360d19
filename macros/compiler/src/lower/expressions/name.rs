//! Names in expressions.

use syn::ext::IdentExt;

use super::energies::ENERGIES;
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
        if self.names.is_outside_of_models
            && let Some(value) = self.quantity_outside(name)
        {
            return Some(value);
        }
        let text = name.ident.unraw().to_string();
        match self.names.scopes.get(&text) {
            Some(Local::Loop(_)) if name.index.is_some() => {
                let message = format!("`{text}` is not an array; write `{text}` without an index");
                return self.refuse(name.place, message);
            }
            Some(Local::Loop(value)) if name.members.is_empty() => {
                return Some(self.pure_number(value as f64));
            }
            Some(Local::Let { .. } | Local::Lets { .. }) => {
                return self.measured_name(name, context).ok().flatten();
            }
            Some(Local::Loop(_)) | None => {}
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
        let free = self.names.table.get(&text).is_none() && !self.names.table.is_unclear(&text);
        if name.is_word() && free && ENERGIES.contains(&text.as_str()) {
            return self.energy_of_model(&text, name.place, context);
        }
        if let Some(measured) = self.measured_name(name, context).ok()? {
            return Some(measured);
        }
        let (kind, position) = self.names.resolve(name, None)?;
        let mut text = self.names.written(name);
        let unit = self.declared_unit(kind, position);
        let id = self.quantity(name, &text, kind, position)?;
        if matches!(kind, Kind::BoundParameter | Kind::BoundInput) && name.members.is_empty() {
            // It depends on where the component is used whether the value may stand here.
            text = format!("{text}` of `{}", self.names.table.here().prefix.trim_end_matches('.'));
        }
        self.allowed(Measured { id, unit }, name.place, &text, context)
    }

    /// The value of a declared quantity; an error if it is none.
    fn quantity(&mut self, name: &NameSyntax, text: &str, kind: Kind, i: usize) -> Option<Id> {
        let quantities = &self.names.quantities;
        let message = match kind {
            Kind::Argument => {
                let Some(ArgumentValue::Size(value)) = quantities.argument_values[i] else { return None };
                return Some(self.graph.constant(value as f64));
            }
            Kind::Parameter | Kind::Input => {
                let scale = quantities.of(kind)[i].scale;
                let symbol = if kind == Kind::Parameter { Symbol::Parameter(i) } else { Symbol::Input(i) };
                let number = self.graph.symbol(symbol);
                return Some(self.in_si(number, scale));
            }
            Kind::Coordinate => {
                let coordinate = self.graph.symbol(Symbol::Coordinate(i));
                let changes = self.changes_coordinate(i);
                return Some(if changes { self.graph.negate(coordinate) } else { coordinate });
            }
            Kind::Connection => {
                let (i, changes) = self.names.connected(name, i)?;
                let coordinate = self.graph.symbol(Symbol::Coordinate(i));
                return Some(if changes { self.graph.negate(coordinate) } else { coordinate });
            }
            Kind::BoundParameter | Kind::BoundInput => return self.names.bound_value(name, i),
            Kind::Energy => return self.energy_in_use(name, i),
            Kind::Instance | Kind::Body | Kind::BodyConnection | Kind::Joint | Kind::Element => {
                self.names.component_as_value(kind, i)
            }
            Kind::Table => format!("`{text}` is a table; write `{}`", quantities.tables[i].signature()),
            Kind::Constraint => {
                format!("`{text}` is the name of a constraint; an output gets its multiplier by `multiplier({text})`")
            }
            Kind::Output => {
                format!("`{text}` is an output; name the expression with `let` to use it here as well")
            }
        };
        self.refuse(name.place, message)
    }

    /// The unit that a quantity is declared with.
    pub fn declared_unit(&self, kind: Kind, position: usize) -> Measure {
        let quantities = &self.names.quantities;
        Measure::known_or_unclear(match kind {
            Kind::Argument => return Measure::NUMBER,
            Kind::Energy => {
                let energy = self.energies.get(position).and_then(|energy| energy.value);
                return energy.map_or(Measure::Unclear, |value| value.unit);
            }
            Kind::Connection | Kind::BoundParameter | Kind::BoundInput => {
                quantities.bound_units.get(position).copied().flatten()
            }
            Kind::Parameter | Kind::Input | Kind::Coordinate => {
                quantities.of(kind).get(position).and_then(|quantity| quantity.dimension)
            }
            _ => None,
        })
    }

    /// The value of a named energy in use.
    fn energy_in_use(&mut self, name: &NameSyntax, position: usize) -> Option<Id> {
        let NamedEnergy { read, value } = self.energies[position];
        if !read && !self.names.report.cut_short {
            let text = self.names.written(name);
            let message = format!("`{text}` is defined further below; move its block above this one");
            self.error(name.place, message);
        }
        value.map(|value| value.id)
    }

    /// A value if everything that it depends on may stand in `context`, else an error at `place`.
    pub fn allowed(&mut self, value: Measured, place: Place, text: &str, context: Context) -> Option<Measured> {
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
