//! The linear problems: full rank, rank 1, and rank 1 with zero columns and rows.

use super::super::dual::Dual;

fn sum(terms: impl Iterator<Item = Dual>) -> Dual {
    terms.fold(Dual::constant(0.0), |sum, term| sum + term)
}

/// sum_j j x_j over some of the x, which are counted from 1.
fn weighted(x: &[Dual], first: usize, last: usize) -> Dual {
    sum((first..=last).filter_map(|j| Some(*x.get(j - 1)? * j as f64)))
}

/// r_i = x_i - (2 / m) sum_j x_j - 1, without x_i for i > n.
pub fn full_rank(x: &[Dual], m: usize) -> Vec<Dual> {
    let common = 2.0 / m as f64 * sum(x.iter().copied()) + 1.0;
    (0..m).map(|i| x.get(i).map_or(-common, |own| *own - common)).collect()
}

/// r_i = i sum_j j x_j - 1.
pub fn rank_one(x: &[Dual], m: usize) -> Vec<Dual> {
    let common = weighted(x, 1, x.len());
    (1..=m).map(|i| i as f64 * common - 1.0).collect()
}

/// r_i = (i - 1) sum_j j x_j - 1 without the first and the last x; the first and the last residual are -1.
pub fn rank_one_with_zeros(x: &[Dual], m: usize) -> Vec<Dual> {
    let common = weighted(x, 2, x.len() - 1);
    (0..m).map(|i| if i + 1 == m { Dual::constant(-1.0) } else { i as f64 * common - 1.0 }).collect()
}
