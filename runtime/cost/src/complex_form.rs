//! Forms in which complex numbers are compared: parts, magnitude, decibels and phase, with exact derivatives.

use std::f64::consts::LN_10;

use costate_numerics::scalar::Scalar;
use costate_system::prediction::Part;

/// The numbers by which a complex number H is compared with a measured one.
///
/// Errors of real and imaginary part are as a rule alike, normal and independent; those of magnitude, decibels and
/// phase are so only where they are much smaller than the magnitude.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum ComplexForm {
    /// Re H and Im H.
    RealAndImaginary,
    /// |H|, and the angle of H in rad.
    MagnitudeAndPhase,
    /// 20 log10 |H|, relative to 1 in the unit of H, and the angle of H in rad.
    DecibelsAndPhase,
    /// |H| alone.
    Magnitude,
    /// 20 log10 |H| alone, relative to 1 in the unit of H.
    Decibels,
}

/// One of the numbers of a form.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum FormNumber {
    Real,
    Imaginary,
    Magnitude,
    Decibels,
    Phase,
}

impl ComplexForm {
    pub(crate) fn numbers(self) -> &'static [FormNumber] {
        match self {
            Self::RealAndImaginary => &[FormNumber::Real, FormNumber::Imaginary],
            Self::MagnitudeAndPhase => &[FormNumber::Magnitude, FormNumber::Phase],
            Self::DecibelsAndPhase => &[FormNumber::Decibels, FormNumber::Phase],
            Self::Magnitude => &[FormNumber::Magnitude],
            Self::Decibels => &[FormNumber::Decibels],
        }
    }

    /// Returns true if the form needs the angles of the complex numbers.
    pub fn needs_phase(self) -> bool {
        !matches!(self, Self::Magnitude | Self::Decibels)
    }

    /// Evaluates the numbers of the form for real and imaginary part, one or two. `None` where they, or their
    /// derivatives, do not exist: for 0 in all forms but that of the parts.
    pub fn values<S: Scalar>(self, [real, imaginary]: [S; 2]) -> Option<Vec<S>> {
        let magnitude = real.real().hypot(imaginary.real());
        if self != Self::RealAndImaginary && magnitude == 0.0 {
            return None;
        }
        // scaled, so that squares neither overflow nor vanish
        let size = || {
            let (a, b) = (real / magnitude, imaginary / magnitude);
            (a * a + b * b).sqrt()
        };
        let number = |number: &FormNumber| match number {
            FormNumber::Real => real,
            FormNumber::Imaginary => imaginary,
            FormNumber::Magnitude => size() * magnitude,
            FormNumber::Decibels => size().ln() * (20.0 / LN_10) + S::constant(20.0 * magnitude.log10()),
            FormNumber::Phase => imaginary.atan2(real),
        };
        Some(self.numbers().iter().map(number).collect())
    }

    /// Evaluates the derivatives of the numbers of the form by real and imaginary part. `None` for 0, as for
    /// [`values`](Self::values).
    pub fn derivatives(self, [real, imaginary]: [f64; 2]) -> Option<Vec<[f64; 2]>> {
        let magnitude = real.hypot(imaginary);
        if self != Self::RealAndImaginary && magnitude == 0.0 {
            return None;
        }
        let (cosine, sine) = (real / magnitude, imaginary / magnitude);
        let number = |number: &FormNumber| match number {
            FormNumber::Real => [1.0, 0.0],
            FormNumber::Imaginary => [0.0, 1.0],
            FormNumber::Magnitude => [cosine, sine],
            FormNumber::Decibels => {
                let factor = 20.0 / LN_10 / magnitude;
                [factor * cosine, factor * sine]
            }
            FormNumber::Phase => [-sine / magnitude, cosine / magnitude],
        };
        Some(self.numbers().iter().map(number).collect())
    }

    /// Returns the standard deviations of the numbers of the form, to first order, where real and imaginary part have
    /// independent errors of these standard deviations. `None` for 0, as for [`values`](Self::values).
    pub fn deviations(self, value: [f64; 2], [of_real, of_imaginary]: [f64; 2]) -> Option<Vec<f64>> {
        let derivatives = self.derivatives(value)?.into_iter();
        Some(
            derivatives.map(|[by_real, by_imaginary]| (by_real * of_real).hypot(by_imaginary * of_imaginary)).collect(),
        )
    }
}

impl FormNumber {
    /// Returns the name in groups of predictions.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Real => "real part",
            Self::Imaginary => "imaginary part",
            Self::Magnitude => "magnitude",
            Self::Decibels => "level",
            Self::Phase => "phase",
        }
    }

    /// Returns the unit, where that of the complex numbers is `unit`.
    pub(crate) fn unit(self, unit: &str) -> &str {
        match self {
            Self::Decibels => "dB",
            Self::Phase => "rad",
            _ => unit,
        }
    }

    pub(crate) fn part(self) -> Part {
        match self {
            Self::Real => Part::Real,
            Self::Imaginary => Part::Imaginary,
            Self::Phase => Part::Angle,
            _ => Part::Number,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use costate_numerics::scalar::Dual;

    const FORMS: [ComplexForm; 5] = [
        ComplexForm::RealAndImaginary,
        ComplexForm::MagnitudeAndPhase,
        ComplexForm::DecibelsAndPhase,
        ComplexForm::Magnitude,
        ComplexForm::Decibels,
    ];

    #[test]
    fn derivatives_are_those_of_dual_numbers() {
        let values = [[3.0, -4.0], [-1e-3, 2e-5], [-7e150, -1e149], [0.0, 2.0], [-5.0, 0.0], [1e-170, 3e-170]];
        for form in FORMS {
            for [real, imaginary] in values {
                let exact = form.derivatives([real, imaginary]).unwrap();
                let by_real = form.values([Dual::variable(real), Dual::constant(imaginary)]).unwrap();
                let by_imaginary = form.values([Dual::constant(real), Dual::variable(imaginary)]).unwrap();
                for (exact, duals) in exact.iter().zip(by_real.iter().zip(&by_imaginary)) {
                    let size = exact[0].hypot(exact[1]);
                    let duals = [duals.0.derivative, duals.1.derivative];
                    for (exact, dual) in exact.iter().zip(duals) {
                        assert!((exact - dual).abs() <= 1e-12 * size, "{form:?} {real} {imaginary}: {exact} {dual}");
                    }
                }
            }
        }
    }

    #[test]
    fn values_of_a_known_number() {
        let near = |found: &[f64], wanted: &[f64]| {
            found.len() == wanted.len() && found.iter().zip(wanted).all(|(a, b)| (a - b).abs() < 1e-12)
        };
        let of = |form: ComplexForm| form.values([-6.0, 8.0]).unwrap();
        let angle = 8f64.atan2(-6.0);
        assert!(near(&of(ComplexForm::RealAndImaginary), &[-6.0, 8.0]));
        assert!(near(&of(ComplexForm::MagnitudeAndPhase), &[10.0, angle]));
        assert!(near(&of(ComplexForm::DecibelsAndPhase), &[20.0, angle]));
        assert!(near(&of(ComplexForm::Decibels), &[20.0]));
        // equal errors of both parts are those of the magnitude, and over it those of the angle
        let deviations = ComplexForm::MagnitudeAndPhase.deviations([-6.0, 8.0], [0.1, 0.1]).unwrap();
        assert!(near(&deviations, &[0.1, 0.01]));
    }

    #[test]
    fn zero_has_neither_level_nor_phase() {
        for form in FORMS {
            let exists = form == ComplexForm::RealAndImaginary;
            assert_eq!(form.values([0.0, 0.0]).is_some(), exists, "{form:?}");
            assert_eq!(form.derivatives([0.0, 0.0]).is_some(), exists, "{form:?}");
        }
    }
}
