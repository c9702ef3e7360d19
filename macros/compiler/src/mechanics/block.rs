//! Vectors and sparse matrices of expressions.

use costate_contract::{Argument, Function};

use crate::limits::{Limit, MAX_MATRIX_ENTRIES};
use crate::symbolic::{Graph, Id, Symbol};

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
                if graph.exceeded().is_some() {
                    return block;
                }
                if let Some(column) = position(argument, symbol) {
                    let derivative = graph.differentiate(value, symbol);
                    block.push(graph, row, column, derivative);
                }
            }
            if block.entries.len() > MAX_MATRIX_ENTRIES {
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
            Some(_) if self.function == Function::Step => "w_a M + w_q (w_a (M a)_q + G_q) + w_v G_v".to_owned(),
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

/// The entry of the argument that the symbol is.
fn position(argument: Argument, symbol: Symbol) -> Option<usize> {
    match (argument, symbol) {
        (Argument::Coordinates, Symbol::Coordinate(i))
        | (Argument::Velocities, Symbol::Velocity(i))
        | (Argument::Accelerations, Symbol::Acceleration(i))
        | (Argument::Multipliers, Symbol::Multiplier(i))
        | (Argument::Parameters, Symbol::Parameter(i))
        | (Argument::Inputs, Symbol::Input(i)) => Some(i),
        _ => None,
    }
}
