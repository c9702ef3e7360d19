//! The names in a function: of variables, arrays, tables and positions.

use std::cell::{Cell, RefCell};

use proc_macro2::{Ident, Literal, Span, TokenStream};
use quote::{format_ident, quote};
use rustc_hash::FxHashMap;

use crate::program::{Array, Constant, Function, Index, Place, Program, Uses};

/// The names in a function.
pub struct Names<'a> {
    pub function: &'a Function,
    /// The arrays and lookups that the function uses.
    pub uses: Uses,
    /// The constants of a run.
    pub constants: &'a [Constant],
    /// The name of every table, of which the receiver of lookups is made.
    tables: &'a [String],
    pub variables: Vec<Ident>,
    locals: Vec<Ident>,
    /// The tables of positions and numbers that have been written.
    pub written: RefCell<Uses>,
    /// True where the numbers of the function are not those of the constants, but made of them.
    pub lifts_constants: bool,
    /// True while the body of a loop over parts is written, whose numbers are `T`.
    pub in_parts: Cell<bool>,
    /// The names of entries that all repetitions of this loop share.
    pub shared: RefCell<FxHashMap<Place, Ident>>,
    /// The positions among the results of this loop of the entries that it stores, by distance from repetition to
    /// repetition and offset.
    pub results: RefCell<FxHashMap<(usize, usize), usize>>,
}

impl<'a> Names<'a> {
    pub fn new(program: &'a Program, function: &'a Function) -> Self {
        Names {
            function,
            uses: function.uses(),
            constants: &program.run_constants,
            tables: &program.tables,
            variables: function.variables.iter().map(|name| identifier(name)).collect(),
            locals: function.locals.iter().map(|local| identifier(&local.name)).collect(),
            written: RefCell::default(),
            lifts_constants: false,
            in_parts: Cell::default(),
            shared: RefCell::default(),
            results: RefCell::default(),
        }
    }

    /// The names in a function whose numbers are made of those of the constants.
    pub fn of_changing(program: &'a Program, function: &'a Function) -> Self {
        Names { lifts_constants: true, ..Names::new(program, function) }
    }

    /// Writes the expression that holds a table: `k.pressure`, or a local variable.
    pub fn table(&self, table: usize) -> TokenStream {
        if let Some(name) = self.function.tables.get(table) {
            let name = identifier(name);
            return quote!(#name);
        }
        match self.tables.get(table) {
            Some(name) => {
                let name = identifier(name);
                quote!(k.#name)
            }
            None => quote!(::core::compile_error!("an unknown table")),
        }
    }

    /// Writes the expression that holds an array, or a reference to it.
    pub fn array(&self, array: Array) -> TokenStream {
        match array {
            Array::Time => quote!(at.time),
            Array::Coordinates => quote!(at.coordinates),
            Array::Velocities => quote!(at.velocities),
            Array::Accelerations => quote!(at.accelerations),
            Array::Multipliers => quote!(at.multipliers),
            Array::Inputs => quote!(at.inputs),
            Array::Parameters => quote!(parameters),
            Array::Weights => quote!(weights),
            Array::Constants => quote!(k),
            Array::History => quote!(history),
            Array::Factors => quote!(factors),
            Array::AdjointCoefficients => quote!(coefficients),
            Array::OutputGradient => quote!(output_gradient),
            Array::CarryRight => quote!(carry.right),
            Array::Carried => quote!(carry.carried),
            Array::Out => quote!(out),
            Array::Correction => quote!(correction),
            Array::Unknowns => quote!(unknowns),
            Array::UpdateCoordinates => quote!(update.coordinates),
            Array::UpdateVelocities => quote!(update.velocities),
            Array::UpdateUnknowns => quote!(update.unknowns),
            Array::Gradient => quote!(gradient),
            Array::Local(local) => {
                let name = &self.locals[local.0];
                quote!(#name)
            }
        }
    }

    /// Writes a whole array.
    pub fn whole(&self, array: Array) -> TokenStream {
        let name = self.array(array);
        match array {
            Array::CarryRight
            | Array::Carried
            | Array::UpdateCoordinates
            | Array::UpdateVelocities
            | Array::UpdateUnknowns
            | Array::Local(_) => name,
            _ => quote!(*#name),
        }
    }

    /// Writes the type of the numbers.
    pub fn number(&self) -> TokenStream {
        if self.in_parts.get() { quote!(T) } else { quote!(S) }
    }

    /// Checks whether entries of the array are read by calls, since they may belong to one of several SIMD lanes.
    pub fn is_called(&self, array: Array) -> bool {
        let takes_numbers = matches!(self.function.name, "adjoint_recurrence" | "adjoint_history");
        takes_numbers && matches!(array, Array::Factors | Array::AdjointCoefficients)
    }
}

/// Writes a position; `i` is the repetition of a loop.
pub fn index(index: Index) -> TokenStream {
    let number = Literal::usize_unsuffixed;
    let product = |stride| {
        let factor = number(stride);
        if stride == 1 { quote!(i) } else { quote!(#factor * i) }
    };
    match index {
        Index::At(position) => {
            let position = number(position);
            quote!(#position)
        }
        Index::Rising { offset: 0, stride } => product(stride),
        Index::Rising { offset, stride } => {
            let (product, offset) = (product(stride), number(offset));
            quote!(#product + #offset)
        }
        Index::Falling { offset, stride } => {
            let (product, offset) = (product(stride), number(offset));
            quote!(#offset - #product)
        }
        Index::Table(table) => {
            let table = positions_table(table);
            quote!(#table[i] as usize)
        }
    }
}

/// Writes the name of a table of positions.
pub fn positions_table(table: usize) -> Ident {
    format_ident!("INDICES_{}", table + 1)
}

/// Writes a name of the program, which is a name in Rust.
pub fn identifier(name: &str) -> Ident {
    Ident::new(name, Span::call_site())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_are_as_short_as_possible() {
        for (position, expected) in [
            (Index::At(4), "4"),
            (Index::Rising { offset: 0, stride: 1 }, "i"),
            (Index::Rising { offset: 3, stride: 1 }, "i + 3"),
            (Index::Rising { offset: 3, stride: 7 }, "7 * i + 3"),
            (Index::Rising { offset: 0, stride: 7 }, "7 * i"),
            (Index::Falling { offset: 9, stride: 1 }, "9 - i"),
            (Index::Falling { offset: 9, stride: 3 }, "9 - 3 * i"),
            (Index::Table(1), "INDICES_2 [i] as usize"),
        ] {
            assert_eq!(index(position).to_string(), expected);
        }
    }
}
