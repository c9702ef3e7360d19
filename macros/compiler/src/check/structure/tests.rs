//! Matchings and ranks against dense elimination.

use proptest::prelude::*;

use super::matching::Pattern;
use super::rank::{Dependence, dependences};
use super::text::names;

/// The rank of a dense matrix, by elimination with complete pivoting.
fn rank(mut matrix: Vec<Vec<f64>>) -> usize {
    let (rows, columns) = (matrix.len(), matrix.first().map_or(0, Vec::len));
    for step in 0..rows.min(columns) {
        let places = (step..rows).flat_map(|row| (step..columns).map(move |column| (row, column)));
        let largest = places.max_by(|&(a, b), &(c, d)| matrix[a][b].abs().total_cmp(&matrix[c][d].abs()));
        let Some((row, column)) = largest.filter(|&(row, column)| matrix[row][column].abs() > 1e-9) else {
            return step;
        };
        matrix.swap(step, row);
        matrix.iter_mut().for_each(|row| row.swap(step, column));
        let pivot_row = matrix[step].clone();
        for row in matrix.iter_mut().skip(step + 1) {
            let factor = row[step] / pivot_row[step];
            row.iter_mut().zip(&pivot_row).skip(step).for_each(|(entry, pivot)| *entry -= factor * pivot);
        }
    }
    rows.min(columns)
}

/// A sparse matrix of random numbers, and its pattern.
fn sparse() -> impl Strategy<Value = (usize, usize, Vec<(usize, usize, f64)>)> {
    (1usize..9, 1usize..9).prop_flat_map(|(rows, columns)| {
        let value = prop_oneof![0.5f64..2.0, -2.0f64..-0.5];
        let entries = prop::collection::btree_map((0..rows, 0..columns), value, 0..=(2 * rows.max(columns)));
        entries.prop_map(move |entries| {
            (rows, columns, entries.into_iter().map(|((row, column), value)| (row, column, value)).collect())
        })
    })
}

fn dense(rows: usize, columns: usize, entries: &[(usize, usize, f64)]) -> Vec<Vec<f64>> {
    let mut matrix = vec![vec![0.0; columns]; rows];
    for &(row, column, value) in entries {
        matrix[row][column] = value;
    }
    matrix
}

proptest! {
    #[test]
    fn a_pattern_has_the_rank_of_random_numbers((rows, columns, entries) in sparse()) {
        let pattern = Pattern::new(rows, columns, entries.iter().map(|&(row, column, _)| (row, column)));
        let left_over = pattern.overdetermined();
        prop_assert_eq!(rows - left_over.len(), rank(dense(rows, columns, &entries)));
        for part in left_over {
            // Hall: fewer columns than rows, and no entry of these rows elsewhere.
            prop_assert!(part.columns.len() < part.rows.len());
            for row in part.rows {
                prop_assert!(pattern.row(row).iter().all(|column| part.columns.contains(column)));
            }
        }
        let columns_over = pattern.transposed().overdetermined().len();
        prop_assert_eq!(columns - columns_over, rank(dense(rows, columns, &entries)));
    }

    #[test]
    fn dependent_rows_are_found((rows, columns, mut entries) in sparse(),
    factors in prop::collection::vec(-2.0f64..2.0, 8)) {
        // One row more: a combination of all others.
        for column in 0..columns {
            let of_column = entries.iter().filter(|entry| entry.1 == column);
            let sum: f64 = of_column.map(|entry| entry.2 * factors[entry.0 % 8]).sum();
            entries.push((rows, column, sum));
        }
        let found = dependences(rows + 1, &entries);
        prop_assert_eq!(rows + 1 - found.len(), rank(dense(rows + 1, columns, &entries)));
        prop_assert_eq!(found.last().map(|dependence| dependence.row), Some(rows));
    }
}

#[test]
fn rows_of_a_dependence_are_named() {
    // x - y, y - z, w, x - z
    let entries = [(0, 0, 1.0), (0, 1, -1.0), (1, 1, 1.0), (1, 2, -1.0), (2, 3, 1.0), (3, 0, 1.0), (3, 2, -1.0)];
    assert_eq!(dependences(4, &entries), [Dependence { row: 3, others: vec![0, 1] }]);
    assert_eq!(dependences(3, &entries[..5]), []);
}

#[test]
fn long_lists_of_names_are_cut() {
    let source = "Chain { coordinates { x[1..=12]: m } mass { for i in 1..=12 { x[i]: 1[kg] } } }";
    let model = crate::compile_str(source).expect("a valid model").model;
    assert_eq!(names(&model.coordinates, &[0]), "`x[1]`");
    assert_eq!(names(&model.coordinates, &[0, 2, 4]), "`x[1]`, `x[3]` and `x[5]`");
    let all: Vec<usize> = (0..12).collect();
    let list = names(&model.coordinates, &all);
    assert!(list.ends_with("`x[8]` and 4 more"), "{list}");
}

/// In a chain, a dependence is found among many constraints.
#[test]
fn a_dependence_among_many_constraints() {
    let chain = |links: usize, extra: &str| {
        format!(
            "Chain(n: usize = {links}) {{
                parameters {{ m: kg = 1, l: m = 1 }}
                coordinates {{ x[0..=n]: m, y[0..=n]: m, phi[0..=n]: rad }}
                mass {{ for i in 0..=n {{ x[i]: m, y[i]: m, phi[i]: m*l^2 }} }}
                constraints {{
                    for i in 1..=n {{
                        a[i]: x[i] - l*sin(phi[i]) - x[i - 1] - l*sin(phi[i - 1]),
                        b[i]: y[i] + l*cos(phi[i]) - y[i - 1] + l*cos(phi[i - 1]),
                    }},
                    {extra}
                }}
            }}"
        )
    };
    assert!(crate::compile_str(&chain(20, "")).is_ok());
    let errors = crate::compile_str(&chain(20, "again: 2*x[0] + 2*l*sin(phi[0]) + 2*l*sin(phi[1]) - 2*x[1]"));
    let messages: Vec<String> = errors.err().into_iter().flatten().map(|error| error.message).collect();
    assert_eq!(
        messages,
        ["the constraint `again` restricts no motion that `a[1]` does not restrict already; remove `again`"]
    );
}

/// Four hinges with parallel axes, of which the last one is another joint.
#[test]
fn what_is_advised_compiles() {
    let four_bar = |last: &str| {
        format!(
            "FourBar {{
                parameters {{ m: kg = 1, j: kg*m^2 = 1, a: m = 0.3, b: m = 0.9, c: m = 0.7, base: m = 1 }}
                bodies {{ rod[1..=3]: spatial {{ mass: m, inertia: (j, j, j) }} }}
                joints {{
                    pin[1]: revolute(ground, rod[1], axis = (0, 0, 1)),
                    pin[2]: revolute(rod[1].at(a, 0, 0), rod[2], axis = (0, 0, 1)),
                    pin[3]: revolute(rod[2].at(b, 0, 0), rod[3].at(c, 0, 0), axis = (0, 0, 1)),
                    pin[4]: {last}(ground.at(base, 0, 0), rod[3], axis = (0, 0, 1)),
                }}
            }}"
        )
    };
    let errors = crate::compile_str(&four_bar("revolute")).err().unwrap_or_default();
    let messages: Vec<&str> = errors.iter().map(|error| error.message.as_str()).collect();
    assert_eq!(
        messages,
        ["the model has 23 constraints for 21 coordinates; take `point_on_line` in place of `revolute` for `pin[4]`"]
    );
    assert!(crate::compile_str(&four_bar("point_on_line")).is_ok());
}
