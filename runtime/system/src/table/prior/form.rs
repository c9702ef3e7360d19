//! Linear functions of the values of a table.

/// A linear function of the values of a table.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct LinearForm {
    /// Position and factor of every table value, in the order of the values.
    pub coefficients: Vec<(usize, f64)>,
}

impl LinearForm {
    /// Creates the function with these coefficients, without zeros.
    pub(super) fn new(coefficients: impl IntoIterator<Item = (usize, f64)>) -> Self {
        Self { coefficients: coefficients.into_iter().filter(|(_, factor)| *factor != 0.0).collect() }
    }

    /// Evaluates the form; table values that are missing count as 0.
    pub fn of(&self, values: &[f64]) -> f64 {
        self.coefficients.iter().map(|&(i, factor)| factor * values.get(i).copied().unwrap_or(0.0)).sum()
    }

    /// Returns the negative of the form.
    pub(super) fn negated(&self) -> Self {
        Self { coefficients: self.coefficients.iter().map(|&(i, factor)| (i, -factor)).collect() }
    }

    /// Returns the square root of the sum of the squared coefficients.
    #[doc(hidden)]
    pub fn norm(&self) -> f64 {
        self.coefficients.iter().map(|(_, factor)| factor * factor).sum::<f64>().sqrt()
    }

    /// Returns the sum of the products of coefficients of the same value.
    pub(super) fn product(&self, other: &Self) -> f64 {
        let (mut sum, mut others) = (0.0, other.coefficients.iter().peekable());
        for &(i, factor) in &self.coefficients {
            while others.next_if(|(j, _)| *j < i).is_some() {}
            if let Some((_, other)) = others.next_if(|(j, _)| *j == i) {
                sum += factor * other;
            }
        }
        sum
    }
}
