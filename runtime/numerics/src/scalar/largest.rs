//! The largest of numbers, which `f64::max` would not do: it forgets what is no number.

/// The largest of these numbers that are not negative, 0 without any; NaN where one of them is NaN.
pub fn largest(numbers: impl IntoIterator<Item = f64>) -> f64 {
    let keep = |most: f64, number: f64| if most.is_nan() || number <= most { most } else { number };
    numbers.into_iter().fold(0.0, keep)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_no_number_stays() {
        assert_eq!(largest([0.5, 2.0, 1.0]), 2.0);
        assert_eq!(largest([]), 0.0);
        for numbers in [[f64::NAN, 1.0], [1.0, f64::NAN]] {
            assert!(largest(numbers).is_nan());
        }
    }
}
