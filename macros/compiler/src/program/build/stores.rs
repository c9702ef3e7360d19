//! Results that are stored as soon as they are known.

use rustc_hash::FxHashMap;

use crate::program::{Array, Expression, Index, Place, Statement, Variable};
use crate::symbolic::Id;

/// A result: its place, its value, and the expression of which this is the value.
pub type Result = (Place, Expression, Id);

/// Pairs the entries of `array`, from the first on, with their values, which are those of `ids`.
pub fn entries(array: Array, values: Vec<Expression>, ids: &[Id]) -> impl Iterator<Item = Result> {
    let results = values.into_iter().zip(ids).enumerate();
    results.map(move |(i, (value, &id))| (Place { array, index: Index::At(i) }, value, id))
}

/// Returns `statements`, each followed by the stores of the variables that it computes, and then the stores of all
/// other values: a result that waited for the last one would wait in memory, and be copied from there.
pub fn with_stores(statements: Vec<Statement>, results: impl IntoIterator<Item = Result>) -> Vec<Statement> {
    let mut places: FxHashMap<Id, Vec<Place>> = FxHashMap::default();
    let mut values: Vec<(Id, Expression)> = Vec::new();
    for (place, value, id) in results {
        let places = places.entry(id).or_default();
        if places.is_empty() {
            values.push((id, value));
        }
        places.push(place);
    }
    let variable = |(id, value): &(Id, Expression)| match value {
        Expression::Variable(variable) => Some((*variable, *id)),
        _ => None,
    };
    let by_variable: FxHashMap<Variable, Id> = values.iter().filter_map(variable).collect();
    let mut written = Vec::new();
    let mut store = |id: Id, value: &Expression, written: &mut Vec<Statement>| {
        let places = places.remove(&id).unwrap_or_default();
        written.extend(places.into_iter().map(|to| Statement::Store { to, value: value.clone() }));
    };
    for statement in statements {
        let variables = statement.variables();
        written.push(statement);
        for variable in variables {
            if let Some(&id) = by_variable.get(&variable) {
                store(id, &Expression::Variable(variable), &mut written);
            }
        }
    }
    for (id, value) in &values {
        store(*id, value, &mut written);
    }
    written
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::symbolic::Graph;

    #[test]
    fn results_are_stored_where_they_become_known() {
        let mut graph = Graph::new();
        let ids: Vec<Id> = [1.0, 2.0, 3.0, 4.0].into_iter().map(|number| graph.constant(number)).collect();
        let [e, sin, cos, f] = [0, 1, 2, 3].map(Variable);
        let value = |variable| Expression::Variable(variable);
        let first = Statement::Let { to: e, value: Expression::Number(1.0) };
        let second = Statement::SinCos { sin: Some(sin), cos: Some(cos), argument: value(e) };
        let third = Statement::Let { to: f, value: Expression::Negate(Box::new(value(cos))) };
        let place = |i| Place { array: Array::Out, index: Index::At(i) };
        let sum = Expression::Add(Box::new([value(e), value(f)]));
        let results = [
            (place(0), value(f), ids[0]),
            (place(1), value(sin), ids[1]),
            (place(2), sum.clone(), ids[2]),
            (place(3), value(sin), ids[1]),
            (place(4), Expression::Number(4.0), ids[3]),
        ];
        let store = |i, value| Statement::Store { to: place(i), value };
        assert_eq!(
            with_stores(vec![first.clone(), second.clone(), third.clone()], results),
            [
                first,
                second,
                store(1, value(sin)),
                store(3, value(sin)),
                third,
                store(0, value(f)),
                store(2, sum),
                store(4, Expression::Number(4.0)),
            ]
        );
    }
}
