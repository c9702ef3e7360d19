//! Numbers that were published with the record, of `data/bicycles/Browser` in `bicycleparameters` 1.5.2, with their
//! standard deviations.

/// Period of the fork as a compound pendulum in s: the mean of other trials.
pub const PERIOD: f64 = 1.601_851_05;

/// Moment of inertia about the centre of mass in kg m^2.
pub const CENTRAL_INERTIA: (f64, f64) = (0.245_828, 0.002_992);

/// Mass in kg.
pub const MASS: (f64, f64) = (3.22, 0.02);

/// Gravity in m/s^2.
pub const GRAVITY: (f64, f64) = (9.81, 0.01);

/// Centre of mass of the fork, `xH` and `zH`, in m.
const CENTRE: [(f64, f64); 2] = [(0.866_949_64, 0.003_842), (-0.748_236_40, 0.002_635)];

/// The axis: the axle of the front wheel at the wheelbase, above the ground by the wheel's radius, in m.
const AXLE: [f64; 2] = [1.121, -0.343_529_82];

/// Distance of the centre of mass from the axis in m, with its deviation.
pub fn length() -> (f64, f64) {
    let [x, z] = [CENTRE[0].0 - AXLE[0], CENTRE[1].0 - AXLE[1]];
    let length = x.hypot(z);
    (length, (x * CENTRE[0].1).hypot(z * CENTRE[1].1) / length)
}

/// Moment of inertia about the axis in kg m^2.
pub fn inertia() -> f64 {
    CENTRAL_INERTIA.0 + MASS.0 * length().0 * length().0
}
