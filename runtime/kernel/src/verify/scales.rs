//! Magnitudes of functions, for entries of their derivatives that are the rest of larger terms.

use crate::rounding::ROUNDINGS;
use costate_system::model::{Argument, Function};

/// The largest terms of the rows of functions at one point: entries of derivatives times what they are derivatives by.
#[derive(Debug, Default)]
pub(super) struct Scales {
    largest: Vec<(Function, Vec<f64>)>,
}

/// The rounding of an entry in every row and column of a derivative.
#[derive(Debug)]
pub(super) struct Rounding<'a> {
    rows: Option<&'a [f64]>,
    columns: Vec<f64>,
}

impl Scales {
    /// Takes a derivative, by columns, with the numbers that it is a derivative by.
    pub fn take(&mut self, function: Function, derivative: &[Vec<f64>], argument: &[f64]) {
        let rows = derivative.first().map_or(0, Vec::len);
        let place = self.largest.iter().position(|(other, _)| *other == function);
        let place = place.unwrap_or_else(|| {
            self.largest.push((function, vec![0.0; rows]));
            self.largest.len() - 1
        });
        for (column, x) in derivative.iter().zip(argument) {
            for (largest, entry) in self.largest[place].1.iter_mut().zip(column) {
                let term = (entry * x).abs();
                if term.is_finite() {
                    *largest = largest.max(term);
                }
            }
        }
    }

    /// The rounding of a derivative. Positions, velocities and the like count as 1 where all of them are smaller, as at
    /// random points; parameters have units of their own, and those that are zero count as 1.
    pub fn rounding(&self, function: Function, argument: Option<(Argument, &[f64])>) -> Rounding<'_> {
        let rows = self.largest.iter().find(|(other, _)| *other == function).map(|(_, rows)| &rows[..]);
        let columns = match argument {
            None => vec![1.0],
            Some((Argument::Parameters, values)) => values.iter().map(|value| value.abs()).collect(),
            Some((_, values)) => {
                let largest = values.iter().fold(1.0, |most: f64, value| most.max(value.abs()));
                vec![largest; values.len()]
            }
        };
        Rounding { rows, columns }
    }
}

impl Rounding<'_> {
    /// That of an entry.
    pub fn at(&self, row: usize, column: usize) -> f64 {
        let term = self.rows.and_then(|rows| rows.get(row)).copied().unwrap_or(0.0);
        match self.columns.get(column) {
            // of a number that is zero nothing is known but its unit
            Some(size) => ROUNDINGS * f64::EPSILON * term / if *size > 0.0 { *size } else { 1.0 },
            None => 0.0,
        }
    }
}
