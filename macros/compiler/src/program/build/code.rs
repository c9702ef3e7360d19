//! Straight-line statements for a set of expressions: every shared subexpression is computed once.

use rustc_hash::FxHashMap;

use super::constants::Constants;
use super::like_calls::LikeCalls;
use super::local_names::LocalNames;
use super::operations::needed;
use super::variables::Variables;
use super::words::in_words;
use crate::model::{Model, Quantity};
use crate::program::{Expression, Statement, Variable};
use crate::symbolic::{Function, Graph, Id, Lookup, Node, Symbol};

mod calls;

/// Largest number of operations of one expression.
pub const MAX_EXPRESSION: usize = 24;

/// State of [`Code::write`].
struct Writing {
    /// All expressions to be written, operands first.
    order: Vec<Id>,
    uses: FxHashMap<Id, usize>,
    like_calls: LikeCalls,
    /// Number of operations of each visited expression, as far as they are written into one expression.
    sizes: FxHashMap<Id, usize>,
}

/// A list of statements that grows, and the expressions whose values it already has.
pub struct Code<'a> {
    model: &'a Model,
    graph: &'a Graph,
    /// Constants of the run, with the names that the user gave to expressions.
    constants: &'a Constants,
    /// Known expressions: symbols, constants of the run, local variables.
    known: FxHashMap<Id, Expression>,
    variables: Variables,
    /// Names that are preferred for some expressions.
    wanted: FxHashMap<Id, String>,
    /// Names of variables that may be part of other names: names of quantities, and names given by the user.
    words: FxHashMap<Id, String>,
    statements: Vec<Statement>,
    /// True if sums with products are written so that back ends may fuse them.
    fuses: bool,
}

impl<'a> Code<'a> {
    /// Starts with the symbols and constants of the run that are `known`.
    pub fn new(
        model: &'a Model,
        graph: &'a Graph,
        constants: &'a Constants,
        known: FxHashMap<Id, Expression>,
        variables: Variables,
    ) -> Self {
        // the symbols of the adjoint and of right-hand sides have long names
        let is_given = |id: Id| matches!(graph.node(id), Node::Symbol(Symbol::Given(..)));
        let words = known.iter().filter(|(id, _)| !is_given(**id));
        let words = words.filter_map(|(&id, known)| match known {
            Expression::Variable(variable) => Some((id, variables.name(*variable).to_owned())),
            _ => None,
        });
        let words = words.collect();
        let (wanted, statements) = (FxHashMap::default(), Vec::new());
        Code { model, graph, constants, known, variables, wanted, words, statements, fuses: false }
    }

    /// Sets the names of variables that hold these expressions.
    pub fn naming(self, names: &[(Id, String)]) -> Self {
        Code { wanted: names.iter().cloned().collect(), ..self }
    }

    /// Writes sums with products so that back ends may fuse them: less readable, and meant for functions in time loops.
    pub fn fusing(self) -> Self {
        Code { fuses: true, ..self }
    }

    /// Computes a variable for every expression that `roots` share, and returns the expression of each root.
    pub fn write(&mut self, roots: &[Id]) -> Vec<Expression> {
        let order = needed(self.graph, roots, |id| self.known.contains_key(&id));
        let mut uses: FxHashMap<Id, usize> = FxHashMap::default();
        for &root in roots {
            *uses.entry(root).or_default() += 1;
        }
        for &id in &order {
            for operand in self.graph.node(id).operands() {
                *uses.entry(operand).or_default() += 1;
            }
        }
        let like_calls = LikeCalls::find(self.graph, &order);
        let mut writing = Writing { order, uses, like_calls, sizes: FxHashMap::default() };
        for id in writing.order.clone() {
            self.visit(id, &mut writing);
        }
        roots.iter().map(|&root| self.expression(root)).collect()
    }

    /// Binds `id`, whose operands have been visited, to a variable if necessary.
    fn visit(&mut self, id: Id, writing: &mut Writing) {
        if writing.sizes.contains_key(&id) || self.known.contains_key(&id) {
            return;
        }
        let node = self.graph.node(id);
        let known = |id| writing.sizes.get(&id).copied().unwrap_or(0);
        let size = 1 + node.operands().map(known).sum::<usize>();
        let trivial = matches!(node, Node::Constant(_));
        let shared = writing.uses.get(&id).copied().unwrap_or(0) > 1 || size > MAX_EXPRESSION;
        let call = node.lookup().is_some() || writing.like_calls.group_of(id).is_some();
        if (shared || call) && !trivial {
            self.bind(id, writing);
        }
        writing.sizes.insert(id, if self.known.contains_key(&id) { 0 } else { size });
    }

    /// Takes the statements written so far.
    pub fn take_statements(&mut self) -> Vec<Statement> {
        std::mem::take(&mut self.statements)
    }

    /// Returns the names of all variables of the function.
    pub fn into_variables(self) -> Vec<String> {
        self.variables.all
    }

    /// Writes `roots` in a block of their own: returns statements whose variables are not known outside, and the
    /// expressions.
    pub fn block(&mut self, roots: &[Id]) -> (Vec<Statement>, Vec<Expression>) {
        let (known, outer) = (self.known.clone(), std::mem::take(&mut self.statements));
        let values = self.write(roots);
        self.known = known;
        (std::mem::replace(&mut self.statements, outer), values)
    }

    /// Computes a variable, or all like calls at once, or sine and cosine together where both are needed.
    fn bind(&mut self, id: Id, writing: &mut Writing) {
        if let Some(group) = writing.like_calls.group_of(id) {
            self.bind_like_calls(id, &group, writing);
            return;
        }
        let order = &writing.order;
        if let Node::Unary(function @ (Function::Sin | Function::Cos), argument) = self.graph.node(id) {
            let other = if function == Function::Sin { Function::Cos } else { Function::Sin };
            let partner = self.graph.find(Node::Unary(other, argument));
            let partner = partner.filter(|partner| order.binary_search(partner).is_ok());
            if let Some(partner) = partner {
                let (sin, cos) = if function == Function::Sin { (id, partner) } else { (partner, id) };
                self.bind_sin_cos(sin, cos, argument);
                return;
            }
        }
        if let Some((table, arguments)) = self.graph.node(id).lookup() {
            self.bind_lookups(table, arguments, &writing.order);
            return;
        }
        let to = self.variable(id);
        let value = self.expression(id);
        self.known.insert(id, Expression::Variable(to));
        self.push(Statement::Let { to, value });
    }

    /// Adds a statement.
    pub fn push(&mut self, statement: Statement) {
        self.statements.push(statement);
    }

    /// Sets what `id` is from now on, and returns what it was before.
    pub fn know(&mut self, id: Id, known: Expression) -> Option<Expression> {
        self.known.insert(id, known)
    }

    /// Checks whether `id` is known.
    pub fn knows(&self, id: Id) -> bool {
        self.known.contains_key(&id)
    }

    /// Restores what was replaced by `know`.
    pub fn restore(&mut self, before: Vec<(Id, Option<Expression>)>) {
        for (id, known) in before {
            match known {
                Some(known) => self.known.insert(id, known),
                None => self.known.remove(&id),
            };
        }
    }

    /// Creates a variable for the expression and others like it; a formula of the first one would be a wrong name.
    pub fn variable_like(&mut self, id: Id) -> Variable {
        self.own_variable(id).unwrap_or_else(|| self.variables.numbered("e"))
    }

    /// Returns the names of variables used so far.
    pub fn names(&self) -> LocalNames {
        self.variables.names.clone()
    }

    /// Resets the names at the end of a scope to those before it, `names`.
    pub fn forget_names_but(&mut self, names: LocalNames) {
        self.variables.names = names;
    }

    /// Checks whether the user gave a name to the expression, or to the table whose value it is.
    pub fn has_own_name(&self, id: Id) -> bool {
        self.constants.let_names.contains_key(&id) || self.graph.node(id).lookup().is_some()
    }

    /// Returns this name, or this name and a suffix, for something else than a variable.
    pub fn unique_name(&mut self, name: &str) -> String {
        self.variables.names.unique(name)
    }

    /// Creates a variable with this name, or this name and a suffix.
    pub fn unique(&mut self, name: &str) -> Variable {
        self.variables.unique(name)
    }

    /// Creates a variable with the name given by the user, a short formula in words, or a number.
    fn variable(&mut self, id: Id) -> Variable {
        if let Some(variable) = self.own_variable(id) {
            return variable;
        }
        let known = |id: Id| self.words.get(&id).or_else(|| self.constants.word(id)).cloned();
        match in_words(self.graph, id, 1, &known) {
            Some(name) => self.variables.unique(&name),
            None => self.variables.numbered("e"),
        }
    }

    /// Creates a variable with the name given by the user, by a table, or by a function of a variable such as
    /// `sin_phi`; `None` without such a name.
    fn own_variable(&mut self, id: Id) -> Option<Variable> {
        if let Some(name) = self.constants.let_names.get(&id).cloned() {
            return Some(self.named(id, &name));
        }
        if let Some(name) = self.wanted.get(&id) {
            return Some(self.variables.unique(name));
        }
        if let Some((lookup, _)) = self.graph.node(id).lookup()
            && let Some(name) = self.name_of_lookup(lookup)
        {
            return Some(self.variables.unique(&name));
        }
        if let Node::Unary(function, argument) = self.graph.node(id)
            && let Some(Expression::Variable(argument)) = self.known.get(&argument)
        {
            let name = format!("{}_{}", function.name(), self.variables.name(*argument));
            return Some(self.named(id, &name));
        }
        None
    }

    /// Names a value of a table or of a derivative: `pressure`, `pressure_wrt_angle`, `pressure_wrt_speed_angle`.
    fn name_of_lookup(&self, lookup: Lookup) -> Option<String> {
        let table = self.model.tables.get(lookup.table as usize)?;
        let name = |quantity: &Quantity| quantity.field.to_string();
        let by = table.arguments.iter().zip(lookup.orders);
        let by: Vec<String> = by.flat_map(|(argument, order)| vec![name(argument); order.into()]).collect();
        let own = name(&table.quantity);
        Some(if by.is_empty() { own } else { format!("{own}_wrt_{}", by.join("_")) })
    }

    /// Creates a variable whose name may be part of other names.
    fn named(&mut self, id: Id, name: &str) -> Variable {
        let variable = self.variables.unique(name);
        self.words.insert(id, self.variables.name(variable).to_owned());
        variable
    }

    /// Records an unknown expression, and returns what stands in its place.
    pub fn fault(&self, what: impl Into<String>) -> Expression {
        self.constants.faults.note(what)
    }

    /// Returns the value of the expression if it is a plain number.
    fn number(&self, id: Id) -> Option<f64> {
        self.graph.as_constant(id).filter(|_| !self.known.contains_key(&id))
    }

    /// Returns the expression, made of what is known.
    pub fn expression(&self, id: Id) -> Expression {
        if let Some(known) = self.known.get(&id) {
            return known.clone();
        }
        let one = |id| Box::new(self.expression(id));
        let two = |a, b| Box::new([self.expression(a), self.expression(b)]);
        match self.graph.node(id) {
            Node::Constant(bits) => Expression::Number(f64::from_bits(bits)),
            // Every symbol that a function needs is known to the function.
            Node::Symbol(symbol) => self.fault(format!("a function does not know {symbol:?}")),
            Node::Negate(a) => Expression::Negate(one(a)),
            Node::Add(a, b) => {
                if let Some(terms) = self.fused(a, b).or_else(|| self.fused(b, a)) {
                    return Expression::PlusProduct(terms);
                }
                Expression::Add(two(a, b))
            }
            Node::Subtract(a, b) => match self.fused(a, b) {
                Some(terms) => Expression::MinusProduct(terms),
                None => Expression::Subtract(two(a, b)),
            },
            Node::Multiply(a, b) => Expression::Multiply(two(a, b)),
            Node::Divide(a, b) => Expression::Divide(two(a, b)),
            Node::PowerInteger(a, n) => Expression::PowerInteger(one(a), n),
            Node::Power(a, b) => Expression::Power(two(a, b)),
            Node::Unary(function, a) => Expression::Elementary(function, one(a)),
            Node::Atan2(y, x) => Expression::Atan2(two(y, x)),
            // Lookups are bound to variables before any expression that uses them.
            Node::Curve(..) | Node::Surface(..) => self.fault("a function does not know the value of a table"),
            Node::Select(condition, yes, no) => {
                Expression::Select(Box::new([condition, yes, no].map(|id| self.expression(id))))
            }
            Node::Less(a, b) => Expression::Less(two(a, b)),
            Node::LessEqual(a, b) => Expression::LessEqual(two(a, b)),
            Node::Equal(a, b) => Expression::Equal(two(a, b)),
            Node::And(a, b) => Expression::And(two(a, b)),
            Node::Or(a, b) => Expression::Or(two(a, b)),
            Node::Not(a) => Expression::Not(one(a)),
        }
    }

    /// Returns `[sum, a, b]` where `product` is a product a b without a name that may be fused with the sum. A product
    /// with a plain number is left as it is, since its derivatives cost less that way.
    fn fused(&self, sum: Id, product: Id) -> Option<Box<[Expression; 3]>> {
        match self.graph.node(product) {
            Node::Multiply(a, b) if self.fuses && !self.known.contains_key(&product) => {
                let has_number = [sum, a, b].into_iter().any(|id| self.number(id).is_some());
                (!has_number).then(|| Box::new([sum, a, b].map(|id| self.expression(id))))
            }
            _ => None,
        }
    }
}
