//! Engine orders over speed.

use std::ops::RangeInclusive;

use super::Window;
use super::fourier::{FourierLine, room_of_lines};
use super::spectrum_error::SpectrumError;

/// A run-up whose speed changes linearly with time, which places the windows of engine orders (FD 5.2).
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct RunUp {
    speeds: (f64, f64),
    times: (f64, f64),
}

impl RunUp {
    /// A run-up from the speed n_0 at the time t_0 to n_1 at t_1: `speeds` = n_0..=n_1 in rev/s, `times` = t_0..=t_1 in
    /// s. Run-downs have n_1 < n_0.
    ///
    /// # Errors
    /// [`SpectrumError::RunUp`] unless both speeds are positive and different and t_0 < t_1.
    pub fn new(speeds: RangeInclusive<f64>, times: RangeInclusive<f64>) -> Result<Self, SpectrumError> {
        let ((start_speed, end_speed), (start, end)) = (speeds.into_inner(), times.into_inner());
        let valid = start_speed > 0.0
            && end_speed > 0.0
            && start_speed != end_speed
            && start < end
            && [start_speed, end_speed, start, end].iter().all(|number| number.is_finite());
        if !valid {
            return Err(SpectrumError::RunUp { start_speed, end_speed, start, end });
        }
        Ok(Self { speeds: (start_speed, end_speed), times: (start, end) })
    }

    /// The time in s at which the run-up has this speed n in rev/s,
    /// t_k = (n_0 t_1 - n_1 t_0 + n (t_0 - t_1))/(n_0 - n_1).
    ///
    /// # Errors
    /// [`SpectrumError::Speed`] outside the run-up.
    pub fn time(&self, speed: f64) -> Result<f64, SpectrumError> {
        let ((n0, n1), (t0, t1)) = (self.speeds, self.times);
        let (low, high) = (n0.min(n1), n0.max(n1));
        // Speeds are often given in rpm: what dividing by 60 rounds away is inside.
        if !(speed >= low * (1.0 - 1e-12) && speed <= high * (1.0 + 1e-12)) {
            return Err(SpectrumError::Speed { speed, low, high });
        }
        Ok((n0 * t1 - n1 * t0 + speed * (t0 - t1)) / (n0 - n1))
    }

    /// The angle in rad that a shaft of this speed has turned at `time` in s since t = 0, with constant speed before
    /// and after the run-up: where the cycles of [`OrderLine`](crate::OrderLine) are.
    pub fn angle(&self, time: f64) -> f64 {
        let ((n0, n1), (t0, t1)) = (self.speeds, self.times);
        let ramp = time.max(t0).min(t1) - t0;
        let before = time.min(t0);
        let after = (time - t1).max(0.0);
        let revolutions = n0 * (before + ramp) + 0.5 * (n1 - n0) / (t1 - t0) * ramp * ramp + n1 * after;
        std::f64::consts::TAU * revolutions
    }

    /// The line of an engine order at a speed n in rev/s: the frequency order times n over [t_k - 2/n, t_k + 2/n].
    ///
    /// # Errors
    /// [`SpectrumError::Speed`] outside the run-up, [`SpectrumError::NotPositive`] for the order.
    pub fn line(&self, order: f64, speed: f64, window: Window) -> Result<FourierLine, SpectrumError> {
        /// Revolutions on each side of the time of a speed: one working cycle of a four-stroke engine.
        const WINDOW_REVOLUTIONS: f64 = 2.0;
        if !(order > 0.0 && order.is_finite()) {
            return Err(SpectrumError::NotPositive { what: "order", value: order });
        }
        let (time, half) = (self.time(speed)?, WINDOW_REVOLUTIONS / speed);
        Ok(FourierLine::new(order * speed, time - half, time + half, window))
    }

    /// The lines of an engine order at several speeds in rev/s.
    ///
    /// # Errors
    /// As [`line`](Self::line); [`SpectrumError::OutOfMemory`] for more lines than the machine can hold.
    pub fn lines(
        &self,
        order: f64,
        speeds: impl IntoIterator<Item = f64>,
        window: Window,
    ) -> Result<Vec<FourierLine>, SpectrumError> {
        let speeds = speeds.into_iter();
        let (count, _) = speeds.size_hint();
        let mut lines = room_of_lines(count).take(count)?;
        for speed in speeds {
            lines.push(self.line(order, speed, window)?);
        }
        Ok(lines)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn windows_are_around_the_time_of_the_speed() {
        let run_up = RunUp::new(25.0..=100.0, 0.2..=8.2).unwrap();
        assert!((run_up.time(25.0).unwrap() - 0.2).abs() < 1e-14);
        assert!((run_up.time(6000.0 / 60.0).unwrap() - 8.2).abs() < 1e-14);
        let line = run_up.line(6.0, 50.0, Window::Hann).unwrap();
        assert_eq!(line.frequency, 300.0);
        assert!((0.5 * (line.from + line.to) - (0.2 + 8.0 / 3.0)).abs() < 1e-14);
        assert!((line.to - line.from - 4.0 / 50.0).abs() < 1e-14);
        let down = RunUp::new(100.0..=25.0, 0.0..=3.0).unwrap();
        assert!((down.time(50.0).unwrap() - 2.0).abs() < 1e-14);
    }

    #[test]
    fn the_angle_is_the_integral_of_the_speed() {
        let run_up = RunUp::new(25.0..=100.0, 0.2..=8.2).unwrap();
        let revolutions = |time: f64| run_up.angle(time) / std::f64::consts::TAU;
        assert!((revolutions(0.1) - 2.5).abs() < 1e-12);
        assert!((revolutions(8.2) - (5.0 + 62.5 * 8.0)).abs() < 1e-9);
        assert!((revolutions(8.3) - revolutions(8.2) - 10.0).abs() < 1e-9);
    }

    #[test]
    fn speeds_outside_are_refused() {
        let run_up = RunUp::new(25.0..=100.0, 0.2..=8.2).unwrap();
        for speed in [24.9, 100.1, f64::NAN] {
            assert!(matches!(run_up.line(6.0, speed, Window::Hann), Err(SpectrumError::Speed { .. })));
        }
        assert!(matches!(run_up.line(0.0, 50.0, Window::Hann), Err(SpectrumError::NotPositive { .. })));
        for (speeds, times) in [(25.0..=25.0, 0.0..=1.0), (0.0..=5.0, 0.0..=1.0), (1.0..=5.0, 1.0..=1.0)] {
            assert!(matches!(RunUp::new(speeds, times), Err(SpectrumError::RunUp { .. })));
        }
    }
}
