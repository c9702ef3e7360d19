//! Numbers as text.

/// The fewest digits that give the same bits.
pub(crate) fn format_exactly(value: f64) -> String {
    let magnitude = value.abs();
    if value == 0.0 || (1e-3..1e7).contains(&magnitude) { format!("{value}") } else { format!("{value:e}") }
}

/// `digits` significant digits, as a decimal number if that is short.
pub fn significant(value: f64, digits: usize) -> String {
    let rounded = format!("{value:.*e}", digits.saturating_sub(1));
    let exponent = rounded.split_once('e').and_then(|(_, exponent)| exponent.parse::<i32>().ok());
    match exponent {
        // No more than two digits that do not count.
        Some(exponent) if (-4..7.min(digits as i32 + 2)).contains(&exponent) => {
            let decimals = (digits as i32 - 1 - exponent).max(0) as usize;
            format!("{value:.decimals$}")
        }
        Some(_) => rounded,
        None => format!("{value}"),
    }
}

/// Rounds a value to two digits after the first one of its deviation, at least to two digits.
pub(crate) fn rounded(value: f64, deviation: f64) -> f64 {
    let exponent = |number: f64| number.abs().log10().floor();
    let digits = exponent(value) - exponent(deviation) + 2.0;
    if !(deviation > 0.0 && deviation.is_finite() && digits.is_finite()) || digits > 15.0 {
        return value;
    }
    format!("{value:.*e}", digits.max(1.0) as usize).parse().unwrap_or(value)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digits_far_below_the_deviation_are_left_out() {
        assert_eq!(rounded(5.604_349_797_391_751, 0.0044), 5.604_35);
        assert_eq!(rounded(-0.012_345_678, 0.5), -0.012);
        assert_eq!(rounded(123_456.789, 950.0), 123_457.0);
        assert_eq!((rounded(0.0, 0.1), rounded(1.234_567_89, f64::INFINITY)), (0.0, 1.234_567_89));
        assert_eq!((rounded(1.25, 0.0), rounded(1.25, 1e-17)), (1.25, 1.25));
    }

    #[test]
    fn numbers_are_short() {
        assert_eq!(significant(123_000.004, 9), "123000.004");
        assert_eq!(significant(2.5e9, 3), "2.50e9");
        assert_eq!(significant(0.001_234, 2), "0.0012");
        assert_eq!(significant(1.2e-18, 2), "1.2e-18");
        assert_eq!(significant(1_240_577.0, 2), "1.2e6");
        assert_eq!(significant(1241.0, 2), "1241");
        assert_eq!(significant(0.0, 2), "0.0");
        assert_eq!(significant(f64::INFINITY, 2), "inf");
        assert_eq!(format_exactly(73.8e3), "73800");
        assert_eq!(format_exactly(4e9), "4e9");
    }
}
