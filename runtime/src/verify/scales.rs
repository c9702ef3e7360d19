//! How large functions are, for entries of their derivatives that are the rest of larger terms.

use crate::model::Function;

/// The largest terms of functions at one point: entries of derivatives times what they are derivatives by.
#[derive(Debug, Default)]
pub(super) struct Scales {
    largest: Vec<(Function, f64)>,
}

impl Scales {
    /// Takes a derivative, by columns.
    pub fn take(&mut self, function: Function, derivative: &[Vec<f64>], argument: &[f64]) {
        let terms = derivative.iter().zip(argument).flat_map(|(column, x)| column.iter().map(move |entry| entry * x));
        let finite = terms.filter(|term| term.is_finite());
        let largest = finite.fold(0.0, |most: f64, term| most.max(term.abs()));
        self.largest.push((function, largest));
    }

    /// The rounding of the function's terms as rounding of its derivative by each of the numbers of `argument`; those that
    /// are zero count as much as the largest.
    pub fn floor(&self, function: Function, argument: &[f64]) -> Vec<f64> {
        let own = self.largest.iter().filter(|(other, _)| *other == function);
        let rounding = f64::EPSILON * own.fold(0.0, |most: f64, (_, largest)| most.max(*largest));
        let largest = argument.iter().fold(0.0, |most: f64, x| most.max(x.abs()));
        let size = |x: &f64| if *x == 0.0 { largest } else { x.abs() };
        let floors = argument.iter().map(|x| rounding / size(x));
        floors.map(|floor| if floor.is_finite() { floor } else { 0.0 }).collect()
    }
}
