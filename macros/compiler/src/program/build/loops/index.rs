//! Array positions by repetition of a loop: a formula of the repetition, or an entry of a table.

use crate::program::Index;

/// Adds these positions, one for each repetition, to `tables` if no formula fits and no table begins with them; returns
/// the index that has them.
pub fn index(tables: &mut Vec<Vec<usize>>, positions: &[usize]) -> Index {
    formula(positions).unwrap_or_else(|| {
        let known = tables.iter().position(|table| table.starts_with(positions));
        Index::Table(known.unwrap_or_else(|| {
            tables.push(positions.to_vec());
            tables.len() - 1
        }))
    })
}

/// Returns the formula of the positions if they have one.
fn formula(positions: &[usize]) -> Option<Index> {
    let [first, second, ..] = *positions else { return positions.first().map(|&only| Index::At(only)) };
    let rises = second >= first;
    let stride = second.abs_diff(first);
    let follows = |pair: &[usize]| pair[1].abs_diff(pair[0]) == stride && (pair[1] >= pair[0]) == rises;
    positions.windows(2).all(follows).then_some(match (rises, stride) {
        (_, 0) => Index::At(first),
        (true, _) => Index::Rising { offset: first, stride },
        (false, _) => Index::Falling { offset: first, stride },
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arithmetic_sequences_are_formulas() {
        for (positions, expected) in [
            (&[4, 4, 4][..], Some(Index::At(4))),
            (&[0, 1, 2], Some(Index::Rising { offset: 0, stride: 1 })),
            (&[3, 10, 17], Some(Index::Rising { offset: 3, stride: 7 })),
            (&[9, 8, 7], Some(Index::Falling { offset: 9, stride: 1 })),
            (&[9, 6, 3], Some(Index::Falling { offset: 9, stride: 3 })),
            (&[5], Some(Index::At(5))),
            (&[0, 1, 3], None),
            (&[0, 1, 0], None),
            (&[], None),
        ] {
            assert_eq!(formula(positions), expected, "{positions:?}");
        }
    }

    #[test]
    fn other_sequences_have_tables() {
        let mut tables = Vec::new();
        let expected = [
            (&[1, 5, 6][..], Index::Table(0)),
            (&[2, 2, 70_000], Index::Table(1)),
            (&[1, 5, 6], Index::Table(0)),
            (&[2, 2, 70_000], Index::Table(1)),
            (&[1, 5, 6, 1], Index::Table(2)),
            (&[3, 4], Index::Rising { offset: 3, stride: 1 }),
        ];
        for (positions, expected) in expected {
            assert_eq!(index(&mut tables, positions), expected);
        }
        assert_eq!(tables, [vec![1, 5, 6], vec![2, 2, 70_000], vec![1, 5, 6, 1]]);
    }
}
