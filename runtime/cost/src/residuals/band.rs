//! Bands of frequencies in which lines of a spectrum stand out.

use serde::Serialize;

/// Neighbouring lines of a spectrum that stand out.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Band {
    /// Lower end in Hz, half a line below the first line.
    pub from: f64,
    /// Upper end in Hz, half a line above the last line.
    pub to: f64,
    /// Probability of its most significant line, times the number of lines that were tested.
    pub p_value: f64,
    /// Which share of the residuals' mean square stands out there.
    pub share: f64,
}

/// The bands of lines whose probabilities, times the number of lines, are below `level`.
///
/// Lines with one other line in between are joined, as the Hann window resolves no more. `shares` are the lines' shares
/// of the mean square.
pub(crate) fn bands(frequencies: &[f64], p_values: &[f64], shares: &[f64], level: f64) -> Vec<Band> {
    let half = 0.5 * frequencies.get(1).copied().unwrap_or(0.0);
    let last = frequencies.last().copied().unwrap_or(0.0);
    let mut bands: Vec<(usize, usize)> = Vec::new();
    for line in (0..p_values.len()).filter(|&line| p_values[line] < level) {
        match bands.last_mut() {
            Some((_, to)) if line - *to <= 2 => *to = line,
            _ => bands.push((line, line)),
        }
    }
    let band = |(from, to): (usize, usize)| Band {
        from: (frequencies[from] - half).max(0.0),
        to: (frequencies[to] + half).min(last),
        p_value: p_values[from..=to].iter().copied().fold(1.0, f64::min),
        share: shares[from..=to].iter().sum(),
    };
    bands.into_iter().map(band).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn neighbouring_lines_are_joined() {
        let frequencies = [0.0, 2.0, 4.0, 6.0, 8.0, 10.0, 12.0];
        let p_values = [1e-4, 1.0, 1e-6, 1.0, 1.0, 1.0, 1e-5];
        let found = bands(&frequencies, &p_values, &[0.125; 7], 1e-3);
        let first = Band { from: 0.0, to: 5.0, p_value: 1e-6, share: 0.375 };
        assert_eq!(found, [first, Band { from: 11.0, to: 12.0, p_value: 1e-5, share: 0.125 }]);
        assert_eq!(bands(&[], &[], &[], 1e-3), []);
    }
}
