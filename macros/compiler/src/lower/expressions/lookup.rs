//! Tables in use, and numbers in other units than SI.

use super::{Context, Expressions};
use crate::diagnostic::Place;
use crate::dimension::{Measure, Measured};
use crate::lower::names::Kind;
use crate::model::Table;
use crate::symbolic::{Id, Lookup};
use crate::syntax::ast::Expr;
use crate::units::Scale;

impl Expressions {
    /// The table's value, in SI units.
    pub fn look_up(&mut self, table: usize, arguments: &[Expr], place: Place, context: Context) -> Option<Measured> {
        self.names.usage.use_quantity(Kind::Table, table);
        let values: Vec<Option<Measured>> = arguments.iter().map(|argument| self.measured(argument, context)).collect();
        let values: Vec<Measured> = values.into_iter().collect::<Option<_>>()?;
        let Table { quantity, arguments: declared, .. } = self.names.quantities.tables.get(table)?;
        let (quantity, declared) = (quantity.clone(), declared.clone());
        if values.len() != declared.len() {
            let signature = self.names.quantities.tables[table].signature();
            let count = match values.len() {
                1 => "1 argument is".to_owned(),
                count => format!("{count} arguments are"),
            };
            return self.refuse(place, format!("{count} not what the table takes; write `{signature}`"));
        }
        let mut numbers: Vec<Id> = Vec::new();
        for (i, (value, declared)) in values.into_iter().zip(declared).enumerate() {
            if let Some(wanted) = declared.dimension {
                let what = format!("the argument `{}` of `{}`", declared.name, quantity.name);
                self.expect(value.unit, wanted, &arguments[i], &what);
            }
            numbers.push(self.in_declared_unit(value.id, declared.scale));
        }
        let lookup = Lookup { table: table as u32, orders: [0; 2] };
        let number = match *numbers {
            [x] => self.graph.curve(lookup, x),
            [x, y] => self.graph.surface(lookup, x, y),
            _ => return None,
        };
        if self.names.quantities.tables[table].is_bent() {
            self.note_kink("straight", number, place);
        }
        Some(Measured { id: self.in_si(number, quantity.scale), unit: Measure::known_or_unclear(quantity.dimension) })
    }

    /// A number in another unit, in SI.
    pub fn in_si(&mut self, number: Id, scale: Scale) -> Id {
        self.scaled(number, scale.numerator, scale.denominator)
    }

    /// A value in SI units as the number that the user reads in the declared unit.
    pub fn in_declared_unit(&mut self, value: Id, scale: Scale) -> Id {
        self.scaled(value, scale.denominator, scale.numerator)
    }

    fn scaled(&mut self, value: Id, factor: f64, divisor: f64) -> Id {
        let graph = &mut self.graph;
        let mut id = value;
        if factor != 1.0 {
            let factor = graph.constant(factor);
            id = graph.multiply(factor, id);
        }
        if divisor != 1.0 {
            let divisor = graph.constant(divisor);
            id = graph.divide(id, divisor);
        }
        id
    }
}
