//! Numbers with few digits, in sentences.

/// A number with three digits, or all before the point.
pub(crate) fn three_digits(value: f64) -> String {
    in_digits(value, 3)
}

/// A number with four digits, or all before the point.
pub(crate) fn four_digits(value: f64) -> String {
    in_digits(value, 4)
}

fn in_digits(value: f64, count: i32) -> String {
    if value == 0.0 {
        return "0".to_owned();
    }
    if !(1e-3..1e6).contains(&value.abs()) {
        let digits = usize::try_from(count - 1).unwrap_or(0);
        return format!("{value:.digits$e}");
    }
    let digits = (f64::from(count - 1) - value.abs().log10().floor()).clamp(0.0, 6.0) as usize;
    let text = format!("{value:.digits$}");
    if digits == 0 { text } else { text.trim_end_matches('0').trim_end_matches('.').to_owned() }
}
