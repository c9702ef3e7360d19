//! Tests of valid and invalid syntax, and of the places of errors.

mod errors;
mod expressions;
mod models;
mod robustness;

use super::ast::{Expr, ExprKind, IndexSyntax, ModelSyntax, NameSyntax};
use super::parse;
use crate::diagnostic::{Diagnostic, Diagnostics, Place};
use crate::tokens::Tokens;

pub const ENGINE_MOUNT: &str = include_str!("../../../tests/fixtures/engine_mount.model");
pub const CRANK_TRAIN: &str = include_str!("../../../tests/fixtures/crank_train.model");
pub const CART_PENDULUM: &str = include_str!("../../../tests/fixtures/cart_pendulum.model");

pub const CHAIN: &str = include_str!("../../../tests/fixtures/chain.model");

/// Returns the part of `source` that an error underlines.
pub fn marked(source: &str, place: Place) -> &str {
    &source[place.first.byte_range().start..place.last.byte_range().end]
}

/// Reads a model, and returns it with its errors.
fn read(source: &str) -> (Option<ModelSyntax>, Vec<Diagnostic>) {
    let mut diagnostics = Diagnostics::default();
    let model = parse(source.parse().unwrap(), &mut diagnostics);
    (model, diagnostics.into_errors())
}

/// Returns the underlined text and the message of every error.
fn errors(source: &str) -> Vec<(String, String)> {
    let errors = read(source).1.into_iter();
    errors.map(|error| (marked(source, error.place).to_owned(), error.message)).collect()
}

fn expression(source: &str) -> Result<Expr, Diagnostic> {
    super::expression::expression(&mut Tokens::new(source.parse().unwrap()))
}

/// Writes an expression with all parentheses.
fn print(expr: &Expr) -> String {
    match &expr.kind {
        ExprKind::Number { value, unit, .. } => match unit {
            Some(unit) => format!("{value}[{}]", unit.text),
            None => value.to_string(),
        },
        ExprKind::Name(name) => print_name(name),
        ExprKind::Negate(operand) => format!("(-{})", print(operand)),
        ExprKind::Not(operand) => format!("(!{})", print(operand)),
        ExprKind::Binary(operator, left, right) => {
            format!("({} {} {})", print(left), symbol(*operator), print(right))
        }
        ExprKind::Call { function, arguments } => {
            let arguments: Vec<String> = arguments.iter().map(print).collect();
            format!("{function}({})", arguments.join(", "))
        }
        ExprKind::Sum(sum) => {
            let IndexSyntax { variable, range } = &sum.index;
            let (first, last) = (print(&range.first), print(&range.last));
            let dots = if range.inclusive { "..=" } else { ".." };
            format!("sum({variable} in {first}{dots}{last}, {})", print(&sum.term))
        }
        ExprKind::If { condition, yes, no } => {
            format!("(if {} {{ {} }} else {{ {} }})", print(condition), print(yes), print(no))
        }
        ExprKind::Vector(components) => {
            let components: Vec<String> = components.iter().map(print).collect();
            format!("({})", components.join(", "))
        }
        ExprKind::Attached(attached) => {
            let mut text = print_name(&attached.body);
            for transform in &attached.transforms {
                let arguments: Vec<String> = transform.arguments.iter().map(print).collect();
                text.push_str(&format!(".{}({})", transform.word, arguments.join(", ")));
            }
            for member in &attached.members {
                text.push_str(&format!(".{}", member.ident));
            }
            text
        }
        ExprKind::List(elements) => {
            format!("[{}]", elements.iter().map(print).collect::<Vec<_>>().join(", "))
        }
    }
}

fn print_name(name: &NameSyntax) -> String {
    let indexed = |ident: &proc_macro2::Ident, index: &Option<Box<Expr>>| match index {
        Some(index) => format!("{ident}[{}]", print(index)),
        None => ident.to_string(),
    };
    let members = name.members.iter().map(|member| format!(".{}", indexed(&member.ident, &member.index)));
    indexed(&name.ident, &name.index) + &members.collect::<String>()
}

fn symbol(operator: super::ast::BinaryOperator) -> &'static str {
    use super::ast::BinaryOperator::*;
    match operator {
        Add => "+",
        Subtract => "-",
        Multiply => "*",
        Divide => "/",
        Power => "^",
        Less => "<",
        LessEqual => "<=",
        Greater => ">",
        GreaterEqual => ">=",
        Equal => "==",
        NotEqual => "!=",
        And => "&&",
        Or => "||",
    }
}
