//! Straight-line code for a set of expressions: every shared subexpression is computed once.

use proc_macro2::{Ident, Literal, TokenStream};
use quote::{format_ident, quote};
use rustc_hash::FxHashMap;

use super::constants::Constants;
use super::like_calls::LikeCalls;
use super::local_names::LocalNames;
use super::operations::needed;
use super::statement::{Statement, statements};
use super::tables::TableVariable;
use super::words::in_words;
use crate::symbolic::{Function, Graph, Id, Node, Symbol};

mod calls;

/// The precedence of an emitted expression in Rust.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Binding {
    Sum,
    Product,
    Negation,
    Atom,
}

/// Largest number of operations that are written into one expression.
pub const LARGEST_EXPRESSION: usize = 24;

/// State of [`Code::write`].
struct Writing {
    /// All expressions to be written, operands first.
    order: Vec<Id>,
    uses: FxHashMap<Id, usize>,
    like_calls: LikeCalls,
    /// Number of operations of each visited expression, as far as they are written into one expression.
    sizes: FxHashMap<Id, usize>,
}

/// A writer of expressions that records which expressions already have a name.
pub struct Code<'a> {
    graph: &'a Graph,
    /// Constants of the run, with the names that the user gave to expressions.
    constants: &'a Constants,
    tables: Vec<TableVariable>,
    /// The text of known expressions: symbols, constants of the run, local variables.
    known: FxHashMap<Id, TokenStream>,
    names: LocalNames,
    /// Names that are preferred for some expressions.
    wanted: FxHashMap<Id, String>,
    /// Names of variables that may be part of other names: names of quantities, and names given by the user.
    words: FxHashMap<Id, String>,
    statements: Vec<Statement>,
    /// True if sums with products are written so that builds may fuse them.
    fuses: bool,
}

impl<'a> Code<'a> {
    /// Creates a writer with the symbols and constants of the run that are `known`, and their text.
    pub fn new(
        graph: &'a Graph,
        constants: &'a Constants,
        tables: Vec<TableVariable>,
        known: FxHashMap<Id, TokenStream>,
        names: LocalNames,
    ) -> Self {
        let variable = |tokens: &TokenStream| syn::parse2::<Ident>(tokens.clone()).ok();
        // the symbols of the adjoint and of right-hand sides have long names
        let is_given = |id: Id| matches!(graph.node(id), Node::Symbol(Symbol::Given(..)));
        let words = known.iter().filter(|(id, _)| !is_given(**id));
        let words = words.filter_map(|(&id, tokens)| Some((id, variable(tokens)?.to_string()))).collect();
        let (wanted, statements) = (FxHashMap::default(), Vec::new());
        Code { graph, constants, tables, known, names, wanted, words, statements, fuses: false }
    }

    /// Sets the names of variables that hold these expressions.
    pub fn naming(self, names: &FxHashMap<Id, Ident>) -> Self {
        Code { wanted: names.iter().map(|(&id, name)| (id, name.to_string())).collect(), ..self }
    }

    /// Writes sums with products so that builds for processors with fused operations use these: less readable, and
    /// meant for functions in time loops.
    pub fn fusing(self) -> Self {
        Code { fuses: true, ..self }
    }

    /// Writes a `let` for every expression that `roots` share, and returns the expression of each root.
    pub fn write(&mut self, roots: &[Id]) -> Vec<TokenStream> {
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
        roots.iter().map(|&root| self.scalar(root)).collect()
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
        let shared = writing.uses.get(&id).copied().unwrap_or(0) > 1 || size > LARGEST_EXPRESSION;
        let call = node.lookup().is_some() || writing.like_calls.group_of(id).is_some();
        if (shared || call) && !trivial {
            self.bind(id, writing);
        }
        writing.sizes.insert(id, if self.known.contains_key(&id) { 0 } else { size });
    }

    /// Returns the statements written so far.
    pub fn statements(&self) -> Vec<TokenStream> {
        statements(&self.statements)
    }

    /// Writes `roots` in a block of their own: returns statements that are not visible outside, and the expressions.
    pub fn block(&mut self, roots: &[Id]) -> (Vec<TokenStream>, Vec<TokenStream>) {
        let (known, outer) = (self.known.clone(), std::mem::take(&mut self.statements));
        let values = self.write(roots);
        self.known = known;
        (statements(&std::mem::replace(&mut self.statements, outer)), values)
    }

    /// Writes `let name = expression;`, or all like calls at once, or sine and cosine together where both are needed.
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
        let name = self.name(id);
        let value = self.scalar(id);
        self.known.insert(id, quote!(#name));
        self.bind_to(quote!(#name), vec![name], value);
    }

    /// Writes `let pattern = value;`, where the pattern has these names.
    pub fn bind_to(&mut self, pattern: TokenStream, names: Vec<Ident>, value: TokenStream) {
        self.statements.push(Statement::Let { pattern, names, value });
    }

    /// Writes a statement without names.
    pub fn act(&mut self, statement: TokenStream) {
        self.statements.push(Statement::Act(statement));
    }

    /// Sets the text of `id` from now on, and returns the previous text.
    pub fn know(&mut self, id: Id, tokens: TokenStream) -> Option<TokenStream> {
        self.known.insert(id, tokens)
    }

    /// Checks whether `id` has a text of its own.
    pub fn knows(&self, id: Id) -> bool {
        self.known.contains_key(&id)
    }

    /// Restores the texts that were replaced by `know`.
    pub fn restore(&mut self, before: Vec<(Id, Option<TokenStream>)>) {
        for (id, tokens) in before {
            match tokens {
                Some(tokens) => self.known.insert(id, tokens),
                None => self.known.remove(&id),
            };
        }
    }

    /// Creates a variable for the expression and others like it; a formula of the first one would be a wrong name.
    pub fn name_of(&mut self, id: Id) -> Ident {
        self.own_name(id).unwrap_or_else(|| self.names.numbered("e"))
    }

    /// Returns the names of variables used so far.
    pub fn names(&self) -> LocalNames {
        self.names.clone()
    }

    /// Resets the names at the end of a scope to those before it, `names`.
    pub fn forget_names_but(&mut self, names: LocalNames) {
        self.names = names;
    }

    /// Checks whether the user gave a name to the expression, or to the table whose value it is.
    pub fn has_own_name(&self, id: Id) -> bool {
        self.constants.let_names.contains_key(&id) || self.graph.node(id).lookup().is_some()
    }

    /// Creates a variable with this name, or this name and a suffix.
    pub fn unique(&mut self, name: &str) -> Ident {
        self.names.unique(name)
    }

    /// Creates a name: the one given by the user, a short formula in words, or a number.
    fn name(&mut self, id: Id) -> Ident {
        if let Some(name) = self.own_name(id) {
            return name;
        }
        let known = |id: Id| self.words.get(&id).or_else(|| self.constants.word(id)).cloned();
        match in_words(self.graph, id, 1, &known) {
            Some(name) => self.names.unique(&name),
            None => self.names.numbered("e"),
        }
    }

    /// Creates the name given by the user, by a table, or by a function of a variable such as `sin_phi`; `None`
    /// without one.
    fn own_name(&mut self, id: Id) -> Option<Ident> {
        if let Some(name) = self.constants.let_names.get(&id).cloned() {
            return Some(self.named(id, &name));
        }
        if let Some(name) = self.wanted.get(&id) {
            return Some(self.names.unique(name));
        }
        if let Some((lookup, _)) = self.graph.node(id).lookup()
            && let Some(table) = self.tables.get(lookup.table as usize)
        {
            return Some(self.names.unique(&table.variable(lookup.orders)));
        }
        if let Node::Unary(function, argument) = self.graph.node(id)
            && let Some(known) = self.known.get(&argument)
            && let Ok(argument) = syn::parse2::<Ident>(known.clone())
        {
            return Some(self.named(id, &format!("{}_{argument}", function.name())));
        }
        None
    }

    /// Creates a variable whose name may be part of other names.
    fn named(&mut self, id: Id, name: &str) -> Ident {
        let name = self.names.unique(name);
        self.words.insert(id, name.to_string());
        name
    }

    /// Records an unknown expression, and returns the text for its place.
    pub fn fault(&self, what: impl Into<String>) -> TokenStream {
        self.constants.faults.note(what)
    }

    /// Writes the expression as a scalar of type `S`.
    pub fn scalar(&self, id: Id) -> TokenStream {
        match self.number(id) {
            Some(value) => constant(value),
            None => self.expression(id).0,
        }
    }

    /// Writes the expression as a factor, in parentheses if necessary.
    pub fn factor(&self, id: Id) -> TokenStream {
        self.operand(id, Binding::Atom)
    }

    /// Returns the value of the expression if it is written as a number.
    fn number(&self, id: Id) -> Option<f64> {
        self.graph.as_constant(id).filter(|_| !self.known.contains_key(&id))
    }

    /// Writes an operand, in parentheses unless it binds at least as tightly as `binding`.
    fn operand(&self, id: Id, binding: Binding) -> TokenStream {
        if let Some(value) = self.number(id) {
            return constant(value);
        }
        let (tokens, own) = self.expression(id);
        if own < binding { quote!((#tokens)) } else { tokens }
    }

    fn expression(&self, id: Id) -> (TokenStream, Binding) {
        if let Some(known) = self.known.get(&id) {
            return (known.clone(), Binding::Atom);
        }
        match self.graph.node(id) {
            Node::Constant(bits) => (constant(f64::from_bits(bits)), Binding::Atom),
            // Every symbol that a function needs is known to the function.
            Node::Symbol(symbol) => {
                (self.fault(format!("a function does not know {symbol:?}")), Binding::Atom)
            }
            Node::Negate(a) => {
                let a = self.operand(a, Binding::Atom);
                (quote!(-#a), Binding::Negation)
            }
            Node::Add(a, b) => self.sum(a, b),
            Node::Subtract(sum, b) if self.fusible(b).is_some() && self.number(sum).is_none() => {
                self.fused("minus_product", sum, b)
            }
            Node::Subtract(a, b) => {
                let a = self.operand(a, Binding::Sum);
                let b = self.literal_or(b, Binding::Product);
                (quote!(#a - #b), Binding::Sum)
            }
            Node::Multiply(a, b) => {
                // Scalars take plain numbers on the right.
                let (left, right) = if self.number(a).is_some() { (b, a) } else { (a, b) };
                let (left, right) =
                    (self.operand(left, Binding::Product), self.literal_or(right, Binding::Negation));
                (quote!(#left * #right), Binding::Product)
            }
            Node::Divide(a, b) if self.number(a) == Some(1.0) => {
                let b = self.operand(b, Binding::Atom);
                (quote!(#b.recip()), Binding::Atom)
            }
            Node::Divide(a, b) => {
                let (a, b) = (self.operand(a, Binding::Product), self.literal_or(b, Binding::Negation));
                (quote!(#a / #b), Binding::Product)
            }
            Node::PowerInteger(a, n) => {
                let (a, n) = (self.operand(a, Binding::Atom), Literal::i32_unsuffixed(n));
                (quote!(#a.powi(#n)), Binding::Atom)
            }
            Node::Power(a, b) => {
                let (a, b) = (self.operand(a, Binding::Atom), self.scalar(b));
                (quote!(#a.powf(#b)), Binding::Atom)
            }
            Node::Unary(function, a) => {
                let (a, method) = (self.operand(a, Binding::Atom), format_ident!("{}", function.name()));
                (quote!(#a.#method()), Binding::Atom)
            }
            Node::Atan2(y, x) => {
                let (y, x) = (self.operand(y, Binding::Atom), self.scalar(x));
                (quote!(#y.atan2(#x)), Binding::Atom)
            }
            // Lookups are bound to variables before any expression that uses them.
            Node::Curve(..) | Node::Surface(..) => {
                (self.fault("a function does not know the value of a table"), Binding::Atom)
            }
            Node::Select(condition, yes, no) => {
                let condition = self.expression(condition).0;
                let (yes, no) = (self.scalar(yes), self.scalar(no));
                (quote!(S::select(#condition, #yes, #no)), Binding::Atom)
            }
            Node::Less(a, b) => (self.comparison("less", a, b), Binding::Atom),
            Node::LessEqual(a, b) => (self.comparison("less_equal", a, b), Binding::Atom),
            Node::Equal(a, b) => (self.comparison("equal", a, b), Binding::Atom),
            Node::And(a, b) => {
                let (a, b) = (self.expression(a).0, self.expression(b).0);
                (quote!(S::and(#a, #b)), Binding::Atom)
            }
            Node::Or(a, b) => {
                let (a, b) = (self.expression(a).0, self.expression(b).0);
                (quote!(S::or(#a, #b)), Binding::Atom)
            }
            Node::Not(a) => {
                let a = self.expression(a).0;
                (quote!(S::not(#a)), Binding::Atom)
            }
        }
    }

    fn sum(&self, a: Id, b: Id) -> (TokenStream, Binding) {
        for (sum, product) in [(a, b), (b, a)] {
            if self.fusible(product).is_some() && self.number(sum).is_none() {
                return self.fused("plus_product", sum, product);
            }
        }
        let (left, right) = if self.number(a).is_some() { (b, a) } else { (a, b) };
        let left = self.operand(left, Binding::Sum);
        let sum = match self.number(right) {
            Some(value) if value < 0.0 && value.is_finite() => {
                let value = Literal::f64_unsuffixed(-value);
                quote!(#left - #value)
            }
            _ => {
                let right = self.literal_or(right, Binding::Product);
                quote!(#left + #right)
            }
        };
        (sum, Binding::Sum)
    }

    /// Writes `sum.method(a, b)` for a product a b.
    fn fused(&self, method: &str, sum: Id, product: Id) -> (TokenStream, Binding) {
        let (method, sum) = (format_ident!("{method}"), self.operand(sum, Binding::Atom));
        let factors = self.fusible(product).into_iter().flatten().map(|factor| self.scalar(factor));
        (quote!(#sum.#method(#(#factors),*)), Binding::Atom)
    }

    /// Returns the factors of a product without a name that may be fused with a sum. A product with a plain number is
    /// left as it is, since its derivatives cost less that way.
    fn fusible(&self, id: Id) -> Option<[Id; 2]> {
        match self.graph.node(id) {
            Node::Multiply(a, b) if self.fuses && !self.known.contains_key(&id) => {
                (self.number(a).is_none() && self.number(b).is_none()).then_some([a, b])
            }
            _ => None,
        }
    }

    /// Writes a plain number for a constant, and an operand otherwise.
    fn literal_or(&self, id: Id, binding: Binding) -> TokenStream {
        match self.number(id) {
            Some(value) if value >= 0.0 && value.is_finite() => {
                let value = Literal::f64_unsuffixed(value);
                quote!(#value)
            }
            Some(value) if value.is_finite() => {
                let value = Literal::f64_unsuffixed(-value);
                quote!((-#value))
            }
            _ => self.operand(id, binding),
        }
    }

    fn comparison(&self, method: &str, a: Id, b: Id) -> TokenStream {
        let method = format_ident!("{method}");
        let (a, b) = (self.operand(a, Binding::Atom), self.scalar(b));
        quote!(#a.#method(#b))
    }
}

/// Writes `S::constant(value)`.
pub fn constant(value: f64) -> TokenStream {
    let number = number(value);
    quote!(S::constant(#number))
}

/// Writes a plain number. All numbers are finite in a [sound](super::faults::sound) model.
pub fn number(value: f64) -> TokenStream {
    if !value.is_finite() {
        quote!(::core::compile_error!("a number is not finite"))
    } else if value < 0.0 {
        let value = Literal::f64_unsuffixed(-value);
        quote!(-#value)
    } else {
        let value = Literal::f64_unsuffixed(value);
        quote!(#value)
    }
}
