//! Nodes and their storage.

use rustc_hash::{FxHashMap, FxHashSet};

use super::change::Change;
use super::id::Id;
use super::symbol::Symbol;
use super::symbol_sets::{self, SetId, SymbolSets};
use crate::limits::{Limit, MAX_OPERATIONS};

/// Functions of one argument.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Function {
    /// Sine.
    Sin,
    /// Cosine.
    Cos,
    /// Tangent.
    Tan,
    /// Inverse sine.
    Asin,
    /// Inverse cosine.
    Acos,
    /// Inverse tangent.
    Atan,
    /// Hyperbolic sine.
    Sinh,
    /// Hyperbolic cosine.
    Cosh,
    /// Hyperbolic tangent.
    Tanh,
    /// 1/cosh^2, the derivative of tanh: where tanh is nearly 1, 1 - tanh^2 cancels and 1/cosh^2 overflows in its own
    /// derivative. The language has no name for it.
    SechSquared,
    /// Exponential.
    Exp,
    /// Natural logarithm.
    Ln,
    /// Logarithm to base 10.
    Log10,
    /// Square root.
    Sqrt,
    /// Absolute value.
    Abs,
    /// -1, 0 or 1; the derivative is 0.
    Sign,
}

impl Function {
    /// The functions of the language.
    pub const ALL: [Function; 15] = [
        Function::Sin,
        Function::Cos,
        Function::Tan,
        Function::Asin,
        Function::Acos,
        Function::Atan,
        Function::Sinh,
        Function::Cosh,
        Function::Tanh,
        Function::Exp,
        Function::Ln,
        Function::Log10,
        Function::Sqrt,
        Function::Abs,
        Function::Sign,
    ];

    /// Returns the name in the emitted code, which is also the name in the language if the language has the function.
    pub fn name(self) -> &'static str {
        match self {
            Function::Sin => "sin",
            Function::Cos => "cos",
            Function::Tan => "tan",
            Function::Asin => "asin",
            Function::Acos => "acos",
            Function::Atan => "atan",
            Function::Sinh => "sinh",
            Function::Cosh => "cosh",
            Function::Tanh => "tanh",
            Function::SechSquared => "sech_squared",
            Function::Exp => "exp",
            Function::Ln => "ln",
            Function::Log10 => "log10",
            Function::Sqrt => "sqrt",
            Function::Abs => "abs",
            Function::Sign => "sign",
        }
    }
}

/// A derivative of a table of the model, the table itself included.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Lookup {
    /// Position among the tables.
    pub table: u32,
    /// Orders of differentiation with respect to the first and the second argument.
    pub orders: [u8; 2],
}

impl Lookup {
    /// Differentiates once more with respect to the first (0) or second (1) argument; `None` if the result is zero.
    pub fn differentiated(mut self, argument: usize) -> Option<Lookup> {
        // Tables are cubic polynomials, whose derivatives of a higher order are zero.
        const MAX_ORDER: u8 = 3;
        self.orders[argument] += 1;
        (self.orders[argument] <= MAX_ORDER).then_some(self)
    }
}

/// An operation on smaller expressions. The last six are conditions, all others are numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Node {
    /// The bits of an `f64`.
    Constant(u64),
    /// A quantity that is known at run time only.
    Symbol(Symbol),
    /// `-a`
    Negate(Id),
    /// `a + b`
    Add(Id, Id),
    /// `a - b`
    Subtract(Id, Id),
    /// `a b`
    Multiply(Id, Id),
    /// `a / b`
    Divide(Id, Id),
    /// Integer power, exponent neither 0 nor 1.
    PowerInteger(Id, i32),
    /// `a^b`
    Power(Id, Id),
    /// `function(a)`
    Unary(Function, Id),
    /// `atan2(y, x)`
    Atan2(Id, Id),
    /// A table of one argument.
    Curve(Lookup, Id),
    /// A table of two arguments.
    Surface(Lookup, Id, Id),
    /// `if condition { yes } else { no }`
    Select(Id, Id, Id),
    /// `a < b`
    Less(Id, Id),
    /// `a <= b`
    LessEqual(Id, Id),
    /// `a == b`
    Equal(Id, Id),
    /// Both conditions hold.
    And(Id, Id),
    /// At least one condition holds.
    Or(Id, Id),
    /// The condition does not hold.
    Not(Id),
}

impl Node {
    /// Lists the operands, in order.
    pub fn operands(self) -> impl Iterator<Item = Id> {
        let operands = match self {
            Node::Constant(_) | Node::Symbol(_) => [None; 3],
            Node::Negate(a) | Node::PowerInteger(a, _) | Node::Unary(_, a) | Node::Curve(_, a) | Node::Not(a) => {
                [Some(a), None, None]
            }
            Node::Add(a, b)
            | Node::Subtract(a, b)
            | Node::Multiply(a, b)
            | Node::Divide(a, b)
            | Node::Power(a, b)
            | Node::Atan2(a, b)
            | Node::Surface(_, a, b)
            | Node::Less(a, b)
            | Node::LessEqual(a, b)
            | Node::Equal(a, b)
            | Node::And(a, b)
            | Node::Or(a, b) => [Some(a), Some(b), None],
            Node::Select(a, b, c) => [Some(a), Some(b), Some(c)],
        };
        operands.into_iter().flatten()
    }

    /// Returns the table and the arguments of a value of a table.
    pub fn lookup(self) -> Option<(Lookup, [Option<Id>; 2])> {
        match self {
            Node::Curve(lookup, x) => Some((lookup, [Some(x), None])),
            Node::Surface(lookup, x, y) => Some((lookup, [Some(x), Some(y)])),
            _ => None,
        }
    }
}

/// The expression graph of a model.
#[derive(Debug, Clone)]
pub struct Graph {
    nodes: Vec<Node>,
    ids: FxHashMap<Node, Id>,
    /// The symbols that each node depends on.
    set_of: Vec<SetId>,
    sets: SymbolSets,
    passed: Option<Limit>,
    pub(super) derivatives: FxHashMap<(Id, Change), Id>,
}

impl Default for Graph {
    fn default() -> Self {
        Self::new()
    }
}

impl Graph {
    /// A graph without expressions.
    pub fn new() -> Self {
        Graph {
            nodes: Vec::new(),
            ids: FxHashMap::default(),
            set_of: Vec::new(),
            sets: SymbolSets::new(),
            passed: None,
            derivatives: FxHashMap::default(),
        }
    }

    /// The operation that `id` stands for.
    pub fn node(&self, id: Id) -> Node {
        self.nodes[id.index()]
    }

    /// Number of nodes.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Checks whether the graph has no nodes.
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// The symbols that `id` depends on, sorted.
    pub fn symbols(&self, id: Id) -> &[Symbol] {
        self.sets.symbols(self.set_of[id.index()])
    }

    /// The symbols that any of `ids` depends on.
    pub fn symbols_of(&self, ids: &[Id]) -> FxHashSet<Symbol> {
        self.sets.symbols_of(ids.iter().map(|id| self.set_of[id.index()]))
    }

    /// Checks whether `id` depends on `symbol`.
    pub fn depends_on(&self, id: Id, symbol: Symbol) -> bool {
        self.sets.contains(self.set_of[id.index()], symbol)
    }

    /// Checks whether `id` depends on some velocity.
    pub fn depends_on_velocities(&self, id: Id) -> bool {
        let symbols = self.sets.symbols(self.set_of[id.index()]);
        symbols.iter().any(|symbol| matches!(symbol, Symbol::Velocity(_)))
    }

    /// Checks whether `id` may depend on the value of a lookup: `id` is newer than the lookup and has all its
    /// symbols.
    pub(super) fn may_depend_on_lookup(&self, id: Id, lookup: Id) -> bool {
        id >= lookup && self.sets.includes(self.set_of[id.index()], self.set_of[lookup.index()])
    }

    /// Checks whether `id` is constant during a run: it depends on parameters and the settings of the integrator
    /// alone.
    pub fn is_run_constant(&self, id: Id) -> bool {
        self.sets.is_run_constant(self.set_of[id.index()])
    }

    /// The constant that `id` stands for, if it is one.
    pub fn as_constant(&self, id: Id) -> Option<f64> {
        match self.node(id) {
            Node::Constant(bits) => Some(f64::from_bits(bits)),
            _ => None,
        }
    }

    /// The operand of a negation and `true`, or `id` itself and `false`.
    pub fn without_sign(&self, id: Id) -> (Id, bool) {
        match self.node(id) {
            Node::Negate(inner) => (inner, true),
            _ => (id, false),
        }
    }

    /// The id of `node` if the graph already has it.
    pub fn find(&self, node: Node) -> Option<Id> {
        self.ids.get(&node).copied()
    }

    /// Returns the limit that the expressions have exceeded. From then on no expression is built: the id of an
    /// arbitrary one is returned instead, and the model is refused.
    pub(crate) fn exceeded(&self) -> Option<Limit> {
        self.passed
    }

    /// Records that a limit has been exceeded.
    pub(crate) fn pass(&mut self, limit: Limit) {
        self.passed.get_or_insert(limit);
    }

    /// Adds a node without simplification.
    pub(crate) fn intern(&mut self, node: Node) -> Id {
        if let Some(id) = self.find(node) {
            return id;
        }
        if self.nodes.len() + self.derivatives.len() >= MAX_OPERATIONS {
            self.pass(Limit::Operations);
        }
        if self.passed.is_some() {
            return Id::ANY;
        }
        let set = match node {
            Node::Symbol(symbol) => self.sets.single(symbol),
            _ => node
                .operands()
                .fold(symbol_sets::EMPTY, |set, operand| self.sets.union(set, self.set_of[operand.index()])),
        };
        let id = Id::at(self.nodes.len() as u32);
        self.nodes.push(node);
        self.set_of.push(set);
        self.ids.insert(node, id);
        id
    }
}
