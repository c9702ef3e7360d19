//! The rig's own stiffness.

use costate_numerics::fourier::Complex;

use crate::record::Record;
use crate::signal::SignalError;
use crate::signal::error::{limited, positive};
use crate::signal::uniform::complete;
use crate::signal::unit::factor;

/// Corrects a measured dynamic stiffness in N/m for the stiffness of the rig in series with it:
/// `K = K_app K_rig/(K_rig - K_app)`. Both may be complex.
///
/// Without it, a fit finds the stiffness of part and rig together: with a rig ten times as stiff as the part, 9 % too
/// little.
///
/// # Errors
/// [`SignalError::Rig`] for a rig that is not stiffer than what was measured, [`SignalError::Number`] for numbers that
/// are not finite.
pub fn rig_corrected(measured: Complex<f64>, rig: Complex<f64>) -> Result<Complex<f64>, SignalError> {
    /// Least of what the compliance of the rig must leave of the measured one.
    const MIN_REMAINDER: f64 = 1e-9;
    for (what, value) in [("the measured stiffness", measured), ("the stiffness of the rig", rig)] {
        limited(value.is_finite(), (what, value.norm()), "finite", "leave out the line")?;
    }
    let left = Complex::new(1.0, 0.0) - measured / rig;
    // parts that yield less than nothing
    let true_one = measured / left;
    if !(left.re > MIN_REMAINDER && true_one.is_finite()) {
        return Err(SignalError::Rig { measured: measured.norm(), rig: rig.norm() });
    }
    Ok(true_one)
}

/// Takes the deflection of the rig, the force over its stiffness in N/m, from a displacement that was measured across
/// part and rig. Samples need not be equidistant; where displacement or force is missing, the result is.
///
/// In a fit, the displacement is then that of the part alone. Force and displacement must have the same zero, and the
/// signs of a spring: a positive force belongs to a positive displacement.
///
/// # Errors
/// [`SignalError::Record`], [`SignalError::NoUnit`] where displacement or force has no unit, [`SignalError::Number`]
/// for a stiffness that is not positive.
pub fn without_rig(record: &Record, displacement: &str, force: &str, stiffness: f64) -> Result<Record, SignalError> {
    let stiffness = positive("the stiffness of the rig", stiffness, "give it in N/m")?;
    let (moved, pressed) = (record.channel(displacement)?, record.channel(force)?);
    let (metres, newtons) = (factor(record, moved, "m")?, factor(record, pressed, "N")?);
    for channel in [moved, pressed] {
        if channel.values().iter().all(|value| value.is_nan()) {
            complete(record, channel)?;
        }
    }
    let deflection = newtons / stiffness / metres;
    let values = moved.values().iter().zip(pressed.values()).map(|(moved, force)| moved - force * deflection).collect();
    Ok(record.clone().with_values_of(displacement, moved.unit(), values)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn springs_in_series_are_parted() -> Result<(), SignalError> {
        let (part, rig) = (Complex::new(2e5, 3e4), Complex::new(5e6, 1e4));
        let measured = part * rig / (part + rig);
        assert!((rig_corrected(measured, rig)? - part).norm() < 1e-9 * part.norm());
        assert!(matches!(rig_corrected(rig, rig), Err(SignalError::Rig { .. })));
        assert!(matches!(rig_corrected(rig * 2.0, rig), Err(SignalError::Rig { .. })));
        assert!(rig_corrected(Complex::new(f64::NAN, 0.0), rig).is_err());
        let record = Record::new(vec![0.0, 1.0])?.with_channel("x", Some("mm"), vec![1.2, 0.0])?.with_channel(
            "F",
            Some("kN"),
            vec![1.0, f64::NAN],
        )?;
        let made = without_rig(&record, "x", "F", 5e6)?;
        assert!((made.channel("x")?.values()[0] - 1.0).abs() < 1e-14 && made.channel("x")?.values()[1].is_nan());
        assert!(matches!(without_rig(&record, "x", "F", 0.0), Err(SignalError::Number { .. })));
        assert!(matches!(without_rig(&record, "F", "x", 1.0), Err(SignalError::Record(_))));
        let bare =
            Record::new(vec![0.0])?.with_channel("x", None, vec![0.0])?.with_channel("F", Some("N"), vec![0.0])?;
        assert!(matches!(without_rig(&bare, "x", "F", 1.0), Err(SignalError::NoUnit { .. })));
        Ok(())
    }
}
