//! Matrices of parts of equal structure against dense ones.

use std::sync::Arc;

use super::super::known;
use super::*;

/// Parts of three unknowns and a constraint each, coupled with a border of two unknowns, with an order that eliminates
/// the parts first. `is_interleaved` takes the first unknown of every part, then the second ones.
struct Star {
    parts: u32,
    is_interleaved: bool,
    /// Leaves an entry out of the first part.
    lacks_one: bool,
}

impl Star {
    const PART: u32 = 4;
    const BORDER: u32 = 2;

    fn new(parts: u32) -> Self {
        Self { parts, is_interleaved: false, lacks_one: false }
    }

    fn size(&self) -> usize {
        (self.parts * Self::PART + Self::BORDER) as usize
    }

    /// The border comes first in the matrix.
    fn index(&self, part: u32, place: u32) -> u32 {
        Self::BORDER + part * Self::PART + place
    }

    fn order(&self) -> Vec<(u32, u32)> {
        let by_parts = || (0..self.parts).flat_map(|part| (0..Self::PART).map(move |place| (part, place)));
        let mut unknowns: Vec<(u32, u32)> = by_parts().collect();
        if self.is_interleaved {
            unknowns.sort_by_key(|&(part, place)| (place, part));
        }
        // the constraint and the unknown that it holds are each other's pivots
        let column = |place| [0, 1, 3, 2][place as usize];
        let of_parts =
            unknowns.into_iter().map(|(part, place)| (self.index(part, place), self.index(part, column(place))));
        of_parts.chain((0..Self::BORDER).map(|i| (i, i))).collect()
    }

    fn matrix(&self, seed: f64) -> Saddle {
        let (mut pattern, mut values) = (Vec::new(), Vec::new());
        let mut push = |row: u32, column: u32, value: f64| {
            pattern.push((row, column));
            values.push(value + 0.1 * (seed + f64::from(7 * row + 3 * column)).sin());
        };
        for i in 0..Self::BORDER {
            (0..Self::BORDER).for_each(|j| push(i, j, if i == j { 9.0 } else { 0.5 }));
        }
        for part in 0..self.parts {
            let at = |place| self.index(part, place);
            for i in 0..3 {
                push(at(i), at(i), 4.0);
                push(at(i), 1, 0.7);
                push(1, at(i), -0.6);
            }
            if !(self.lacks_one && part == 0) {
                push(at(0), at(1), -1.0);
            }
            push(at(1), at(0), -0.8);
            push(at(2), at(1), 0.4);
            push(at(2), at(3), 2.0);
            push(at(3), at(2), 2.0);
            push(at(3), 0, -2.0);
            push(0, at(3), -2.0);
        }
        Saddle { size: self.size(), pattern, values }
    }

    fn factors(&self) -> (SparseLu, Saddle) {
        let matrix = self.matrix(0.0);
        let mut lu = SparseLu::with_order(&matrix.pattern, matrix.size, &self.order());
        lu.factor(&matrix.values).unwrap();
        assert!(lu.is_in_order() && lu.analyses() == 0);
        (lu, matrix)
    }
}

fn count(lu: &SparseLu) -> Option<usize> {
    lu.factors.layout.parts.as_ref().map(|parts| parts.count)
}

#[test]
fn parts_side_by_side_solve_as_the_whole_matrix() {
    for parts in [3, 4, 6, 7, 8, 12] {
        for (is_interleaved, lacks_one) in [(false, false), (true, false), (false, true)] {
            let star = Star { is_interleaved, lacks_one, ..Star::new(parts) };
            let (mut lu, first) = star.factors();
            assert_eq!(count(&lu), Some(parts as usize), "{parts} parts");
            let b = DVector::from_fn(star.size(), |row, _| (1.0 + row as f64).cos());
            for matrix in [first, star.matrix(1.0), star.matrix(2.0)] {
                lu.factor(&matrix.values).unwrap();
                check(&lu, &matrix.dense(), &b, 1e-14);
            }
            assert_eq!((lu.analyses(), lu.changes()), (0, 1));
            // in other units
            let mut large = star.matrix(3.0);
            large.values.iter_mut().for_each(|value| *value *= 1e20);
            lu.factor(&large.values).unwrap();
            check(&lu, &large.dense(), &(&b * 1e20), 1e-14);
            let mut small = star.matrix(4.0);
            small.values.iter_mut().for_each(|value| *value *= 1e-20);
            lu.factor(&small.values).unwrap();
            check(&lu, &small.dense(), &b, 1e-14);
            assert!(lu.is_in_order() && lu.analyses() == 0);
            let pivots = lu.factors.pivots().count();
            assert_eq!(pivots, star.size(), "those of idle lanes are no pivots");
        }
    }
}

#[test]
fn matrices_without_like_parts_have_none() {
    let alone = |star: &Star, order: &[(u32, u32)]| {
        let matrix = star.matrix(0.0);
        let mut lu = SparseLu::with_order(&matrix.pattern, matrix.size, order);
        lu.factor(&matrix.values).unwrap();
        count(&lu)
    };
    // more than a quarter of the lanes would be idle; of five parts, one goes with the border
    for (parts, found) in [(1, None), (2, None), (5, Some(4))] {
        let star = Star::new(parts);
        assert_eq!(alone(&star, &star.order()), found, "{parts} parts");
    }
    // the border first: what is left does not fall apart
    let star = Star::new(4);
    let mut order = star.order();
    order.rotate_right(Star::BORDER as usize);
    assert_eq!(alone(&star, &order), None);
    // a chain falls apart nowhere
    let matrix = row_of_bodies(40);
    let mut lu = SparseLu::with_order(&matrix.pattern, matrix.size, &along_the_row(40));
    lu.factor(&matrix.values).unwrap();
    assert_eq!(count(&lu), None);
}

#[test]
fn every_part_keeps_its_bounds() {
    let star = Star::new(6);
    let (lu, good) = star.factors();
    let b = DVector::from_element(star.size(), 1.0);
    let index = |row, column| good.pattern.iter().position(|entry| *entry == (row, column)).unwrap();
    for part in 0..star.parts {
        let pivot = index(star.index(part, 0), star.index(part, 0));
        for bad in [0.0, 1e-4, f64::NAN, f64::INFINITY] {
            let mut changed = star.matrix(0.0);
            changed.values[pivot] = bad;
            let mut lu = lu.clone();
            assert!(!lu.refactor(&changed.values), "{bad} in part {part}");
            if bad.is_finite() {
                // the order is given up, or its solutions are refined
                lu.factor(&changed.values).unwrap();
                check(&lu, &changed.dense(), &b, 1e-12);
                lu.factor(&good.values).unwrap();
                check(&lu, &good.dense(), &b, 1e-13);
            } else {
                lu.factor(&changed.values).unwrap_err();
            }
        }
        // a large entry of L
        let mut changed = star.matrix(0.0);
        changed.values[index(star.index(part, 1), star.index(part, 0))] = 1e5;
        assert!(!lu.clone().refactor(&changed.values), "part {part}");
    }
    let border = index(0, 0);
    let mut changed = star.matrix(0.0);
    changed.values[border] = f64::NAN;
    assert!(!lu.clone().refactor(&changed.values));
}

#[test]
fn large_factors_of_parts_are_refined() {
    let star = Star::new(4);
    let mut matrix = star.matrix(0.0);
    let pivot = star.index(2, 0);
    let at = matrix.pattern.iter().position(|entry| *entry == (pivot, pivot)).unwrap();
    matrix.values[at] = 1e-6;
    let mut lu = SparseLu::with_order(&matrix.pattern, matrix.size, &star.order());
    let b = DVector::from_fn(star.size(), |row, _| (2.0 + row as f64).sin());
    for change in [1.0, 1.5, 0.8] {
        matrix.values[at] = 1e-6 * change;
        lu.factor(&matrix.values).unwrap();
        assert!(lu.is_in_order() && lu.analyses() == 0, "{change}");
        check(&lu, &matrix.dense(), &b, 1e-12);
    }
}

#[test]
fn tables_are_made_once() {
    let star = Star::new(9);
    let (pattern, order) = (star.matrix(0.0).pattern, star.order());
    let pieces = Pieces::whole(pattern.len());
    let first = known::layout(&pattern, &pieces, &order);
    assert!(Arc::ptr_eq(&first, &known::layout(&pattern, &pieces, &order)));
    let mut other = order.clone();
    other.swap(0, 1);
    assert!(!Arc::ptr_eq(&first, &known::layout(&pattern, &pieces, &other)));
}
