//! The arguments of functions: vectors from which statements take variables.

use rustc_hash::{FxHashMap, FxHashSet};

use super::constants::{Constants, symbol_id, weight_name};
use super::variables::Variables;
use crate::model::{Model, Quantity};
use crate::program::{Array, Expression, Index, Place, Statement, Variable};
use crate::symbolic::{Given, Graph, Id, Integrator, Symbol};

/// A vector of the point: its array, its entries, their symbols, and prefix and suffix of their names.
type Vector<'a> = (Array, &'a [Quantity], fn(usize) -> Symbol, &'a str, &'a str);

/// The arguments of a function, as far as its results need them.
pub struct Arguments<'a> {
    model: &'a Model,
    graph: &'a Graph,
    used: FxHashSet<Symbol>,
    /// The expressions that the function knows: constants of the run, variables that hold arguments, entries of
    /// arguments.
    pub known: FxHashMap<Id, Expression>,
    pub variables: Variables,
    /// The statements that take arguments.
    pub statements: Vec<Statement>,
}

impl<'a> Arguments<'a> {
    /// Starts with the constants of a run, for the results `roots`.
    pub fn new(model: &'a Model, graph: &'a Graph, constants: &Constants, roots: &[Id], variables: Variables) -> Self {
        Arguments { known: constants.known(), ..Self::without_constants(model, graph, roots, variables) }
    }

    /// Starts without constants of a run.
    pub fn without_constants(model: &'a Model, graph: &'a Graph, roots: &[Id], variables: Variables) -> Self {
        let used = graph.symbols_of(roots);
        Arguments { model, graph, used, known: FxHashMap::default(), variables, statements: Vec::new() }
    }

    /// Takes the used parameters.
    pub fn parameters(&mut self) {
        let names: Vec<String> = self.model.parameters.iter().map(|parameter| parameter.field.to_string()).collect();
        self.unpack(Array::Parameters, Symbol::Parameter, &names);
    }

    /// Takes the used weights of the integrator.
    pub fn weights(&mut self) {
        for (position, weight) in Integrator::ALL.into_iter().enumerate() {
            if self.used.contains(&Symbol::Integrator(weight)) {
                let to = self.variables.unique(weight_name(weight));
                self.take(Array::Weights, position, Symbol::Integrator(weight), to);
            }
        }
    }

    /// Takes the used entries of the vectors of the point.
    pub fn point(&mut self) {
        // Largest ratio of the length of a vector to the number of used entries at which one statement takes them all.
        const MAX_LENGTH_RATIO: usize = 10;
        if self.used.contains(&Symbol::Time) {
            let to = self.variables.reserved("t");
            self.take(Array::Time, 0, Symbol::Time, to);
        }
        let model = self.model;
        let coordinates = &model.coordinates;
        let vectors: [Vector; 5] = [
            (Array::Coordinates, coordinates, Symbol::Coordinate, "", ""),
            (Array::Velocities, coordinates, Symbol::Velocity, "", "_dot"),
            (Array::Accelerations, coordinates, Symbol::Acceleration, "", "_ddot"),
            (Array::Multipliers, &model.constraints, Symbol::Multiplier, "lambda_", ""),
            (Array::Inputs, &model.inputs, Symbol::Input, "", ""),
        ];
        for (array, quantities, symbol, prefix, suffix) in vectors {
            let names: Vec<String> =
                quantities.iter().map(|quantity| format!("{prefix}{}{suffix}", quantity.field)).collect();
            let used = (0..names.len()).filter(|&i| self.used.contains(&symbol(i)));
            let used: Vec<usize> = used.collect();
            if names.len() > MAX_LENGTH_RATIO * used.len() {
                for i in used {
                    let to = self.variables.unique(&names[i]);
                    self.take(array, i, symbol(i), to);
                }
            } else {
                self.unpack(array, symbol, &names);
            }
        }
    }

    /// Takes the used ones of `given` numbers from the array that contains them.
    pub fn given(&mut self, given: Given, array: Array, names: &[String]) {
        self.unpack(array, |i| Symbol::Given(given, i), names);
    }

    /// Makes the used ones of `given` numbers known as entries of their array.
    pub fn given_entries(&mut self, given: Given, array: Array, length: usize) {
        for i in 0..length {
            let place = Place { array, index: Index::At(i) };
            self.know(Symbol::Given(given, i), Expression::Entry(place));
        }
    }

    fn take(&mut self, array: Array, position: usize, symbol: Symbol, to: Variable) {
        self.know(symbol, Expression::Variable(to));
        let place = Place { array, index: Index::At(position) };
        self.statements.push(Statement::Let { to, value: Expression::Entry(place) });
    }

    fn unpack(&mut self, array: Array, symbol: impl Fn(usize) -> Symbol, names: &[String]) {
        let mut entries = Vec::new();
        for (i, name) in names.iter().enumerate() {
            let variable = self.used.contains(&symbol(i)).then(|| self.variables.unique(name));
            if let Some(variable) = variable {
                self.know(symbol(i), Expression::Variable(variable));
            }
            entries.push(variable);
        }
        if entries.iter().any(Option::is_some) {
            self.statements.push(Statement::Unpack { array, entries });
        }
    }

    fn know(&mut self, symbol: Symbol, known: Expression) {
        if let Some(id) = symbol_id(self.graph, symbol) {
            self.known.insert(id, known);
        }
    }
}
