//! Numbers of the command line.

/// A fraction from 0.
///
/// # Errors
/// It is no number, negative, or not finite.
pub fn fraction(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(value) if value >= 0.0 && value.is_finite() => Ok(value),
        _ => Err("choose a number from 0, such as 0.01 for 1 %".to_owned()),
    }
}

/// A number above 0.
///
/// # Errors
/// It is no number, not above 0, or not finite.
pub fn positive(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(value) if value > 0.0 && value.is_finite() => Ok(value),
        _ => Err("choose a number above 0, such as 0.05".to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_that_mean_nothing_are_refused() {
        for text in ["-0.02", "nan", "inf", "1 %", ""] {
            assert!(fraction(text).is_err() && positive(text).is_err(), "{text}");
        }
        assert_eq!((fraction("0"), positive("2e-2")), (Ok(0.0), Ok(0.02)));
        assert!(positive("0").is_err());
    }
}
