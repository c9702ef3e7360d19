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

#[cfg(test)]
mod tests {
    use super::*;

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
