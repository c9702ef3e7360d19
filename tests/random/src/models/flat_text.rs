//! The text of a model that is written out.

use std::fmt::Write;

use crate::models::flat::{Flat, Quantity, Sum, Symbol, Value};
use crate::models::text::{Words, quantity};
use crate::models::tree::InitialKind;

/// `cylinder[2].x` as a plain name.
fn plain(name: &str) -> String {
    let letters = name.chars().filter(|letter| *letter != ']');
    letters.map(|letter| if letter.is_alphanumeric() { letter } else { '_' }).collect()
}

impl Flat {
    /// The text of the model called `name`: plain names, one entry each.
    pub fn text(&self, name: &str) -> String {
        let mut text = format!("pub {name} {{\n");
        let declared = |list: &[Quantity]| -> Vec<String> { list.iter().map(declaration).collect() };
        block(&mut text, "parameters", &declared(&self.parameters));
        block(&mut text, "inputs", &declared(&self.inputs));
        block(&mut text, "tables", &self.table_entries());
        block(&mut text, "coordinates", &declared(&self.coordinates));
        self.sums(&mut text);
        let constraints = self
            .constraints
            .iter()
            .filter_map(|(name, value)| Some(format!("{}: {}", plain(name), self.expr(value.as_ref()?))));
        block(&mut text, "constraints", &constraints.collect::<Vec<_>>());
        let initial = self.initial.iter().map(|(of, what, value)| {
            let (of, value) = (self.coordinate(*of), self.expr(value));
            match what {
                InitialKind::Position => format!("{of} = {value}"),
                InitialKind::Near => format!("{of} ~ {value}"),
                InitialKind::Velocity => format!("dot({of}) = {value}"),
            }
        });
        block(&mut text, "initial", &initial.collect::<Vec<_>>());
        let outputs = self.outputs.iter();
        let outputs =
            outputs.map(|(name, unit, value)| format!("{}: {} = {}", plain(name), unit.text, self.expr(value)));
        block(&mut text, "outputs", &outputs.collect::<Vec<_>>());
        text.push_str("}\n");
        text
    }

    /// Masses, forces and energies, in blocks as long as the order of sums allows.
    fn sums(&self, text: &mut String) {
        let mass = |(row, column, value): &(usize, usize, Value)| match row == column {
            true => format!("{}: {}", self.coordinate(*row), self.expr(value)),
            false => {
                format!("({}, {}): {}", self.coordinate(*row), self.coordinate(*column), self.expr(value))
            }
        };
        let force = |(of, value): &(usize, Value)| format!("{}: {}", self.coordinate(*of), self.expr(value));
        let energy = |value: &Value| self.expr(value);
        let (mut masses, mut forces) = (self.mass.iter().map(mass), self.forces.iter().map(force));
        let (mut kinetic, mut potential) = (self.kinetic.iter().map(energy), self.potential.iter().map(energy));
        let mut dissipation = self.dissipation.iter().map(energy);
        for run in self.order.chunk_by(|a, b| a == b) {
            let (word, entries): (&str, &mut dyn Iterator<Item = String>) = match run[0] {
                Sum::Mass => ("mass", &mut masses),
                Sum::Forces => ("forces", &mut forces),
                Sum::Kinetic => ("kinetic", &mut kinetic),
                Sum::Potential => ("potential", &mut potential),
                Sum::Dissipation => ("dissipation", &mut dissipation),
            };
            block(text, word, &entries.take(run.len()).collect::<Vec<_>>());
        }
    }

    fn coordinate(&self, i: usize) -> String {
        plain(&self.coordinates[i].name)
    }

    fn expr(&self, value: &Value) -> String {
        let leaf = |symbol: &Symbol| match symbol {
            Symbol::Parameter(i) => plain(&self.parameters[*i].name),
            Symbol::Input(i) => plain(&self.inputs[*i].name),
            Symbol::Coordinate(i) => self.coordinate(*i),
            Symbol::Constraint(i) => plain(&self.constraints[*i].0),
        };
        Words { leaf: &leaf, name: &plain }.expr(value)
    }

    fn table_entries(&self) -> Vec<String> {
        let argument = |(name, unit): &(String, crate::models::units::Unit)| format!("{name}: {}", unit.text);
        let table = |table: &crate::models::tree::Table| {
            let arguments: Vec<String> = table.arguments.iter().map(argument).collect();
            format!("{}({}): {}", table.name, arguments.join(", "), table.unit.text)
        };
        self.tables.iter().map(table).collect()
    }
}

fn declaration(declared: &Quantity) -> String {
    let default = declared.default.map(|default| format!(" = {}", quantity(default, None)));
    format!("{}: {}{}", plain(&declared.name), declared.unit.text, default.unwrap_or_default())
}

fn block(text: &mut String, word: &str, entries: &[String]) {
    if !entries.is_empty() {
        let _ = writeln!(text, "    {word} {{\n        {},\n    }}", entries.join(",\n        "));
    }
}
