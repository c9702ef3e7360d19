//! Expressions in Rust, with as few parentheses as possible.

use proc_macro2::{Ident, Literal, TokenStream};
use quote::{format_ident, quote};

use super::names::{Names, identifier, index};
use crate::program::{Array, Expression, Index, Place};
use crate::symbolic::Integrator;

/// The precedence of an expression.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Binding {
    Sum,
    Product,
    Negation,
    Atom,
}

impl Names<'_> {
    /// Writes the expression as a scalar of type `S`.
    pub fn scalar(&self, expression: &Expression) -> TokenStream {
        self.expression(expression).0
    }

    /// Writes the expressions with commas between them.
    pub fn scalars(&self, expressions: &[Expression]) -> TokenStream {
        let expressions = expressions.iter().map(|expression| self.scalar(expression));
        quote!(#(#expressions),*)
    }

    /// Writes the expression as the receiver of a method, in parentheses if necessary.
    pub fn receiver(&self, expression: &Expression) -> TokenStream {
        self.operand(expression, Binding::Atom)
    }

    /// Writes an operand, in parentheses unless it binds at least as tightly as `binding`.
    fn operand(&self, expression: &Expression, binding: Binding) -> TokenStream {
        let (tokens, own) = self.expression(expression);
        if own < binding { quote!((#tokens)) } else { tokens }
    }

    fn expression(&self, expression: &Expression) -> (TokenStream, Binding) {
        let tokens = match expression {
            Expression::Number(value) => self.constant(*value),
            Expression::NumberOf(table) => {
                let table = numbers_table(*table);
                if self.in_parts.get() { quote!(T::number(&#table, i)) } else { quote!(S::constant(#table[i])) }
            }
            Expression::Variable(variable) => {
                let name = &self.variables[variable.0];
                quote!(#name)
            }
            Expression::Entry(place) if self.in_parts.get() => self.place_of_part(*place),
            Expression::Entry(place) => self.place(*place),
            Expression::Negate(a) => {
                let a = self.operand(a, Binding::Atom);
                return (quote!(-#a), Binding::Negation);
            }
            Expression::Add(terms) => return (self.sum(terms), Binding::Sum),
            Expression::Subtract(terms) => {
                let a = self.operand(&terms[0], Binding::Sum);
                let b = self.literal_or(&terms[1], Binding::Product);
                return (quote!(#a - #b), Binding::Sum);
            }
            Expression::Multiply(factors) => {
                let [left, right] = number_last(factors);
                let (left, right) = (self.operand(left, Binding::Product), self.literal_or(right, Binding::Negation));
                return (quote!(#left * #right), Binding::Product);
            }
            Expression::Divide(operands) => {
                let [a, b] = &**operands;
                if number(a) == Some(1.0) {
                    let b = self.receiver(b);
                    quote!(#b.recip())
                } else {
                    let (a, b) = (self.operand(a, Binding::Product), self.literal_or(b, Binding::Negation));
                    return (quote!(#a / #b), Binding::Product);
                }
            }
            Expression::PlusProduct(terms) => self.method("plus_product", &terms[..]),
            Expression::MinusProduct(terms) => self.method("minus_product", &terms[..]),
            Expression::PowerInteger(a, n) => {
                let (a, n) = (self.receiver(a), Literal::i32_unsuffixed(*n));
                quote!(#a.powi(#n))
            }
            Expression::Power(operands) => self.method("powf", &operands[..]),
            Expression::Elementary(function, a) => self.method(function.name(), std::slice::from_ref(a)),
            Expression::Atan2(operands) => self.method("atan2", &operands[..]),
            Expression::Less(operands) => self.method("less", &operands[..]),
            Expression::LessEqual(operands) => self.method("less_equal", &operands[..]),
            Expression::Equal(operands) => self.method("equal", &operands[..]),
            Expression::Select(operands) => self.call("select", &operands[..]),
            Expression::And(operands) => self.call("and", &operands[..]),
            Expression::Or(operands) => self.call("or", &operands[..]),
            Expression::Not(a) => self.call("not", std::slice::from_ref(a)),
        };
        (tokens, Binding::Atom)
    }

    /// Writes `a.name(b, c)` for `[a, b, c]`.
    fn method(&self, name: &str, operands: &[Expression]) -> TokenStream {
        let [first, others @ ..] = operands else { return TokenStream::new() };
        let (name, first, others) = (format_ident!("{name}"), self.receiver(first), self.scalars(others));
        quote!(#first.#name(#others))
    }

    /// Writes `S::constant(value)`.
    fn constant(&self, value: f64) -> TokenStream {
        let (scalar, number) = (self.number(), literal(value));
        quote!(#scalar::constant(#number))
    }

    /// Writes `S::name(a, b)`.
    fn call(&self, name: &str, operands: &[Expression]) -> TokenStream {
        let (number, name, operands) = (self.number(), format_ident!("{name}"), self.scalars(operands));
        quote!(#number::#name(#operands))
    }

    fn sum(&self, terms: &[Expression; 2]) -> TokenStream {
        let [left, right] = number_last(terms);
        let left = self.operand(left, Binding::Sum);
        match number(right) {
            Some(value) if value < 0.0 && value.is_finite() => {
                let value = Literal::f64_unsuffixed(-value);
                quote!(#left - #value)
            }
            _ => {
                let right = self.literal_or(right, Binding::Product);
                quote!(#left + #right)
            }
        }
    }

    /// Writes a plain number for a number, and an operand otherwise.
    fn literal_or(&self, expression: &Expression, binding: Binding) -> TokenStream {
        match number(expression) {
            Some(value) if value >= 0.0 && value.is_finite() => {
                let value = Literal::f64_unsuffixed(value);
                quote!(#value)
            }
            Some(value) if value.is_finite() => {
                let value = Literal::f64_unsuffixed(-value);
                quote!((-#value))
            }
            _ => self.operand(expression, binding),
        }
    }

    /// Writes an entry of an array.
    pub fn place(&self, place: Place) -> TokenStream {
        match place {
            Place { array: Array::Time, .. } => quote!(at.time),
            Place { array: Array::Constants, index: Index::At(i) } => match self.constants.get(i) {
                Some(constant) => {
                    let name = identifier(&constant.name);
                    if self.lifts_constants { quote!(S::from(k.#name)) } else { quote!(k.#name) }
                }
                None => quote!(::core::compile_error!("an unknown constant of the run")),
            },
            Place { array: Array::Weights, index: Index::At(i) } => match Integrator::ALL.get(i) {
                Some(weight) => {
                    let field = format_ident!("{}", weight_field(*weight));
                    quote!(S::constant(weights.#field))
                }
                None => quote!(::core::compile_error!("an unknown weight")),
            },
            Place { array, index: position } => {
                let (is_called, array, position) = (self.is_called(array), self.array(array), index(position));
                if is_called { quote!(#array.at(#position)) } else { quote!(#array[#position]) }
            }
        }
    }
}

/// Returns the operands with a number, if there is one, on the right: scalars take plain numbers there.
fn number_last(operands: &[Expression; 2]) -> [&Expression; 2] {
    let [a, b] = operands;
    if number(a).is_some() { [b, a] } else { [a, b] }
}

fn number(expression: &Expression) -> Option<f64> {
    match expression {
        Expression::Number(value) => Some(*value),
        _ => None,
    }
}

/// Writes the name of a table of numbers.
pub fn numbers_table(table: usize) -> Ident {
    format_ident!("NUMBERS_{}", table + 1)
}

fn weight_field(weight: Integrator) -> &'static str {
    match weight {
        Integrator::Accelerations => "accelerations",
        Integrator::Coordinates => "coordinates",
        Integrator::Velocities => "velocities",
        Integrator::Step => "step",
        Integrator::Previous => "previous",
    }
}

/// Writes a plain number. All numbers of a program are finite; what is not would be a mistake of this compiler.
pub fn literal(value: f64) -> TokenStream {
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::program::{Function, Program, Variable};

    #[test]
    fn parentheses_are_written_where_they_are_needed() {
        let function = Function { variables: ["a", "b"].map(str::to_owned).to_vec(), ..Function::default() };
        let program = Program::default();
        let names = Names::new(&program, &function);
        let [a, b] = [0, 1].map(|i| Expression::Variable(Variable(i)));
        let number = Expression::Number;
        let two = |first: &Expression, second: &Expression| Box::new([first.clone(), second.clone()]);
        let sum = Expression::Add(two(&a, &b));
        let product = Expression::Multiply(two(&a, &b));
        for (expression, expected) in [
            (Expression::Multiply(two(&sum, &product)), "(a + b) * (a * b)"),
            (Expression::Subtract(two(&sum, &sum)), "a + b - (a + b)"),
            (Expression::Add(two(&product, &product)), "a * b + a * b"),
            (Expression::Negate(Box::new(product.clone())), "- (a * b)"),
            (Expression::Multiply(two(&number(-2.0), &a)), "a * (- 2.0)"),
            (Expression::Add(two(&number(-2.0), &a)), "a - 2.0"),
            (Expression::Subtract(two(&number(2.0), &a)), "S :: constant (2.0) - a"),
            (Expression::Divide(two(&number(1.0), &sum)), "(a + b) . recip ()"),
            (Expression::Divide(two(&a, &number(4.0))), "a / 4.0"),
            (Expression::PlusProduct(Box::new([sum.clone(), a.clone(), b.clone()])), "(a + b) . plus_product (a , b)"),
            (
                Expression::Select(Box::new([Expression::Less(two(&a, &number(0.0))), a.clone(), sum])),
                "S :: select (a . less (S :: constant (0.0)) , a , a + b)",
            ),
            (number(f64::NAN), "S :: constant (:: core :: compile_error ! (\"a number is not finite\"))"),
        ] {
            assert_eq!(names.scalar(&expression).to_string(), expected);
        }
    }
}
