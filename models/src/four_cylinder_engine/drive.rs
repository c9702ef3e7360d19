//! The prescribed rotation that drives the engine.

use std::f64::consts::PI;

/// One revolution per minute in rad/s.
const RPM: f64 = 2.0 * PI / 60.0;

/// Prescribed rotation of the engine: a speed that rises linearly between two times and is constant before and after.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Drive {
    /// Speed in rpm until `begin`; the engine's `speed_0` has to be the same.
    pub from: f64,
    /// Speed in rpm from `end` on.
    pub to: f64,
    /// Time at which the speed begins to rise, in s.
    pub begin: f64,
    /// Time at which the speed stops rising, in s; later than `begin`.
    pub end: f64,
}

/// The run-up of the example, from 1500 to 6000 rpm.
pub const RUN_UP: Drive = Drive { from: 1500.0, to: 6000.0, begin: 0.2, end: 8.2 };

impl Drive {
    /// Makes a drive with constant speed in rpm.
    pub const fn constant(speed: f64) -> Self {
        Self { from: speed, to: speed, begin: 0.0, end: 1.0 }
    }

    /// Evaluates the angle in rad at time `t`, for the input `q_run`.
    pub fn angle(self, t: f64) -> f64 {
        let rising = self.rising(t);
        let behind = (self.to - self.from) * RPM * (t - self.end).max(0.0);
        self.from * RPM * t + self.rise() * rising * rising / 2.0 + behind
    }

    /// Evaluates the speed in rad/s at time `t`, for the input `v_run`.
    pub fn speed(self, t: f64) -> f64 {
        self.from * RPM + self.rise() * self.rising(t)
    }

    /// Returns the time in s for which the speed has been rising at time `t`.
    fn rising(self, t: f64) -> f64 {
        (t - self.begin).max(0.0).min(self.end - self.begin)
    }

    /// Returns the angular acceleration in rad/s^2 while the speed rises.
    fn rise(self) -> f64 {
        (self.to - self.from) * RPM / (self.end - self.begin)
    }
}
