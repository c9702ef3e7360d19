//! Visits the parts of expressions.

use crate::models::tree::{Condition, Expr};

/// Calls `visit` for every name in an expression.
pub fn leaves<L>(expr: &Expr<L>, visit: &mut dyn FnMut(&L)) {
    match expr {
        Expr::Number(..) | Expr::Pi | Expr::Time => {}
        Expr::Leaf(leaf) | Expr::Multiplier(leaf) => visit(leaf),
        Expr::Negate(a) | Expr::Value(a, _) | Expr::Rate(a) | Expr::SecondRate(a) => leaves(a, visit),
        Expr::Binary(_, a, b) => {
            leaves(a, visit);
            leaves(b, visit);
        }
        Expr::Call(_, arguments) | Expr::Table(_, arguments) => {
            arguments.iter().for_each(|argument| leaves(argument, visit));
        }
        Expr::If(condition, a, b) => {
            leaves_of_condition(condition, visit);
            leaves(a, visit);
            leaves(b, visit);
        }
    }
}

fn leaves_of_condition<L>(condition: &Condition<L>, visit: &mut dyn FnMut(&L)) {
    match condition {
        Condition::Compare(_, a, b) => {
            leaves(a, visit);
            leaves(b, visit);
        }
        Condition::And(a, b) | Condition::Or(a, b) => {
            leaves_of_condition(a, visit);
            leaves_of_condition(b, visit);
        }
        Condition::Not(a) => leaves_of_condition(a, visit),
        Condition::Feature(_) => {}
    }
}

/// Number of operations and names in an expression.
pub fn size<L>(expr: &Expr<L>) -> usize {
    1 + match expr {
        Expr::Number(..) | Expr::Pi | Expr::Time | Expr::Leaf(_) | Expr::Multiplier(_) => 0,
        Expr::Negate(a) | Expr::Value(a, _) | Expr::Rate(a) | Expr::SecondRate(a) => size(a),
        Expr::Binary(_, a, b) => size(a) + size(b),
        Expr::Call(_, arguments) | Expr::Table(_, arguments) => arguments.iter().map(size).sum(),
        Expr::If(_, a, b) => size(a) + size(b),
    }
}
