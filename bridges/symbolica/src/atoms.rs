//! The expressions of a model as atoms.

use std::collections::BTreeMap;

use costate_compiler::expressions::Expression;
use costate_compiler::symbolic::{Function, Graph, Id, Integrator, Lookup, Node, Symbol as Quantity};
use costate_compiler::{Compiled, Model, Quantity as Declared};
use costate_contract::units::Scale;
use symbolica::atom::{Atom, AtomCore, Symbol, SymbolBuilder};
use symbolica::coefficient::Coefficient;
use symbolica::transcendental as functions;

use crate::error::AtomsError;
use crate::number::decimal;
use crate::symbols::{Language, data, language, namespaced};

/// The most operations that an expression may have when its shared parts are written out, as atoms do.
pub const MAX_OPERATIONS: usize = 1_000_000;

/// The expressions of a model in Symbolica.
#[derive(Debug, Clone)]
pub struct Atoms {
    /// All expressions, in the order of [`Expressions::all`](costate_compiler::expressions::Expressions::all).
    pub all: Vec<NamedAtom>,
    /// Parameters, inputs, coordinates and constraints by their names in the language.
    quantities: BTreeMap<String, Symbol>,
    language: &'static Language,
}

/// An expression of a model, in SI units.
#[derive(Debug, Clone)]
pub struct NamedAtom {
    /// The expression as the compiler names it, with its unit in SI.
    pub expression: Expression,
    /// The value of the expression.
    pub atom: Atom,
}

impl Atoms {
    /// Returns the expression of `quantity` with these `indices`, such as `("f_q", &["x1", "x2"])`; `None` for a
    /// structural zero of a matrix, for an unknown energy, and for a quantity that the model does not have.
    pub fn get(&self, quantity: &str, indices: &[&str]) -> Option<&Atom> {
        let found =
            self.all.iter().find(|one| one.expression.quantity == quantity && one.expression.indices == indices);
        found.map(|one| &one.atom)
    }

    /// A parameter, input, coordinate or constraint by its name in the language, `x[2]`.
    pub fn quantity(&self, name: &str) -> Option<Atom> {
        self.quantities.get(name).map(|symbol| symbol.to_atom())
    }

    /// `dot(x)`, the velocity of the coordinate `x`.
    pub fn velocity(&self, coordinate: &str) -> Option<Atom> {
        Some(self.language.dot.call(self.quantity(coordinate)?))
    }

    /// `ddot(x)`, the acceleration of the coordinate `x`.
    pub fn acceleration(&self, coordinate: &str) -> Option<Atom> {
        Some(self.language.ddot.call(self.quantity(coordinate)?))
    }

    /// `multiplier(c)`, the Lagrange multiplier of the constraint `c`.
    pub fn multiplier(&self, constraint: &str) -> Option<Atom> {
        Some(self.language.multiplier.call(self.quantity(constraint)?))
    }

    /// `t`, time in s.
    pub fn time(&self) -> Atom {
        self.language.time.to_atom()
    }
}

/// Converts the expressions of a compiled model to atoms: M, f, C, the outputs, the energies as far as they are
/// known, the matrix of an implicit step and the first derivatives of all terms. The
/// [table](crate#what-stands-for-what) lists the symbol of every quantity.
///
/// Atoms share no subexpressions: a subexpression that the compiler keeps once is written out at every use.
///
/// # Errors
/// Names that Symbolica does not take, or that stand for something else already; numbers that are not finite;
/// expressions of more than [`MAX_OPERATIONS`] operations.
pub fn atoms(model: &Compiled) -> Result<Atoms, AtomsError> {
    let language = language().map_err(|reason| AtomsError::Symbol {
        symbol: "costate::sign".to_owned(),
        name: "the functions of the language".to_owned(),
        reason: reason.to_owned(),
    })?;
    let expressions = model.expressions();
    for one in &expressions.all {
        if expressions.graph.is_written_longer(one.id, MAX_OPERATIONS) {
            return Err(AtomsError::TooLarge { expression: one.to_string(), limit: MAX_OPERATIONS });
        }
    }
    let symbols = Symbols::new(&model.model)?;
    let mut conversion = Conversion { graph: &expressions.graph, symbols: &symbols, language, known: Vec::new() };
    conversion.known.resize(expressions.graph.len(), None);
    let mut all = Vec::with_capacity(expressions.all.len());
    for expression in &expressions.all {
        let atom = conversion.atom(expression)?;
        all.push(NamedAtom { expression: expression.clone(), atom });
    }
    Ok(Atoms { all, quantities: symbols.by_name(&model.model), language })
}

/// A quantity with its symbol.
struct Known {
    symbol: Symbol,
    scale: Scale,
}

/// The symbols of a model.
struct Symbols {
    parameters: Vec<Known>,
    inputs: Vec<Known>,
    coordinates: Vec<Known>,
    constraints: Vec<Known>,
    tables: Vec<(Known, Vec<Scale>)>,
}

impl Symbols {
    fn new(model: &Model) -> Result<Self, AtomsError> {
        let name = model.name.to_string();
        let namespace = name.trim_start_matches("r#");
        let all = |quantities: &[Declared]| -> Result<Vec<Known>, AtomsError> {
            quantities.iter().map(|quantity| known(namespace, quantity)).collect()
        };
        let tables = model.tables.iter().map(|table| {
            let arguments = table.arguments.iter().map(Declared::scale).collect();
            Ok((known(namespace, &table.quantity)?, arguments))
        });
        Ok(Symbols {
            parameters: all(&model.parameters)?,
            inputs: all(&model.inputs)?,
            coordinates: all(&model.coordinates)?,
            constraints: all(&model.constraints)?,
            tables: tables.collect::<Result<_, _>>()?,
        })
    }

    fn by_name(&self, model: &Model) -> BTreeMap<String, Symbol> {
        let pairs = [
            (&model.parameters, &self.parameters),
            (&model.inputs, &self.inputs),
            (&model.coordinates, &self.coordinates),
            (&model.constraints, &self.constraints),
        ];
        let pairs = pairs.into_iter().flat_map(|(quantities, known)| quantities.iter().zip(known));
        pairs.map(|(quantity, known)| (quantity.name.clone(), known.symbol)).collect()
    }
}

fn known(namespace: &str, quantity: &Declared) -> Result<Known, AtomsError> {
    let field = quantity.field.to_string();
    let field = field.trim_start_matches("r#");
    let name = quantity.name.clone();
    if field.ends_with('_') {
        return Err(AtomsError::Wildcard { name });
    }
    let builder = SymbolBuilder::new(namespaced(namespace, field));
    let built = builder.with_user_data(data(&name)).build();
    let symbol = built.map_err(|error| AtomsError::Symbol {
        symbol: format!("{namespace}::{field}"),
        name,
        reason: error.split_whitespace().collect::<Vec<_>>().join(" "),
    })?;
    Ok(Known { symbol, scale: quantity.scale() })
}

/// A conversion of a graph to atoms.
struct Conversion<'a> {
    graph: &'a Graph,
    symbols: &'a Symbols,
    language: &'static Language,
    /// Atoms by node; `None` for a node that has not been converted.
    known: Vec<Option<Atom>>,
}

/// The reason why a node has no atom, before the expression that contains the node is known.
enum Fault {
    NotFinite(f64),
    DivisionByZero,
    Foreign,
}

impl Conversion<'_> {
    fn atom(&mut self, expression: &Expression) -> Result<Atom, AtomsError> {
        let found = self.convert(expression.id);
        found.map_err(|fault| {
            let expression = expression.to_string();
            match fault {
                Fault::NotFinite(value) => AtomsError::NotFinite { expression, value: value.to_string() },
                Fault::DivisionByZero => AtomsError::DivisionByZero { expression },
                Fault::Foreign => AtomsError::Foreign { expression },
            }
        })
    }

    fn convert(&mut self, root: Id) -> Result<Atom, Fault> {
        for id in self.graph.reachable(&[root]) {
            if self.at(id).is_err() {
                let atom = self.node(self.graph.node(id))?;
                if let Some(place) = self.known.get_mut(id.index()) {
                    *place = Some(atom);
                }
            }
        }
        self.at(root).cloned()
    }

    /// Returns the atom of a node; `Foreign` if the node has not been converted. Operands are converted before
    /// results.
    fn at(&self, id: Id) -> Result<&Atom, Fault> {
        self.known.get(id.index()).and_then(Option::as_ref).ok_or(Fault::Foreign)
    }

    fn node(&self, node: Node) -> Result<Atom, Fault> {
        let language = self.language;
        Ok(match node {
            Node::Constant(bits) => number(f64::from_bits(bits))?,
            Node::Symbol(symbol) => self.symbol(symbol)?,
            Node::Negate(a) => -self.at(a)?.clone(),
            Node::Add(a, b) => self.at(a)? + self.at(b)?,
            Node::Subtract(a, b) => self.at(a)? - self.at(b)?,
            Node::Multiply(a, b) => self.at(a)? * self.at(b)?,
            Node::Divide(a, b) => quotient(self.at(a)?, self.at(b)?)?,
            Node::PowerInteger(a, n) => {
                let a = self.at(a)?;
                if n < 0 && a.is_zero() {
                    return Err(Fault::DivisionByZero);
                }
                a.pow(i64::from(n))
            }
            Node::Power(a, b) => self.at(a)?.pow(self.at(b)?),
            Node::Unary(function, a) => self.unary(function, self.at(a)?),
            Node::Atan2(y, x) => functions::atan().call((self.at(x)?, self.at(y)?)),
            Node::Curve(lookup, x) => self.lookup(lookup, &[self.at(x)?])?,
            Node::Surface(lookup, x, y) => self.lookup(lookup, &[self.at(x)?, self.at(y)?])?,
            Node::Select(condition, yes, no) => Symbol::IF.call((self.at(condition)?, self.at(yes)?, self.at(no)?)),
            Node::Less(a, b) => language.less.call((self.at(a)?, self.at(b)?)),
            Node::LessEqual(a, b) => language.less_equal.call((self.at(a)?, self.at(b)?)),
            Node::Equal(a, b) => language.equal.call((self.at(a)?, self.at(b)?)),
            Node::And(a, b) => language.and.call((self.at(a)?, self.at(b)?)),
            Node::Or(a, b) => language.or.call((self.at(a)?, self.at(b)?)),
            Node::Not(a) => language.not.call(self.at(a)?),
        })
    }

    fn symbol(&self, symbol: Quantity) -> Result<Atom, Fault> {
        let Symbols { parameters, inputs, coordinates, constraints, .. } = self.symbols;
        let of = |known: &[Known], i: usize| known.get(i).map(|known| known.symbol.to_atom());
        // from SI units, in which Symbolica has the quantity, to the number in the declared unit
        let declared = |known: &[Known], i: usize| -> Result<Atom, Fault> {
            let known = known.get(i).ok_or(Fault::Foreign)?;
            scaled(&known.symbol.to_atom(), known.scale.inverse())
        };
        let language = self.language;
        let atom = match symbol {
            Quantity::Time => Some(language.time.to_atom()),
            Quantity::Coordinate(i) => of(coordinates, i),
            Quantity::Velocity(i) => of(coordinates, i).map(|x| language.dot.call(x)),
            Quantity::Acceleration(i) => of(coordinates, i).map(|x| language.ddot.call(x)),
            Quantity::Multiplier(i) => of(constraints, i).map(|c| language.multiplier.call(c)),
            Quantity::Parameter(i) => Some(declared(parameters, i)?),
            Quantity::Input(i) => Some(declared(inputs, i)?),
            Quantity::Integrator(weight) => {
                let [w_a, w_q, w_v, h, previous] = language.weights;
                let weight = match weight {
                    Integrator::Accelerations => w_a,
                    Integrator::Coordinates => w_q,
                    Integrator::Velocities => w_v,
                    Integrator::Step => h,
                    Integrator::Previous => previous,
                };
                Some(weight.to_atom())
            }
            Quantity::Given(..) => None,
        };
        atom.ok_or(Fault::Foreign)
    }

    fn unary(&self, function: Function, x: &Atom) -> Atom {
        match function {
            Function::Sin => x.sin(),
            Function::Cos => x.cos(),
            Function::Tan => functions::tan().call(x),
            Function::Asin => functions::asin().call(x),
            Function::Acos => functions::acos().call(x),
            Function::Atan => functions::atan().call(x),
            Function::Sinh => functions::sinh().call(x),
            Function::Cosh => functions::cosh().call(x),
            Function::Tanh => functions::tanh().call(x),
            Function::SechSquared => functions::cosh().call(x).pow(-2),
            Function::Exp => x.exp(),
            Function::Ln => x.log(),
            Function::Log10 => x.log() / Atom::num(10).log(),
            Function::Sqrt => x.sqrt(),
            Function::Abs => self.language.abs.call(x),
            Function::Sign => self.language.sign.call(x),
        }
    }

    /// Converts a lookup, whose arguments and value are in the units of the table, to a call of a function in SI
    /// units.
    fn lookup(&self, lookup: Lookup, arguments: &[&Atom]) -> Result<Atom, Fault> {
        let table = usize::try_from(lookup.table).ok().and_then(|table| self.symbols.tables.get(table));
        let (table, scales) = table.ok_or(Fault::Foreign)?;
        let mut in_si = Vec::with_capacity(arguments.len());
        for (argument, scale) in arguments.iter().zip(scales) {
            in_si.push(scaled(argument, *scale)?);
        }
        let orders = lookup.orders.get(..arguments.len()).ok_or(Fault::Foreign)?;
        let mut value = if orders.iter().all(|order| *order == 0) {
            table.symbol.call_args(&in_si)
        } else {
            let orders = orders.iter().map(|order| Atom::num(i64::from(*order)));
            let call: Vec<Atom> = orders.chain([table.symbol.to_atom()]).chain(in_si).collect();
            Symbol::DERIVATIVE.call_args(&call)
        };
        for (order, scale) in orders.iter().zip(scales) {
            for _ in 0..*order {
                value = scaled(&value, *scale)?;
            }
        }
        scaled(&value, table.scale.inverse())
    }
}

/// Converts a number to its decimal fraction, and the double nearest to pi to the constant of Symbolica.
fn number(value: f64) -> Result<Atom, Fault> {
    if value == std::f64::consts::PI {
        return Ok(Symbol::PI.to_atom());
    }
    let exact = decimal(value).ok_or(Fault::NotFinite(value))?;
    Ok(Atom::num(Coefficient::from(exact)))
}

fn scaled(atom: &Atom, scale: Scale) -> Result<Atom, Fault> {
    quotient(&(atom * &number(scale.numerator)?), &number(scale.denominator)?)
}

fn quotient(above: &Atom, below: &Atom) -> Result<Atom, Fault> {
    if below.is_zero() { Err(Fault::DivisionByZero) } else { Ok(above / below) }
}
