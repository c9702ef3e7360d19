//! Entries that follow each other, which loops over parts take and store together.

use rustc_hash::FxHashMap;

use crate::program::{Array, Expression, Index, Place, Statement, Variable};

/// Returns the statements that take variables from their places.
pub fn takes(taken: Vec<(Place, Variable)>) -> Vec<Statement> {
    // Most entries between two that are taken together.
    const MAX_GAP: usize = 2;
    let mut written: Vec<Statement> = Vec::new();
    for (key, mut run) in by_array(taken, |(place, _)| *place) {
        run.sort_by_key(|(place, _)| offset(place.index));
        let Some(_) = key else {
            let value = |(place, to)| Statement::Let { to, value: Expression::Entry(place) };
            written.extend(run.into_iter().map(value));
            continue;
        };
        let mut last = None;
        for (place, to) in run {
            let gap = last.map(|last| offset(place.index) - last - 1);
            last = Some(offset(place.index));
            match (gap, written.last_mut()) {
                (Some(gap), Some(Statement::Take { entries, .. })) if gap <= MAX_GAP => {
                    entries.extend(vec![None; gap]);
                    entries.push(Some(to));
                }
                _ => written.push(Statement::Take { first: place, entries: vec![Some(to)] }),
            }
        }
    }
    let alone = |statement| match statement {
        Statement::Take { first, entries } => match entries[..] {
            [Some(to)] => Statement::Let { to, value: Expression::Entry(first) },
            _ => Statement::Take { first, entries },
        },
        other => other,
    };
    written.into_iter().map(alone).collect()
}

/// Returns `statements` with the stores of `results`, each as soon as its values are known. Variables and numbers that
/// follow each other are stored together.
pub fn with_runs(statements: Vec<Statement>, results: Vec<(Place, Expression)>) -> Vec<Statement> {
    // Most entries that are stored together: more would not fit in a line, and the first ones would wait for the last
    // in memory.
    const MAX_RUN: usize = 6;
    let mut known: FxHashMap<Variable, usize> = FxHashMap::default();
    for (position, statement) in statements.iter().enumerate() {
        known.extend(statement.variables().into_iter().map(|variable| (variable, position)));
    }
    // the statement after which a store stands; before all others where it needs none of them
    let mut stores: Vec<Vec<Statement>> = vec![Vec::new(); statements.len() + 1];
    for (key, mut run) in by_array(results, |(place, _)| *place) {
        run.sort_by_key(|(place, _)| offset(place.index));
        let mut rest = run.as_slice();
        while let [(first, value), others @ ..] = rest {
            let start = offset(first.index);
            let follows = |(distance, (place, value)): (usize, &(Place, Expression))| {
                offset(place.index) == start + 1 + distance && is_short(value)
            };
            let length = match key {
                Some(_) if is_short(value) => {
                    let others = others.iter().take(MAX_RUN - 1).enumerate();
                    1 + others.take_while(|&(distance, result)| follows((distance, result))).count()
                }
                _ => 1,
            };
            let (own, others) = rest.split_at(length);
            rest = others;
            let values: Vec<Expression> = own.iter().map(|(_, value)| value.clone()).collect();
            let after = values.iter().map(|value| known_after(value, &known)).max().unwrap_or(0);
            stores[after].push(match length {
                1 => Statement::Store { to: *first, value: value.clone() },
                _ => Statement::Put { first: *first, values },
            });
        }
    }
    let mut stores = stores.into_iter();
    let mut written = stores.next().unwrap_or_default();
    for (statement, stores) in statements.into_iter().zip(stores) {
        written.push(statement);
        written.extend(stores);
    }
    written
}

/// The array and the stride of entries that may follow each other; `None` for entries of tables.
type Key = Option<(Array, usize)>;

/// Groups what has a place in the order in which the groups begin.
fn by_array<T>(all: Vec<T>, place: impl Fn(&T) -> Place) -> Vec<(Key, Vec<T>)> {
    let mut groups: Vec<(Key, Vec<T>)> = Vec::new();
    for one in all {
        let Place { array, index } = place(&one);
        let key = match index {
            Index::At(_) => Some((array, 0)),
            Index::Rising { stride, .. } => Some((array, stride)),
            Index::Falling { .. } | Index::Table(_) => None,
        };
        match groups.iter_mut().find(|(other, _)| *other == key) {
            Some((_, group)) => group.push(one),
            None => groups.push((key, vec![one])),
        }
    }
    groups
}

fn offset(index: Index) -> usize {
    match index {
        Index::At(offset) | Index::Rising { offset, .. } | Index::Falling { offset, .. } => offset,
        Index::Table(table) => table,
    }
}

/// Checks whether several such values fit in a line.
fn is_short(value: &Expression) -> bool {
    match value {
        Expression::Variable(_) | Expression::Number(_) => true,
        Expression::Negate(value) => matches!(**value, Expression::Variable(_)),
        _ => false,
    }
}

/// Returns the number of statements that compute what `value` needs, the last of them included.
fn known_after(value: &Expression, known: &FxHashMap<Variable, usize>) -> usize {
    match value {
        Expression::Variable(variable) => known.get(variable).map_or(0, |position| position + 1),
        _ => value.operands().iter().map(|operand| known_after(operand, known)).max().unwrap_or(0),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rising(offset: usize) -> Place {
        Place { array: Array::Out, index: Index::Rising { offset, stride: 20 } }
    }

    #[test]
    fn neighbours_are_taken_together() {
        let [a, b, c, d] = [0, 1, 2, 3].map(Variable);
        let of_table = Place { array: Array::Out, index: Index::Table(0) };
        let taken = vec![(rising(9), b), (of_table, d), (rising(7), a), (rising(14), c)];
        let alone = |first, to| Statement::Let { to, value: Expression::Entry(first) };
        assert_eq!(
            takes(taken),
            [
                Statement::Take { first: rising(7), entries: vec![Some(a), None, Some(b)] },
                alone(rising(14), c),
                alone(of_table, d),
            ]
        );
    }

    #[test]
    fn neighbours_are_stored_when_the_last_is_known() {
        let [a, b, outer] = [0, 1, 2].map(Variable);
        let value = |variable| Expression::Variable(variable);
        let first = Statement::Let { to: a, value: Expression::Number(1.0) };
        let second = Statement::Let { to: b, value: Expression::Negate(Box::new(value(a))) };
        let square = Expression::Multiply(Box::new([value(a), value(a)]));
        let results =
            vec![(rising(4), value(b)), (rising(3), value(a)), (rising(8), value(outer)), (rising(5), square.clone())];
        let store = |to, value| Statement::Store { to, value };
        assert_eq!(
            with_runs(vec![first.clone(), second.clone()], results),
            [
                store(rising(8), value(outer)),
                first,
                store(rising(5), square),
                second,
                Statement::Put { first: rising(3), values: vec![value(a), value(b)] },
            ]
        );
    }
}
