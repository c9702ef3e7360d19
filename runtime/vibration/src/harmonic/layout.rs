//! The terms of the equations, as positions in the arrays of a model's groups.

use costate_contract::{Argument, Block, Description, Function};
use costate_numerics::linalg::block::find;

/// The function of time whose derivative an entry of a matrix belongs to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Kind {
    /// The unknown itself.
    Value,
    /// The first derivative of the unknown.
    Rate,
    /// The second derivative of the unknown.
    SecondRate,
}

/// One entry of a matrix, the sum of terms.
#[derive(Debug, Clone)]
pub(crate) struct Slot {
    pub row: usize,
    pub column: usize,
    pub kind: Kind,
}

/// A summand of a slot: a number of a group's array with its sign.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Term {
    pub slot: usize,
    pub place: usize,
    pub sign: f64,
}

/// Rows and columns of the equations.
///
/// Rows: the motion (n), the constraints (m), and the controlled output if there is one. Columns: q (n), lambda (m),
/// and the drive, which is unknown only if an output is controlled.
#[derive(Debug, Clone)]
pub(crate) struct Layout {
    pub description: &'static Description,
    pub n: usize,
    pub m: usize,
    /// Position of the input that drives.
    pub drive: usize,
    /// Position of the output that is controlled.
    pub controlled: Option<usize>,
    pub slots: Vec<Slot>,
    /// Terms from the array of `Group::Linearization`.
    pub linear: Vec<Term>,
    /// Terms from the array of `Group::OutputDerivatives`.
    pub output: Vec<Term>,
}

impl Layout {
    pub fn new(description: &'static Description, drive: usize, controlled: Option<usize>) -> Self {
        let (n, m) = (description.coordinates.len(), description.constraints.len());
        let (slots, linear, output) = (Vec::new(), Vec::new(), Vec::new());
        let mut layout = Self { description, n, m, drive, controlled, slots, linear, output };
        let block = |function, argument| find(description.groups.linearization, function, Some(argument));
        let motion = [
            (Function::Inertia, Argument::Coordinates, Kind::Value, 1.0),
            (Function::Inertia, Argument::Accelerations, Kind::SecondRate, 1.0),
            (Function::ConstraintForce, Argument::Coordinates, Kind::Value, 1.0),
            (Function::Force, Argument::Coordinates, Kind::Value, -1.0),
            (Function::Force, Argument::Velocities, Kind::Rate, -1.0),
        ];
        for (function, argument, kind, sign) in motion {
            for (place, row, column) in places(block(function, argument)) {
                layout.add(row, column, kind, (place, sign), false);
            }
        }
        for (place, row, column) in places(block(Function::Constraint, Argument::Coordinates)) {
            layout.add(n + row, column, Kind::Value, (place, 1.0), false);
            layout.add(column, n + row, Kind::Value, (place, 1.0), false);
        }
        let inputs = places(block(Function::Force, Argument::Inputs));
        for (place, row, _) in inputs.filter(|&(_, _, column)| column == drive) {
            layout.add(row, n + m, Kind::Value, (place, -1.0), false);
        }
        if let Some(controlled) = controlled {
            layout.add_output(controlled);
        }
        layout
    }

    /// Adds the row of the controlled output.
    fn add_output(&mut self, controlled: usize) {
        let (row, n) = (self.n + self.m, self.n);
        let arguments = [
            (Argument::Coordinates, Kind::Value, 0),
            (Argument::Velocities, Kind::Rate, 0),
            (Argument::Accelerations, Kind::SecondRate, 0),
            (Argument::Multipliers, Kind::Value, n),
        ];
        let derivatives = self.description.groups.output_derivatives;
        for (argument, kind, first) in arguments {
            let block = find(derivatives, Function::Output, Some(argument));
            for (place, _, column) in places(block).filter(|&(_, output, _)| output == controlled) {
                self.add(row, first + column, kind, (place, 1.0), true);
            }
        }
        let inputs = find(derivatives, Function::Output, Some(Argument::Inputs));
        for (place, output, input) in places(inputs) {
            if output == controlled && input == self.drive {
                self.add(row, row, Kind::Value, (place, 1.0), true);
            }
        }
    }

    fn add(&mut self, row: usize, column: usize, kind: Kind, (place, sign): (usize, f64), of_output: bool) {
        let known = self.slots.iter().position(|slot| slot.row == row && slot.column == column && slot.kind == kind);
        let slot = known.unwrap_or(self.slots.len());
        if known.is_none() {
            self.slots.push(Slot { row, column, kind });
        }
        let terms = if of_output { &mut self.output } else { &mut self.linear };
        terms.push(Term { slot, place, sign });
    }

    /// Number of unknown functions of time, and of equations.
    pub fn functions(&self) -> usize {
        self.n + self.m + usize::from(self.controlled.is_some())
    }

    /// Column of the drive.
    pub fn drive_column(&self) -> usize {
        self.n + self.m
    }

    /// Name of an unknown function of time.
    pub fn name(&self, function: usize) -> String {
        let Description { coordinates, constraints, inputs, .. } = self.description;
        if let Some(coordinate) = coordinates.get(function) {
            return format!("the coordinate `{}`", coordinate.name);
        }
        if let Some(constraint) = function.checked_sub(self.n).and_then(|row| constraints.get(row)) {
            return format!("the multiplier of the constraint `{}`", constraint.name);
        }
        format!("the input `{}`", inputs.get(self.drive).map_or("?", |input| input.name))
    }

    /// Unit of an unknown function of time; empty if it is not known.
    pub fn unit(&self, function: usize) -> &'static str {
        let Description { coordinates, inputs, .. } = self.description;
        match coordinates.get(function) {
            Some(coordinate) => coordinate.unit,
            None if function == self.drive_column() => inputs.get(self.drive).map_or("", |input| input.unit),
            None => "",
        }
    }
}

/// Returns (position in the group's array, row, column) of every entry of a block.
pub(crate) fn places(block: &'static Block) -> impl Iterator<Item = (usize, usize, usize)> {
    let entries = block.entries.iter().enumerate();
    entries.map(|(k, &(row, column))| (block.offset + k, row as usize, column as usize))
}
