//! Window functions and their amplitude corrections.

use std::f64::consts::TAU;

use serde::{Deserialize, Serialize};

use costate_numerics::scalar::Scalar;

/// A window function eta over an interval, a sum of cosines in x from 0 at its start to 1 at its end:
/// eta(x) = sum_m (-1)^m a_m cos(2 pi m x).
///
/// Its mean over the interval is a_0, the coherent gain: a windowed oscillation has a_0 times its amplitude, which the
/// [`amplitude_correction`](Self::amplitude_correction) 1/a_0 undoes. Over equidistant samples the trapezoidal sum of
/// the window is a_0 exactly, so that the correction is exact for the computed sums as well.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[non_exhaustive]
pub enum Window {
    /// 1 everywhere: right where the interval holds whole periods.
    #[default]
    Rectangular,
    /// (1 - cos(2 pi x))/2, which vanishes at both ends and peaks in the middle; amplitude correction g_c = 2
    /// (FD 26 with the argument of its appendix B, Harris 1978).
    Hann,
    /// Five terms, flat around the line: amplitudes between two lines are right to 0.1 % (D'Antona, Ferrero, Digital
    /// Signal Processing for Measurement Systems, 2006, p. 72).
    FlatTop,
    /// Four terms, side lobes below -92 dB (Harris, On the use of windows for harmonic analysis with the discrete
    /// Fourier transform, Proceedings of the IEEE 66, 1978).
    BlackmanHarris,
}

impl Window {
    /// a_m
    const fn terms(self) -> &'static [f64] {
        match self {
            Self::Rectangular => &[1.0],
            Self::Hann => &[0.5, 0.5],
            Self::FlatTop => &[0.215_578_95, 0.416_631_58, 0.277_263_158, 0.083_578_947, 0.006_947_368],
            Self::BlackmanHarris => &[0.358_75, 0.488_29, 0.141_28, 0.011_68],
        }
    }

    /// eta at x in [0, 1], the position between start and end of the interval.
    pub fn at<S: Scalar>(self, x: S) -> S {
        let (mut sum, mut sign) = (S::default(), 1.0);
        for (m, &term) in self.terms().iter().enumerate() {
            let cosine = if m == 0 { S::constant(1.0) } else { (x * (TAU * m as f64)).cos() };
            sum += cosine * (sign * term);
            sign = -sign;
        }
        sum
    }

    /// a_0, the mean of the window.
    pub fn coherent_gain(self) -> f64 {
        self.terms()[0]
    }

    /// 1/a_0, by which windowed amplitudes are multiplied.
    pub fn amplitude_correction(self) -> f64 {
        1.0 / self.coherent_gain()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ALL: [Window; 4] = [Window::Rectangular, Window::Hann, Window::FlatTop, Window::BlackmanHarris];

    #[test]
    fn hann_vanishes_at_both_ends_and_peaks_in_the_middle() {
        assert_eq!([0.0, 0.5, 1.0].map(|x: f64| Window::Hann.at(x)), [0.0, 1.0, 0.0]);
        assert!((0..=100).all(|i| Window::Hann.at(f64::from(i) / 100.0) <= 1.0));
    }

    #[test]
    fn windows_are_symmetric_and_one_in_the_middle() {
        for window in ALL {
            assert!((window.at(0.5_f64) - 1.0).abs() < 1e-8, "{window:?}");
            for x in [0.0, 0.1, 0.37] {
                assert!((window.at(x) - window.at(1.0_f64 - x)).abs() < 1e-14, "{window:?}");
            }
        }
        assert!((Window::BlackmanHarris.at(0.0_f64) - 6e-5).abs() < 1e-15);
        assert!((Window::FlatTop.at(0.0_f64) + 4.21051e-4).abs() < 1e-12);
    }

    #[test]
    fn trapezoidal_sums_have_the_coherent_gain() {
        for window in ALL {
            let mean = (0..16).map(|i| window.at(f64::from(i) / 16.0)).sum::<f64>() / 16.0;
            assert!((mean * window.amplitude_correction() - 1.0).abs() < 1e-14, "{window:?}: {mean}");
        }
        assert_eq!(Window::Hann.amplitude_correction(), 2.0);
    }
}
