//! Sections of Butterworth filters, by the bilinear transform.

use std::f64::consts::PI;

use costate_numerics::fourier::Complex;

use super::section::Section;
use super::{Band, MAX_ORDER};
use crate::signal::SignalError;
use crate::signal::error::{limited, positive};

/// Returns the sections of the filter for samples `interval` s apart, each of which has gain 1 in the middle of the
/// band.
pub(super) fn sections(band: Band, order: usize, interval: f64) -> Result<Vec<Section>, SignalError> {
    /// Least distance of a corner from 0 and from half the rate, relative to the rate: closer, sections lose more than
    /// half of their digits.
    const MIN_DISTANCE: f64 = 1e-6;
    let interval = positive("the interval", interval, "give the distance of samples in s")?;
    limited(
        (1..=MAX_ORDER).contains(&order),
        ("the order of a filter", order as f64),
        format!("from 1 to {MAX_ORDER}"),
        "use two filters one after the other for steeper flanks",
    )?;
    let rate = 1.0 / interval;
    let corner = |frequency: f64| {
        let limits = [MIN_DISTANCE * rate, (0.5 - MIN_DISTANCE) * rate];
        limited(
            (limits[0]..=limits[1]).contains(&frequency),
            ("the frequency in Hz of a filter", frequency),
            format!("from {:.4e} to {:.4e} Hz, half the rate of the samples", limits[0], limits[1]),
            "choose one inside, or bring the record to another rate with `at_rate` first",
        )?;
        // in units of twice the rate, moved so that the transform leaves it in its place
        Ok::<_, SignalError>((PI * frequency * interval).tan())
    };
    match band {
        Band::Low(cutoff) => Ok(low_or_high(corner(cutoff)?, order, false)),
        Band::High(cutoff) => Ok(low_or_high(corner(cutoff)?, order, true)),
        Band::Pass(low, high) if low < high => Ok(band_pass(corner(low)?, corner(high)?, order)),
        Band::Pass(low, high) => {
            let limits = format!("above the lower one of {low}");
            Err(SignalError::number(
                "the upper frequency in Hz of a band",
                high,
                limits,
                "give the lower frequency first",
            ))
        }
    }
}

/// Returns the poles of the prototype with a corner of 1 that have no negative imaginary part.
fn prototype(order: usize) -> impl Iterator<Item = Complex<f64>> {
    let pole = move |k: usize| {
        let turn = PI * (2 * k + 1) as f64 / (2 * order) as f64;
        match 2 * k + 1 == order {
            true => Complex::new(-1.0, 0.0),
            false => Complex::new(-turn.sin(), turn.cos()),
        }
    };
    (0..order.div_ceil(2)).map(pole)
}

/// Moves a pole s to z = (1 + s)/(1 - s).
fn bilinear(pole: Complex<f64>) -> Complex<f64> {
    (Complex::new(1.0, 0.0) + pole) / (Complex::new(1.0, 0.0) - pole)
}

/// Makes a section of a pair of poles, with these zeros, and gain 1 at `z^-1 = delay`.
fn section(b: [f64; 3], [first, second]: [Complex<f64>; 2], delay: Complex<f64>) -> Section {
    let plain = Section { b, a: [-(first + second).re, (first * second).re] };
    let gain = plain.at(delay).norm();
    Section { b: b.map(|b| b / gain), ..plain }
}

fn low_or_high(corner: f64, order: usize, is_high: bool) -> Vec<Section> {
    // zeros at half the rate, or at 0; the gain is 1 at the other end
    let zero = if is_high { 1.0 } else { -1.0 };
    let of_pole = |pole: Complex<f64>| {
        let analog = if is_high { pole.inv() * corner } else { pole * corner };
        let (pole, delay) = (bilinear(analog), Complex::new(-zero, 0.0));
        match analog.im == 0.0 {
            true => section([1.0, -zero, 0.0], [pole, Complex::default()], delay),
            false => section([1.0, -2.0 * zero, 1.0], [pole, pole.conj()], delay),
        }
    };
    prototype(order).map(of_pole).collect()
}

fn band_pass(low: f64, high: f64, order: usize) -> Vec<Section> {
    let (width, middle) = (high - low, (low * high).sqrt());
    let delay = Complex::from_polar(1.0, -2.0 * middle.atan());
    let mut sections = Vec::with_capacity(order);
    for pole in prototype(order) {
        // roots of s^2 - pole width s + middle^2; the larger one first, so that nothing cancels
        let half = pole * (0.5 * width);
        let root = (half * half - middle * middle).sqrt();
        let one = if (half + root).norm() >= (half - root).norm() { half + root } else { half - root };
        let other = one.inv() * (middle * middle);
        let zeros = [1.0, 0.0, -1.0];
        if pole.im == 0.0 {
            sections.push(section(zeros, [bilinear(one), bilinear(other)], delay));
        } else {
            for analog in [one, other] {
                sections.push(section(zeros, [bilinear(analog), bilinear(analog).conj()], delay));
            }
        }
    }
    // the whole filter, not each section, has gain 1 in the middle of the band
    sections
}
