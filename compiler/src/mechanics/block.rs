//! Vectors and sparse matrices of expressions.

use crate::limits::{Limit, MOST_ENTRIES};
use crate::symbolic::{Graph, Id, Symbol};

/// A vector function of a model. The names are those of the runtime's `Function`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Function {
    /// q0(p)
    InitialCoordinates,
    /// v0(p)
    InitialVelocities,
    /// M a
    Inertia,
    /// f
    Force,
    /// C_q^T lambda
    ConstraintForce,
    /// G = C_q^T lambda - f
    ForceResidual,
    /// What a step solves, with q and v depending on a.
    Step,
    /// C
    Constraint,
    /// C_q v + C_t
    ConstraintVelocity,
    /// C_q a + (C_q v)_q v + 2 C_qt v + C_tt
    ConstraintAcceleration,
    /// s
    Output,
}

impl Function {
    /// Variant of the runtime's enum.
    pub fn variant(self) -> &'static str {
        match self {
            Function::InitialCoordinates => "InitialCoordinates",
            Function::InitialVelocities => "InitialVelocities",
            Function::Inertia => "Inertia",
            Function::Force => "Force",
            Function::ConstraintForce => "ConstraintForce",
            Function::ForceResidual => "ForceResidual",
            Function::Step => "Step",
            Function::Constraint => "Constraint",
            Function::ConstraintVelocity => "ConstraintVelocity",
            Function::ConstraintAcceleration => "ConstraintAcceleration",
            Function::Output => "Output",
        }
    }

    /// Variable name in the emitted code.
    pub fn variable(self) -> &'static str {
        match self {
            Function::InitialCoordinates => "initial_coordinates",
            Function::InitialVelocities => "initial_velocities",
            Function::Inertia => "inertia",
            Function::Force => "force",
            Function::ConstraintForce => "constraint_force",
            Function::ForceResidual => "force_residual",
            Function::Step => "step",
            Function::Constraint => "constraint",
            Function::ConstraintVelocity => "constraint_velocity",
            Function::ConstraintAcceleration => "constraint_acceleration",
            Function::Output => "output",
        }
    }

    /// Its formula, for documentation.
    fn formula(self) -> &'static str {
        match self {
            Function::InitialCoordinates => "q0",
            Function::InitialVelocities => "v0",
            Function::Inertia => "M a",
            Function::Force => "f",
            Function::ConstraintForce => "C_q^T lambda",
            Function::ForceResidual => "C_q^T lambda - f",
            Function::Step => "step residual",
            Function::Constraint => "C",
            Function::ConstraintVelocity => "C_q v + C_t",
            Function::ConstraintAcceleration => "C_q a + (C_q v)_q v + 2 C_qt v + C_tt",
            Function::Output => "s",
        }
    }
}

/// What a function is differentiated by.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Argument {
    /// q
    Coordinates,
    /// v
    Velocities,
    /// a
    Accelerations,
    /// lambda
    Multipliers,
    /// p
    Parameters,
    /// u
    Inputs,
}

impl Argument {
    /// Variant of the runtime's enum.
    pub fn variant(self) -> &'static str {
        match self {
            Argument::Coordinates => "Coordinates",
            Argument::Velocities => "Velocities",
            Argument::Accelerations => "Accelerations",
            Argument::Multipliers => "Multipliers",
            Argument::Parameters => "Parameters",
            Argument::Inputs => "Inputs",
        }
    }

    /// Variable name in the emitted code.
    pub fn variable(self) -> &'static str {
        match self {
            Argument::Coordinates => "coordinates",
            Argument::Velocities => "velocities",
            Argument::Accelerations => "accelerations",
            Argument::Multipliers => "multipliers",
            Argument::Parameters => "parameters",
            Argument::Inputs => "inputs",
        }
    }

    /// Its letter, for documentation.
    pub fn letter(self) -> &'static str {
        match self {
            Argument::Coordinates => "q",
            Argument::Velocities => "v",
            Argument::Accelerations => "a",
            Argument::Multipliers => "lambda",
            Argument::Parameters => "p",
            Argument::Inputs => "u",
        }
    }

    fn position(self, symbol: Symbol) -> Option<usize> {
        match (self, symbol) {
            (Argument::Coordinates, Symbol::Coordinate(i))
            | (Argument::Velocities, Symbol::Velocity(i))
            | (Argument::Accelerations, Symbol::Acceleration(i))
            | (Argument::Multipliers, Symbol::Multiplier(i))
            | (Argument::Parameters, Symbol::Parameter(i))
            | (Argument::Inputs, Symbol::Input(i)) => Some(i),
            _ => None,
        }
    }
}

/// A vector (all entries) or a sparse matrix (structural nonzeros by rows) of expressions.
#[derive(Debug, Clone)]
pub struct Block {
    /// The function.
    pub function: Function,
    /// The argument of the derivative; `None` for the value.
    pub argument: Option<Argument>,
    /// Length of the function's value.
    pub rows: usize,
    /// Length of the argument; 1 for a value.
    pub columns: usize,
    /// (row, column) of every entry.
    pub entries: Vec<(usize, usize)>,
    /// Their expressions.
    pub values: Vec<Id>,
}

impl Block {
    /// The function's value.
    pub fn value(function: Function, values: &[Id]) -> Block {
        Block {
            function,
            argument: None,
            rows: values.len(),
            columns: 1,
            entries: (0..values.len()).map(|row| (row, 0)).collect(),
            values: values.to_vec(),
        }
    }

    /// The function's derivative with respect to an argument of length `columns`.
    pub fn derivative(
        graph: &mut Graph,
        function: Function,
        values: &[Id],
        argument: Argument,
        columns: usize,
    ) -> Block {
        let mut block = Block::empty(function, argument, values.len(), columns);
        for (row, &value) in values.iter().enumerate() {
            for symbol in graph.symbols(value).to_vec() {
                if graph.passed().is_some() {
                    return block;
                }
                if let Some(column) = argument.position(symbol) {
                    let derivative = graph.differentiate(value, symbol);
                    block.push(graph, row, column, derivative);
                }
            }
            if block.entries.len() > MOST_ENTRIES {
                graph.pass(Limit::Entries);
            }
        }
        block
    }

    /// The block's formula, for documentation: `C_q`, `(M a)_p`.
    pub fn formula(&self) -> String {
        let function = self.function.formula();
        match self.argument {
            None => function.to_owned(),
            Some(_) if self.function == Function::Step => {
                "w_a M + w_q (w_a (M a)_q + G_q) + w_v G_v".to_owned()
            }
            Some(Argument::Accelerations) if self.function == Function::Inertia => "M".to_owned(),
            Some(argument) if function.contains(' ') => format!("({function})_{}", argument.letter()),
            Some(argument) => format!("{function}_{}", argument.letter()),
        }
    }

    /// A matrix of zeros.
    pub fn empty(function: Function, argument: Argument, rows: usize, columns: usize) -> Block {
        Block { function, argument: Some(argument), rows, columns, entries: Vec::new(), values: Vec::new() }
    }

    /// Appends an entry unless it is a structural zero.
    pub fn push(&mut self, graph: &Graph, row: usize, column: usize, value: Id) {
        if !graph.is_zero(value) {
            self.entries.push((row, column));
            self.values.push(value);
        }
    }

    /// The entry at (row, column), if it is stored.
    pub fn get(&self, row: usize, column: usize) -> Option<Id> {
        let index = self.entries.iter().position(|&entry| entry == (row, column))?;
        Some(self.values[index])
    }

    /// (row, column, value) of every entry.
    pub fn iter(&self) -> impl Iterator<Item = (usize, usize, Id)> + '_ {
        self.entries.iter().zip(&self.values).map(|(&(row, column), &value)| (row, column, value))
    }
}
