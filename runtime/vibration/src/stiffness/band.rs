//! One-third octave bands.

use serde::{Deserialize, Serialize};

use crate::stiffness::curve::{StiffnessCurve, StiffnessLine};

/// Nominal midband frequencies of one decade (IEC 61260-1), of midband frequencies 10^(0), 10^(0.1) and so on.
const NOMINAL: [f64; 10] = [1.0, 1.25, 1.6, 2.0, 2.5, 3.15, 4.0, 5.0, 6.3, 8.0];

/// The stiffness in a one-third octave band: the root of the mean of |k|^2 over the lines in it.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Band {
    /// Number n of the band, whose midband frequency is 10^(n/10) Hz.
    pub number: i32,
    /// Nominal midband frequency in Hz, such as 3.15.
    pub nominal: f64,
    /// Lower edge in Hz, which belongs to the band.
    pub lower: f64,
    /// Upper edge in Hz, which belongs to the next band.
    pub upper: f64,
    /// Number of lines in the band, at least one.
    pub lines: usize,
    /// True if the lines of the curve reach both edges: the band is not cut off by the range of the measurement.
    pub is_complete: bool,
    /// Level in dB of the root of the mean of |k|^2, relative to 1 in the unit of the curve.
    pub level: f64,
}

/// The nominal midband frequency in Hz.
pub(crate) fn nominal(number: i32) -> f64 {
    let own = usize::try_from(number.rem_euclid(10)).ok().and_then(|k| NOMINAL.get(k));
    own.copied().unwrap_or(1.0) * 10f64.powi(number.div_euclid(10))
}

/// The edge below the band of this number in Hz.
fn edge(number: i32) -> f64 {
    10f64.powf((f64::from(number) - 0.5) / 10.0)
}

/// The number of the band of a frequency.
fn number(frequency: f64) -> i32 {
    let near = (10.0 * frequency.log10()).round() as i32;
    // rounding at the edges
    (near - 1..=near + 1).rev().find(|&number| edge(number) <= frequency).unwrap_or(near)
}

impl StiffnessCurve {
    /// Returns the one-third octave bands that have at least one line, in increasing order. All lines of a band weigh
    /// the same.
    pub fn bands(&self) -> Vec<Band> {
        let (first, last) = self.range();
        let same = |a: &StiffnessLine, b: &StiffnessLine| number(a.frequency) == number(b.frequency);
        let band = |own: &[StiffnessLine]| {
            let number = number(own.first()?.frequency);
            let squares = own.iter().map(|line| line.magnitude().powi(2)).sum::<f64>();
            let (lower, upper) = (edge(number), edge(number + 1));
            // half a distance of lines is nothing that is cut off
            let room = 0.5 * (upper - lower) / own.len() as f64;
            Some(Band {
                number,
                nominal: nominal(number),
                lower,
                upper,
                lines: own.len(),
                is_complete: first <= lower + room && last >= upper - room,
                level: 10.0 * (squares / own.len() as f64).log10(),
            })
        };
        self.lines.chunk_by(same).filter_map(band).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bands_have_the_frequencies_of_the_standard() {
        let nominals: Vec<f64> = (-1..=11).map(nominal).collect();
        let expected = [0.8, 1.0, 1.25, 1.6, 2.0, 2.5, 3.15, 4.0, 5.0, 6.3, 8.0, 10.0, 12.5];
        assert!(nominals.iter().zip(expected).all(|(own, wanted)| (own / wanted - 1.0).abs() < 1e-12));
        assert!((edge(20) - 89.125).abs() < 1e-3 && (edge(21) - 112.202).abs() < 1e-3);
        for number_of_band in -20..60 {
            let midband = 10f64.powf(f64::from(number_of_band) / 10.0);
            assert_eq!(number(midband), number_of_band);
            assert_eq!(number(edge(number_of_band)), number_of_band);
            assert_eq!(number(edge(number_of_band).next_down()), number_of_band - 1);
        }
    }

    #[test]
    fn a_band_has_the_mean_of_squares() {
        let frequencies = [9.0, 10.0, 11.0, 11.3];
        let curve = StiffnessCurve::new(&frequencies, &[3.0, 0.0, 5.0, 7.0], &[4.0, 1.0, 12.0, 0.0], "N/m").unwrap();
        let bands = curve.bands();
        assert_eq!(bands.iter().map(|band| (band.number, band.lines)).collect::<Vec<_>>(), [(10, 3), (11, 1)]);
        assert!((bands[0].level - 10.0 * ((25.0 + 1.0 + 169.0) / 3.0f64).log10()).abs() < 1e-12);
        assert!(bands[0].is_complete && !bands[1].is_complete);
    }
}
