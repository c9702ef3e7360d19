//! Functions that are composed of what another function computes.
//!
//! Two long functions that consist of the same derivatives share these: one function computes them, and the other
//! function takes or adds them in loops over tables of positions. `adjoint` composes the matrices of the discrete
//! adjoint of those of `linearization`. `along_motion` composes the constraints on velocities and accelerations of the
//! constraints, evaluated along a motion.

mod adjoint;
mod along_motion;

use costate_contract::{Argument, Function as Quantity};
use rustc_hash::FxHashMap;

use super::loops;
use super::operations::Operations;
use crate::mechanics::Group;
use crate::program::{Array, Expression, Place, Statement};

pub use adjoint::{adjoint, weights};
pub use along_motion::{Constraints, NAME as CONSTRAINTS};

/// A block of entries in the array of its group.
struct Entries<'a> {
    array: Array,
    start: usize,
    entries: &'a [(usize, usize)],
}

impl<'a> Entries<'a> {
    /// Finds a derivative, or a value without an argument, of a group whose results are in `array`.
    fn find(
        (group, array): (&'a Group, Array),
        function: Quantity,
        argument: impl Into<Option<Argument>>,
    ) -> Option<Self> {
        let argument = argument.into();
        let mut start = 0;
        for block in &group.blocks {
            if (block.function, block.argument) == (function, argument) {
                return Some(Self { array, start, entries: &block.entries });
            }
            start += block.entries.len();
        }
        None
    }
}

/// A term of a sum: its entries, what they are multiplied by, and `true` where they are subtracted.
struct Term<'a> {
    entries: Entries<'a>,
    factors: Vec<&'a Expression>,
    is_subtracted: bool,
}

impl<'a> Term<'a> {
    /// Finds a derivative that contributes; `None` where it is structurally zero.
    fn find(
        group: (&'a Group, Array),
        (function, argument): (Quantity, Argument),
        factors: &[&'a Expression],
        is_subtracted: bool,
    ) -> Option<Self> {
        let entries = Entries::find(group, function, argument)?;
        Some(Self { entries, factors: factors.to_vec(), is_subtracted })
    }
}

/// Entries of a block to which the same terms contribute.
struct Alike {
    /// The terms, by their positions in the list of all.
    terms: Vec<usize>,
    /// Positions of these entries in each of the terms.
    from: Vec<Vec<usize>>,
    /// Positions of these entries in the results.
    results: Vec<usize>,
}

/// Writes the loops of the function.
struct Writer {
    positions: Vec<Vec<usize>>,
    body: Vec<Statement>,
    operations: Operations,
}

impl Writer {
    /// Stores the sums of terms in a block: a loop for the entries to which the same terms contribute. Terms that
    /// cancel have no entry in the block.
    fn compose(&mut self, to: &Entries<'_>, terms: &[Term<'_>]) {
        let places = terms.iter().map(|term| {
            let places = term.entries.entries.iter().zip(term.entries.start..);
            places.collect::<FxHashMap<_, _>>()
        });
        let places: Vec<_> = places.collect();
        let mut alike: Vec<Alike> = Vec::new();
        for (entry, position) in to.entries.iter().zip(to.start..) {
            let own = places.iter().enumerate().filter_map(|(term, places)| Some((term, *places.get(entry)?)));
            let (own, from): (Vec<usize>, Vec<usize>) = own.unzip();
            let known = alike.iter().position(|other| other.terms == own).unwrap_or_else(|| {
                alike.push(Alike { terms: own, from: vec![Vec::new(); from.len()], results: Vec::new() });
                alike.len() - 1
            });
            let known = &mut alike[known];
            known.from.iter_mut().zip(from).for_each(|(positions, from)| positions.push(from));
            known.results.push(position);
        }
        for Alike { terms: own, from, results } in alike {
            let mut sum: Option<Expression> = None;
            for (&term, from) in own.iter().zip(&from) {
                let Term { entries, factors, is_subtracted } = &terms[term];
                let index = loops::index(&mut self.positions, from);
                let entry = Expression::Entry(Place { array: entries.array, index });
                let product = |value, factor: &&Expression| Expression::Multiply(Box::new([(*factor).clone(), value]));
                let value = factors.iter().fold(entry, product);
                self.operations.multiplications += results.len() * factors.len();
                self.operations.additions += results.len() * usize::from(sum.is_some() || *is_subtracted);
                sum = Some(match sum {
                    Some(sum) if *is_subtracted => Expression::Subtract(Box::new([sum, value])),
                    Some(sum) => Expression::Add(Box::new([sum, value])),
                    None if *is_subtracted => Expression::Negate(Box::new(value)),
                    None => value,
                });
            }
            let index = loops::index(&mut self.positions, &results);
            let to = Place { array: Array::Out, index };
            let value = sum.unwrap_or(Expression::Number(0.0));
            self.body.push(Statement::Loop { count: results.len(), body: vec![Statement::Store { to, value }] });
        }
    }
}
