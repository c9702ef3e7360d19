//! A plot of a channel in a few lines of text.

/// Draws the range of values in each column of dots, from the largest value at the top to the least one; nothing where
/// values are missing. Values stand at equal distances.
pub fn plot(values: &[f64]) -> Vec<String> {
    let known = values.iter().copied().filter(|value| value.is_finite());
    let (least, largest) = known
        .fold((f64::INFINITY, f64::NEG_INFINITY), |(least, largest), value| (least.min(value), largest.max(value)));
    if least > largest {
        return Vec::new();
    }
    // a character has two columns of four dots
    let (width, height) = (64, 3);
    let (columns, rows) = (2 * width, 4 * height);
    let row = |value: f64| match largest > least {
        // halves, since the range of doubles may be larger than a double
        true => ((value / 2.0 - least / 2.0) / (largest / 2.0 - least / 2.0) * (rows - 1) as f64).round() as usize,
        false => rows / 2,
    };
    let mut cells = vec![vec![0_u8; width]; height];
    for column in 0..columns {
        let (begin, end) = (column * values.len() / columns, ((column + 1) * values.len()).div_ceil(columns));
        let part = values.get(begin..end.max(begin + 1).min(values.len())).unwrap_or_default();
        let part = part.iter().copied().filter(|value| value.is_finite());
        let (low, high) =
            part.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), value| (low.min(value), high.max(value)));
        if low > high {
            continue;
        }
        for dot in row(low)..=row(high).min(rows - 1) {
            let from_top = rows - 1 - dot;
            if let Some(cell) = cells.get_mut(from_top / 4).and_then(|line| line.get_mut(column / 2)) {
                *cell |= dots(column % 2, from_top % 4);
            }
        }
    }
    cells
        .into_iter()
        .map(|line| line.into_iter().map(braille).collect::<String>().trim_end_matches(BLANK).to_owned())
        .collect()
}

const BLANK: char = '\u{2800}';

fn braille(dots: u8) -> char {
    char::from_u32(u32::from(BLANK) + u32::from(dots)).unwrap_or(BLANK)
}

/// The dot of a character of Braille in this column and row.
fn dots(column: usize, row: usize) -> u8 {
    match (column, row) {
        (0, 3) => 1 << 6,
        (_, 3) => 1 << 7,
        (0, row) => 1 << row,
        (_, row) => 1 << (row + 3),
    }
}

#[cfg(test)]
mod tests {
    use super::plot;

    #[test]
    fn a_line_rises_from_the_bottom_to_the_top() {
        let rising: Vec<f64> = (0..1000).map(f64::from).collect();
        let lines = plot(&rising);
        assert_eq!(lines.len(), 3);
        assert!(lines[2].starts_with('\u{2840}') || lines[2].starts_with('\u{28c0}'), "{lines:?}");
        assert!(lines[0].ends_with(['\u{2809}', '\u{2808}', '\u{280b}', '\u{2819}', '\u{281b}']), "{lines:?}");
        assert!(plot(&[f64::NAN, f64::NAN]).is_empty() && plot(&[]).is_empty());
        assert_eq!(plot(&[2.0; 5]).len(), 3);
        assert_eq!(plot(&[f64::MAX, -f64::MAX]).len(), 3);
    }
}
