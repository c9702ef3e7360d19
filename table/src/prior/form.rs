//! Linear functions of the values of a table.

/// A linear function of the values of a table.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct LinearForm {
    /// Position of a value and what it is multiplied by, in the order of the values.
    pub coefficients: Vec<(usize, f64)>,
}

impl LinearForm {
    /// The function with these coefficients, zeros left out.
    pub(super) fn new(coefficients: impl IntoIterator<Item = (usize, f64)>) -> Self {
        Self { coefficients: coefficients.into_iter().filter(|(_, factor)| *factor != 0.0).collect() }
    }

    /// The value of the form; table values that are missing count as 0.
    pub fn of(&self, values: &[f64]) -> f64 {
        self.coefficients.iter().map(|&(i, factor)| factor * values.get(i).copied().unwrap_or(0.0)).sum()
    }

    /// Its negative.
    pub(super) fn negated(&self) -> Self {
        Self { coefficients: self.coefficients.iter().map(|&(i, factor)| (i, -factor)).collect() }
    }

    /// Square root of the sum of its squared coefficients.
    #[doc(hidden)]
    pub fn norm(&self) -> f64 {
        self.coefficients.iter().map(|(_, factor)| factor * factor).sum::<f64>().sqrt()
    }

    /// The sum of the products of coefficients of the same value.
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
