//! The matrices of a step of the discrete adjoint as sums of those of the group `linearization`.
//!
//! Both groups consist of the same derivatives. A long model has them once, in `linearization`, and its function
//! `adjoint` adds them with the weights of the step.

use costate_contract::{Argument, Block, Description, Function, Group};
use costate_numerics::scalar::{LANES, Scalar, Vector};

use super::functions::Functions;
use super::point::Point;

/// Positions of the terms of the group `adjoint` in the group `linearization`.
#[derive(Debug)]
pub struct AdjointTerms {
    /// Entries that follow each other in both arrays: first entry of `adjoint`, first entry of `linearization`, and
    /// number.
    copies: Vec<(usize, usize, usize)>,
    sums: Vec<Sums>,
    /// The lengths of the arrays of `linearization` and of `adjoint`.
    lengths: [usize; 2],
}

/// Entries of `adjoint` that are sums of the same terms.
#[derive(Debug)]
struct Sums {
    /// The factors of the terms.
    factors: Vec<Factor>,
    /// The position of an entry of `adjoint`, then those of its terms in `linearization`; the first of four entries
    /// that follow each other in both arrays.
    fours: Vec<u32>,
    /// The positions of the other entries.
    singles: Vec<u32>,
}

/// Most terms of an entry.
const MAX_TERMS: usize = 5;

/// Factor of a term, which is its position among all [factors].
#[derive(Debug, Clone, Copy, PartialEq)]
enum Factor {
    One,
    MinusOne,
    Inertia,
    InertiaByCoordinates,
    ForceByCoordinates,
    MinusForceByCoordinates,
    MinusForceByVelocities,
}

/// Returns the numbers of all factors, for the weights w_a, w_q and w_v of a step.
#[inline(always)]
fn factors<S: Scalar>([w_a, w_q, w_v]: [S; 3]) -> [S; 7] {
    let one = S::constant(1.0);
    [one, -one, w_a, w_a * w_q, w_q, -w_q, -w_v]
}

/// Lists the terms of a block of `adjoint`: derivatives of `linearization` with their factors.
fn terms_of(block: &Block) -> Vec<(Function, Argument, Factor)> {
    use Argument::{Accelerations, Coordinates, Velocities};
    use Function::{ConstraintForce, Force, ForceResidual, Inertia, Step};
    match (block.function, block.argument) {
        (Step, _) => vec![
            (Inertia, Accelerations, Factor::Inertia),
            (Inertia, Coordinates, Factor::InertiaByCoordinates),
            (ConstraintForce, Coordinates, Factor::ForceByCoordinates),
            (Force, Coordinates, Factor::MinusForceByCoordinates),
            (Force, Velocities, Factor::MinusForceByVelocities),
        ],
        (ForceResidual, Some(argument)) => {
            vec![(ConstraintForce, argument, Factor::One), (Force, argument, Factor::MinusOne)]
        }
        (function, Some(argument)) => vec![(function, argument, Factor::One)],
        (_, None) => Vec::new(),
    }
}

/// Lists the entries of a block, ascending, with their positions in the array of the group.
fn sorted(block: &Block) -> Vec<((u32, u32), u32)> {
    let mut entries: Vec<_> = block.entries.iter().copied().zip(block.offset as u32..).collect();
    entries.sort_unstable();
    entries
}

impl AdjointTerms {
    /// Finds the terms of the group `adjoint` of a model.
    pub fn of(model: &Description) -> Self {
        let length =
            |group: &[Block]| group.iter().map(|block| block.offset + block.entries.len()).max().unwrap_or_default();
        let lengths = [length(model.groups.linearization), length(model.groups.adjoint)];
        let mut terms = Self { copies: Vec::new(), sums: Vec::new(), lengths };
        for block in model.groups.adjoint {
            let given: Vec<(Factor, Vec<_>)> = terms_of(block)
                .into_iter()
                .filter_map(|(function, argument, factor)| {
                    let is_term = |block: &&Block| (block.function, block.argument) == (function, Some(argument));
                    Some((factor, sorted(model.groups.linearization.iter().find(is_term)?)))
                })
                .collect();
            // entries by the set of their terms, with the positions of entry and terms
            let mut alike = vec![Vec::new(); 1 << given.len()];
            let mut next = [0; MAX_TERMS];
            for (entry, result) in sorted(block) {
                let (mut set, mut count, mut positions) = (0, 1, [result; 1 + MAX_TERMS]);
                for (term, ((_, entries), next)) in given.iter().zip(&mut next).enumerate() {
                    while entries.get(*next).is_some_and(|(other, _)| *other < entry) {
                        *next += 1;
                    }
                    if let Some((_, position)) = entries.get(*next).filter(|(other, _)| *other == entry) {
                        set |= 1 << term;
                        positions[count] = *position;
                        count += 1;
                    }
                }
                alike[set].push(positions);
            }
            for (set, entries) in alike.iter().enumerate().skip(1).filter(|(_, entries)| !entries.is_empty()) {
                let own = given.iter().enumerate().filter(|(term, _)| set & 1 << term != 0);
                let factors: Vec<Factor> = own.map(|(_, (factor, _))| *factor).collect();
                terms.push(factors, entries);
            }
        }
        terms
    }

    /// Takes entries with terms of these factors.
    fn push(&mut self, factors: Vec<Factor>, entries: &[[u32; 1 + MAX_TERMS]]) {
        /// Fewest entries that are copied at once.
        const MIN_COPY_LENGTH: usize = 16;
        let length = 1 + factors.len();
        let mut sums = Sums { factors, fours: Vec::new(), singles: Vec::new() };
        let follows = |a: &[u32; 1 + MAX_TERMS], b: &[u32; 1 + MAX_TERMS]| {
            a[..length].iter().map(|a| a + 1).eq(b[..length].iter().copied())
        };
        for run in entries.chunk_by(follows) {
            if sums.factors == [Factor::One] && run.len() >= MIN_COPY_LENGTH {
                self.copies.push((run[0][0] as usize, run[0][1] as usize, run.len()));
                continue;
            }
            let (fours, singles) = run.as_chunks::<LANES>();
            sums.fours.extend(fours.iter().flat_map(|four| &four[0][..length]));
            sums.singles.extend(singles.iter().flat_map(|single| &single[..length]));
        }
        self.sums.push(sums);
    }

    /// Fills the array of the group `adjoint` at a point, for the weights w_a, w_q (s^2) and w_v (s) of the step.
    #[inline(always)]
    pub fn evaluate<M: Functions, S: Scalar>(&self, at: &Point<'_, M, S>, weights: [S; 3], out: &mut M::Adjoint<S>) {
        let mut linearization =
            M::Linearization::<S>::zeros(M::lengths(M::program(at.constants)).group(Group::Linearization));
        M::linearization(at, &mut linearization);
        self.add(weights, linearization.as_ref(), out.as_mut());
    }

    /// Fills the array of the group `adjoint` with sums of entries of the array of `linearization`, for the weights
    /// w_a, w_q (s^2) and w_v (s) of the step. The sums are NaN if the arrays do not have the lengths of their groups
    /// in the model of these terms.
    #[inline(always)]
    pub fn add<S: Scalar>(&self, weights: [S; 3], linearization: &[S], out: &mut [S]) {
        if [linearization.len(), out.len()] != self.lengths {
            out.fill(S::constant(f64::NAN));
            return;
        }
        for &(to, from, length) in &self.copies {
            let to = out.get_mut(to..).and_then(|to| to.get_mut(..length));
            let from = linearization.get(from..).and_then(|from| from.get(..length));
            if let (Some(to), Some(from)) = (to, from) {
                to.copy_from_slice(from);
            }
        }
        let factors = factors(weights);
        for sums in &self.sums {
            match sums.factors.len() {
                1 => sums.add::<S, 1>(factors, linearization, out),
                2 => sums.add::<S, 2>(factors, linearization, out),
                3 => sums.add::<S, 3>(factors, linearization, out),
                4 => sums.add::<S, 4>(factors, linearization, out),
                _ => sums.add::<S, MAX_TERMS>(factors, linearization, out),
            }
        }
    }
}

impl Sums {
    /// Adds N terms in every entry.
    #[inline(always)]
    fn add<S: Scalar, const N: usize>(&self, factors: [S; 7], linearization: &[S], out: &mut [S]) {
        let Some(own) = self.factors.first_chunk::<N>() else { return };
        // loops, because closures are not always inlined, and then not compiled for the processor at hand
        let mut of_terms = [factors[Factor::One as usize]; N];
        for (factor, own) in of_terms.iter_mut().zip(own) {
            *factor = factors[*own as usize];
        }
        for positions in self.fours.chunks_exact(N + 1) {
            let [to, from @ ..] = positions else { continue };
            let Some(to) = four_mut(out, *to) else { continue };
            for term in 0..N {
                let Some(numbers) = four(linearization, from[term]) else { continue };
                for i in 0..LANES {
                    let product = numbers[i] * of_terms[term];
                    to[i] = if term == 0 { product } else { to[i] + product };
                }
            }
        }
        for positions in self.singles.chunks_exact(N + 1) {
            let [to, from @ ..] = positions else { continue };
            let mut sum = linearization[from[0] as usize] * of_terms[0];
            for term in 1..N {
                sum += linearization[from[term] as usize] * of_terms[term];
            }
            out[*to as usize] = sum;
        }
    }
}

#[inline(always)]
fn four<S>(array: &[S], first: u32) -> Option<&[S; LANES]> {
    array.get(first as usize..)?.first_chunk()
}

#[inline(always)]
fn four_mut<S>(array: &mut [S], first: u32) -> Option<&mut [S; LANES]> {
    array.get_mut(first as usize..)?.first_chunk_mut()
}

#[cfg(test)]
mod tests {
    use costate_contract::Groups;

    use super::*;

    use Argument::{Accelerations, Coordinates, Velocities};
    use Function::{Constraint, ConstraintForce, Force, ForceResidual, Inertia, Step};

    /// A full matrix.
    const ALL: &[(u32, u32)] = &Block::by_rows([6, 6, 6], [0, 1, 2, 3, 4, 5, 0, 1, 2, 3, 4, 5, 0, 1, 2, 3, 4, 5]);
    /// The matrix of another term.
    const SOME: &[(u32, u32)] = &Block::by_rows([2, 4, 1], [0, 5, 1, 2, 3, 4, 5]);

    const MODEL: Description = Description {
        groups: Groups {
            adjoint: &Block::in_sequence([
                // not by rows
                Block::derivative(Step, Accelerations, &[(2, 0), (0, 5), (1, 1), (1, 2), (1, 3), (1, 4), (0, 0)]),
                Block::derivative(Constraint, Coordinates, ALL),
                Block::derivative(ForceResidual, Coordinates, ALL),
                Block::derivative(ForceResidual, Velocities, SOME),
            ]),
            linearization: &Block::in_sequence([
                Block::value::<3>(Force),
                Block::derivative(Inertia, Accelerations, SOME),
                Block::derivative(Inertia, Coordinates, &[(0, 0)]),
                Block::derivative(Force, Coordinates, SOME),
                Block::derivative(Force, Velocities, SOME),
                Block::derivative(ConstraintForce, Coordinates, ALL),
                Block::derivative(Constraint, Coordinates, ALL),
            ]),
            ..Groups::EMPTY
        },
        ..Description::new("sums")
    };

    #[test]
    fn every_entry_is_the_sum_of_its_terms() {
        let Groups { adjoint, linearization, .. } = MODEL.groups;
        let length = |group: &[Block]| group.last().map_or(0, |block| block.offset + block.entries.len());
        let numbers: Vec<f64> = (0..length(linearization)).map(|i| (i as f64).sin()).collect();
        let weights @ [w_a, w_q, w_v] = [1.1, 0.3, 0.7];
        let mut found = vec![f64::NAN; length(adjoint)];
        let terms = AdjointTerms::of(&MODEL);
        terms.add(weights, &numbers, &mut found);
        let term = |function, argument, (row, column): (u32, u32)| {
            let is_term = |block: &&Block| (block.function, block.argument) == (function, Some(argument));
            let block = linearization.iter().find(is_term).unwrap();
            let mut entries = block.iter(&numbers);
            let found = entries.find(|&(i, j, _)| (i, j) == (row as usize, column as usize));
            found.map_or(0.0, |(_, _, value)| value)
        };
        for block in adjoint {
            for (&entry, found) in block.entries.iter().zip(block.values(&found)) {
                let residual = |argument| {
                    let of_constraints =
                        if argument == Coordinates { term(ConstraintForce, argument, entry) } else { 0.0 };
                    of_constraints - term(Force, argument, entry)
                };
                let expected = match (block.function, block.argument.unwrap()) {
                    (Step, _) => {
                        let of_coordinates = w_a * term(Inertia, Coordinates, entry) + residual(Coordinates);
                        w_a * term(Inertia, Accelerations, entry) + w_q * of_coordinates + w_v * residual(Velocities)
                    }
                    (ForceResidual, argument) => residual(argument),
                    (function, argument) => term(function, argument, entry),
                };
                assert!((found - expected).abs() < 1e-15, "{:?} {entry:?}: {found}, not {expected}", block.function);
            }
        }
        terms.add(weights, &numbers[1..], &mut found);
        assert!(found.iter().all(|sum| sum.is_nan()), "an array of another length");
    }
}
