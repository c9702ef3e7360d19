//! Expressions as text, in the language's own notation.

use super::graph::{Graph, Lookup, Node};
use super::id::Id;
use super::symbol::{Integrator, Symbol};

/// The names that symbols are printed with.
pub trait Names {
    /// Name of a coordinate, parameter, input or constraint (for its multiplier).
    fn name(&self, symbol: Symbol) -> String;
    /// Name of a table.
    fn table(&self, table: usize) -> String;
}

/// The precedence of an expression.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Binding {
    Or,
    And,
    Comparison,
    Sum,
    Product,
    Negation,
    Power,
    Atom,
}

impl Graph {
    /// `id` as the user would write it.
    pub fn print(&self, id: Id, names: &impl Names) -> String {
        let mut text = String::new();
        self.print_into(id, names, Binding::Or, &mut text);
        text
    }

    fn print_into(&self, id: Id, names: &impl Names, outside: Binding, text: &mut String) {
        let binding = self.binding(id);
        let parentheses = binding < outside;
        if parentheses {
            text.push('(');
        }
        match self.node(id) {
            Node::Constant(bits) => text.push_str(&f64::from_bits(bits).to_string()),
            Node::Symbol(symbol) => text.push_str(&symbol_text(symbol, names)),
            Node::Negate(a) => {
                text.push('-');
                self.print_into(a, names, Binding::Negation, text);
            }
            Node::Add(a, b) => self.print_pair(a, " + ", b, names, (Binding::Sum, Binding::Sum), text),
            Node::Subtract(a, b) => self.print_pair(a, " - ", b, names, (Binding::Sum, Binding::Product), text),
            Node::Multiply(a, b) => self.print_pair(a, "*", b, names, (Binding::Product, Binding::Negation), text),
            Node::Divide(a, b) => self.print_pair(a, "/", b, names, (Binding::Product, Binding::Negation), text),
            Node::PowerInteger(a, n) => {
                self.print_into(a, names, Binding::Atom, text);
                text.push_str(&format!("^{n}"));
            }
            Node::Power(a, b) => self.print_pair(a, "^", b, names, (Binding::Atom, Binding::Power), text),
            Node::Unary(function, a) => self.print_call(function.name(), &[a], names, text),
            Node::Atan2(y, x) => self.print_call("atan2", &[y, x], names, text),
            Node::Curve(lookup, x) => self.print_call(&lookup_text(lookup, 1, names), &[x], names, text),
            Node::Surface(lookup, x, y) => {
                self.print_call(&lookup_text(lookup, 2, names), &[x, y], names, text);
            }
            Node::Select(condition, yes, no) => {
                text.push_str("if ");
                self.print_into(condition, names, Binding::Or, text);
                text.push_str(" { ");
                self.print_into(yes, names, Binding::Or, text);
                text.push_str(" } else { ");
                self.print_into(no, names, Binding::Or, text);
                text.push_str(" }");
            }
            Node::Less(a, b) => self.print_pair(a, " < ", b, names, (Binding::Sum, Binding::Sum), text),
            Node::LessEqual(a, b) => self.print_pair(a, " <= ", b, names, (Binding::Sum, Binding::Sum), text),
            Node::Equal(a, b) => self.print_pair(a, " == ", b, names, (Binding::Sum, Binding::Sum), text),
            Node::And(a, b) => self.print_pair(a, " && ", b, names, (Binding::And, Binding::Comparison), text),
            Node::Or(a, b) => self.print_pair(a, " || ", b, names, (Binding::Or, Binding::And), text),
            Node::Not(a) => {
                text.push('!');
                self.print_into(a, names, Binding::Atom, text);
            }
        }
        if parentheses {
            text.push(')');
        }
    }

    fn print_pair(
        &self,
        a: Id,
        operator: &str,
        b: Id,
        names: &impl Names,
        (left, right): (Binding, Binding),
        text: &mut String,
    ) {
        self.print_into(a, names, left, text);
        text.push_str(operator);
        self.print_into(b, names, right, text);
    }

    fn print_call(&self, function: &str, arguments: &[Id], names: &impl Names, text: &mut String) {
        text.push_str(function);
        text.push('(');
        for (i, &argument) in arguments.iter().enumerate() {
            if i > 0 {
                text.push_str(", ");
            }
            self.print_into(argument, names, Binding::Or, text);
        }
        text.push(')');
    }

    fn binding(&self, id: Id) -> Binding {
        match self.node(id) {
            Node::Constant(bits) if f64::from_bits(bits) < 0.0 => Binding::Negation,
            Node::Constant(_) | Node::Symbol(_) | Node::Unary(..) | Node::Atan2(..) => Binding::Atom,
            Node::Curve(..) | Node::Surface(..) | Node::Not(_) => Binding::Atom,
            Node::Negate(_) => Binding::Negation,
            Node::Add(..) | Node::Subtract(..) => Binding::Sum,
            Node::Multiply(..) | Node::Divide(..) => Binding::Product,
            Node::PowerInteger(..) | Node::Power(..) => Binding::Power,
            Node::Select(..) | Node::Or(..) => Binding::Or,
            Node::Less(..) | Node::LessEqual(..) | Node::Equal(..) => Binding::Comparison,
            Node::And(..) => Binding::And,
        }
    }
}

/// `pressure`, or `pressure[1, 0]` for its derivative by the first argument.
fn lookup_text(lookup: Lookup, arguments: usize, names: &impl Names) -> String {
    let name = names.table(lookup.table as usize);
    let orders = &lookup.orders[..arguments];
    if orders.iter().all(|order| *order == 0) {
        return name;
    }
    let orders: Vec<_> = orders.iter().map(u8::to_string).collect();
    format!("{name}[{}]", orders.join(", "))
}

fn symbol_text(symbol: Symbol, names: &impl Names) -> String {
    match symbol {
        Symbol::Time => "t".into(),
        Symbol::Velocity(i) => format!("dot({})", names.name(Symbol::Coordinate(i))),
        Symbol::Acceleration(i) => format!("ddot({})", names.name(Symbol::Coordinate(i))),
        Symbol::Multiplier(_) => format!("multiplier({})", names.name(symbol)),
        Symbol::Integrator(Integrator::Accelerations) => "w_a".into(),
        Symbol::Integrator(Integrator::Coordinates) => "w_q".into(),
        Symbol::Integrator(Integrator::Velocities) => "w_v".into(),
        Symbol::Integrator(Integrator::Step) => "h".into(),
        Symbol::Integrator(Integrator::Previous) => "w_previous".into(),
        Symbol::Given(given, i) => format!("{given:?}[{i}]"),
        _ => names.name(symbol),
    }
}
