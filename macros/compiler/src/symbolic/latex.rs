//! Expressions and names in LaTeX, for reports.

use std::collections::HashMap;

use super::graph::{Function, Graph, Node};
use super::id::Id;
use super::print::Names;
use super::symbol::{Integrator, Symbol};

/// The precedence of an expression in print.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Binding {
    Condition,
    Sum,
    Product,
    Power,
    Atom,
}

/// Greek letters that LaTeX knows.
const GREEK: [&str; 24] = [
    "alpha", "beta", "gamma", "delta", "epsilon", "zeta", "eta", "theta", "iota", "kappa", "lambda", "mu", "nu", "xi",
    "pi", "rho", "sigma", "tau", "upsilon", "phi", "chi", "psi", "omega", "Omega",
];

impl Graph {
    /// `id` in LaTeX's mathematical mode. Expressions in `named` are written as their names, but for `id` itself.
    pub fn latex(&self, id: Id, names: &impl Names, named: &HashMap<Id, String>) -> String {
        Latex { graph: self, names, named, root: id }.write(id, Binding::Condition)
    }
}

struct Latex<'a, N> {
    graph: &'a Graph,
    names: &'a N,
    named: &'a HashMap<Id, String>,
    root: Id,
}

impl<N: Names> Latex<'_, N> {
    fn write(&self, id: Id, outside: Binding) -> String {
        let (text, binding) = self.expression(id);
        within(text, binding, outside)
    }

    /// Returns the text with its sign.
    fn expression(&self, id: Id) -> (String, Binding) {
        match self.signed(id) {
            (true, text, binding) => (format!("-{}", within(text, binding, Binding::Product)), Binding::Sum),
            (false, text, binding) => (text, binding),
        }
    }

    /// Returns the text without a minus in front, which would need brackets after another sign, and whether there is
    /// one.
    fn signed(&self, id: Id) -> (bool, String, Binding) {
        if id != self.root && self.named.contains_key(&id) {
            let (text, binding) = self.unsigned(id);
            return (false, text, binding);
        }
        match self.graph.node(id) {
            Node::Constant(bits) if f64::from_bits(bits) < 0.0 => {
                let (text, binding) = number(-f64::from_bits(bits));
                (true, text, binding)
            }
            Node::Negate(a) => {
                let (is_negative, text, binding) = self.signed(a);
                (!is_negative, text, binding)
            }
            Node::Multiply(a, b) => {
                let operator = if self.graph.as_constant(b).is_some() { r"\cdot" } else { r"\," };
                let (first, left, of_left) = self.signed(a);
                let (second, right, of_right) = self.signed(b);
                let product = Binding::Product;
                let text =
                    format!("{} {operator} {}", within(left, of_left, product), within(right, of_right, product));
                (first != second, text, product)
            }
            Node::Divide(a, b) => {
                let ((first, above, _), (second, below, _)) = (self.signed(a), self.signed(b));
                (first != second, format!(r"\frac{{{above}}}{{{below}}}"), Binding::Product)
            }
            _ => {
                let (text, binding) = self.unsigned(id);
                (false, text, binding)
            }
        }
    }

    /// Adds a term, or subtracts it.
    fn sum(&self, first: Id, is_minus: bool, second: Id) -> (String, Binding) {
        let first = self.write(first, Binding::Sum);
        let (is_negative, text, binding) = self.signed(second);
        let (operator, least) = if is_minus != is_negative { ("-", Binding::Product) } else { ("+", Binding::Sum) };
        (format!("{first} {operator} {}", within(text, binding, least)), Binding::Sum)
    }

    /// Returns the text of an expression that has no minus in front.
    fn unsigned(&self, id: Id) -> (String, Binding) {
        if id != self.root
            && let Some(name) = self.named.get(&id)
        {
            return (latex_name(name), Binding::Atom);
        }
        let pair = |a: Id, operator: &str, b: Id, left: Binding, right: Binding| {
            format!("{} {operator} {}", self.write(a, left), self.write(b, right))
        };
        match self.graph.node(id) {
            Node::Constant(bits) => number(f64::from_bits(bits)),
            Node::Symbol(symbol) => (self.symbol(symbol), Binding::Atom),
            Node::Negate(_) | Node::Multiply(..) | Node::Divide(..) => self.expression(id),
            Node::Add(a, b) => self.sum(a, false, b),
            Node::Subtract(a, b) => self.sum(a, true, b),
            Node::PowerInteger(a, n) => (format!("{}^{{{n}}}", self.write(a, Binding::Atom)), Binding::Power),
            Node::Power(a, b) => {
                let exponent = self.write(b, Binding::Condition);
                (format!("{}^{{{exponent}}}", self.write(a, Binding::Atom)), Binding::Power)
            }
            Node::Unary(function, a) => self.function(function, a),
            Node::Atan2(y, x) => (self.call(r"\operatorname{atan2}", &[y, x]), Binding::Atom),
            Node::Curve(lookup, x) => (self.lookup(lookup.table, &lookup.orders[..1], &[x]), Binding::Atom),
            Node::Surface(lookup, x, y) => (self.lookup(lookup.table, &lookup.orders, &[x, y]), Binding::Atom),
            Node::Select(condition, yes, no) => {
                let [yes, condition, no] = [yes, condition, no].map(|id| self.write(id, Binding::Condition));
                let cases = format!(
                    r"\begin{{cases}} {yes} & \text{{if }} {condition} \\ {no} & \text{{otherwise}} \end{{cases}}"
                );
                (cases, Binding::Sum)
            }
            Node::Less(a, b) => (pair(a, "<", b, Binding::Sum, Binding::Sum), Binding::Condition),
            Node::LessEqual(a, b) => (pair(a, r"\le", b, Binding::Sum, Binding::Sum), Binding::Condition),
            Node::Equal(a, b) => (pair(a, "=", b, Binding::Sum, Binding::Sum), Binding::Condition),
            Node::And(a, b) => (pair(a, r"\land", b, Binding::Sum, Binding::Sum), Binding::Condition),
            Node::Or(a, b) => (pair(a, r"\lor", b, Binding::Sum, Binding::Sum), Binding::Condition),
            Node::Not(a) => (format!(r"\lnot {}", self.write(a, Binding::Atom)), Binding::Condition),
        }
    }

    fn symbol(&self, symbol: Symbol) -> String {
        let coordinate = |i| latex_name(&self.names.name(Symbol::Coordinate(i)));
        match symbol {
            Symbol::Time => "t".into(),
            Symbol::Velocity(i) => latex_rate(&self.names.name(Symbol::Coordinate(i))),
            Symbol::Acceleration(i) => accented(r"\ddot", &coordinate(i)),
            Symbol::Multiplier(_) => {
                format!(r"\lambda_{{\mathrm{{{}}}}}", self.names.name(symbol).replace('_', r"\_"))
            }
            Symbol::Integrator(Integrator::Step) => "h".into(),
            Symbol::Integrator(weight) => {
                format!(r"w_{{\mathrm{{{}}}}}", format!("{weight:?}").to_lowercase())
            }
            Symbol::Given(given, i) => format!(r"\mathrm{{{given:?}}}_{{{i}}}"),
            _ => latex_name(&self.names.name(symbol)),
        }
    }

    fn function(&self, function: Function, a: Id) -> (String, Binding) {
        let argument = self.write(a, Binding::Condition);
        let text = match function {
            Function::Sqrt => format!(r"\sqrt{{{argument}}}"),
            Function::Abs => format!(r"\left|{argument}\right|"),
            Function::Exp => format!("e^{{{argument}}}"),
            Function::Log10 => format!(r"\log_{{10}}\left({argument}\right)"),
            Function::Asin => format!(r"\arcsin\left({argument}\right)"),
            Function::Acos => format!(r"\arccos\left({argument}\right)"),
            Function::Atan => format!(r"\arctan\left({argument}\right)"),
            Function::SechSquared => format!(r"\operatorname{{sech}}^2\left({argument}\right)"),
            Function::Sign => format!(r"\operatorname{{sign}}\left({argument}\right)"),
            Function::Sin
            | Function::Cos
            | Function::Tan
            | Function::Sinh
            | Function::Cosh
            | Function::Tanh
            | Function::Ln => format!(r"\{}\left({argument}\right)", function.name()),
        };
        (text, if function == Function::Exp { Binding::Power } else { Binding::Atom })
    }

    fn call(&self, name: &str, arguments: &[Id]) -> String {
        let arguments: Vec<String> = arguments.iter().map(|&id| self.write(id, Binding::Condition)).collect();
        format!(r"{name}\left({}\right)", arguments.join(", "))
    }

    fn lookup(&self, table: u32, orders: &[u8], arguments: &[Id]) -> String {
        let mut name = latex_name(&self.names.table(table as usize));
        if orders.iter().any(|&order| order > 0) {
            let orders: Vec<String> = orders.iter().map(u8::to_string).collect();
            name = format!("{name}^{{({})}}", orders.join(","));
        }
        self.call(&name, arguments)
    }
}

/// Sets a text in brackets if it binds less than what is around it.
fn within(text: String, binding: Binding, outside: Binding) -> String {
    if binding < outside { format!(r"\left({text}\right)") } else { text }
}

/// `2.5`, `1.2 \cdot 10^{-7}`, `2 \pi`
fn number(value: f64) -> (String, Binding) {
    use std::f64::consts::{PI, TAU};
    let plain = format!("{value}");
    if plain.len() <= 8 {
        return (plain, if value < 0.0 { Binding::Sum } else { Binding::Atom });
    }
    if value == TAU || value == PI {
        return if value == PI { (r"\pi".to_owned(), Binding::Atom) } else { (r"2 \pi".to_owned(), Binding::Product) };
    }
    let scientific = format!("{value:e}");
    match scientific.split_once('e') {
        Some((digits, exponent)) if exponent != "0" => (format!(r"{digits} \cdot 10^{{{exponent}}}"), Binding::Product),
        _ => (plain, Binding::Atom),
    }
}

/// A dot over the letter alone: `\dot{x}_{1}`.
fn accented(accent: &str, name: &str) -> String {
    match name.split_once('_') {
        Some((letter, rest)) => format!("{accent}{{{letter}}}_{rest}"),
        None => format!("{accent}{{{name}}}"),
    }
}

/// The time derivative of a coordinate with this name, in LaTeX.
pub fn latex_rate(name: &str) -> String {
    accented(r"\dot", &latex_name(name))
}

/// A name of the language in LaTeX: letters in italics, words upright, indices and what follows `_` below.
pub fn latex_name(name: &str) -> String {
    let mut path: Vec<&str> = name.split('.').collect();
    let own = path.pop().unwrap_or(name);
    let (own, index) = match own.split_once('[') {
        Some((own, index)) => (own, index.trim_end_matches(']')),
        None => (own, ""),
    };
    let (head, below) = own.split_once('_').unwrap_or((own, ""));
    let letters = head.trim_end_matches(|c: char| c.is_ascii_digit());
    let (letters, digits) = if letters.is_empty() { (head, "") } else { (letters, &head[letters.len()..]) };
    let letter = match letters {
        "phi" => r"\varphi".to_owned(),
        greek if GREEK.contains(&greek) => format!(r"\{greek}"),
        single if single.chars().count() == 1 => single.to_owned(),
        word => format!(r"\mathrm{{{word}}}"),
    };
    let upright = |text: &str| match text.chars().count() {
        0 => String::new(),
        1 => text.to_owned(),
        _ if text.chars().all(|c| c.is_ascii_digit()) => text.to_owned(),
        _ => format!(r"\mathrm{{{}}}", text.replace('_', r"\_")),
    };
    let mut parts: Vec<String> = [digits, below, index].into_iter().map(upright).collect();
    parts.extend(path.into_iter().map(|part| upright(&part.replace('[', " ").replace(']', ""))));
    parts.retain(|part| !part.is_empty());
    if parts.is_empty() { letter } else { format!("{letter}_{{{}}}", parts.join(",")) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::compile_str;

    #[test]
    fn names() {
        for (name, latex) in [
            ("x", "x"),
            ("x1", "x_{1}"),
            ("c_e1", r"c_{\mathrm{e1}}"),
            ("phi[2]", r"\varphi_{2}"),
            ("drive", r"\mathrm{drive}"),
            ("cylinder[2].x", r"x_{\mathrm{cylinder 2}}"),
        ] {
            assert_eq!(latex_name(name), latex);
        }
    }

    /// No sign stands after another one, and none in brackets that it does not need.
    #[test]
    fn signs() {
        let source = "Signs {
            coordinates { x: 1, y: 1 }
            mass { x: 1[kg], y: 1[kg] }
            forces { x: 0, y: 0 }
            outputs { a: 1 = x - (-0.25)*y, b: 1 = x + y*(-0.28), c: 1 = -(x - y)*(-y), d: 1 = x/(-y) }
        }";
        let compiled = compile_str(source).unwrap();
        let (model, graph) = (&compiled.model, &compiled.graph);
        let written: Vec<String> = model.output.iter().map(|id| graph.latex(*id, model, &model.let_names)).collect();
        for latex in &written {
            assert!(!latex.contains("- -") && !latex.contains("+ -") && !latex.contains(r"\left(-"), "{written:?}");
        }
    }

    #[test]
    fn formulas() {
        let source = "Swing {
            parameters { m: kg = 2, l: m = 1, c: N/m = 5e-9 }
            inputs { f: N }
            coordinates { x: m, phi: rad }
            mass { x: m, phi: m*l^2 }
            let spring = c*x;
            forces { x: f - spring, phi: if x < l { -spring*l*sin(phi) } else { 0 } }
            constraints { tie: x - l^2*sin(phi)/(l + x) }
            outputs { speed: m/s = dot(x) + sqrt(x*l)*exp(-phi)/1[s] }
        }";
        let compiled = compile_str(source).unwrap();
        let (model, graph) = (&compiled.model, &compiled.graph);
        let latex = |id| graph.latex(id, model, &model.let_names);
        assert_eq!(latex(model.force[0]), r"f - \mathrm{spring}");
        assert_eq!(
            latex(model.force[1]),
            [
                r"\begin{cases} -\mathrm{spring} \, l \, \sin\left(\varphi\right) & \text{if } x < l \\",
                r" 0 & \text{otherwise} \end{cases}",
            ]
            .concat()
        );
        assert_eq!(number(1.234_567_891), ("1.234567891".to_owned(), Binding::Atom));
        assert_eq!(number(std::f64::consts::TAU).0, r"2 \pi");
        assert_eq!(number(1.5e-12), (r"1.5 \cdot 10^{-12}".to_owned(), Binding::Product));
        assert_eq!(latex(model.constraint[0]), r"x - \frac{l^{2} \, \sin\left(\varphi\right)}{l + x}");
        assert_eq!(latex(compiled.equations.inertia[1]), r"m \, l^{2} \, \ddot{\varphi}");
        assert!(latex(compiled.equations.constraint_force[0]).contains(r"\lambda_{\mathrm{tie}}"));
    }
}
