//! The virtual test rig: its mount, its amplitudes and frequencies, and the stiffness that it measures.

use anyhow::Result;
use costate::harmonic::HarmonicBalance;
use costate::identify::ComplexCurve;
use costate::vibration::Complex;
use costate::{Parameter, Simulation};
use costate_models::PreloadedMount;
use rand::SeedableRng;
use rand::rngs::SmallRng;
use rand_distr::{Distribution, Normal};

/// Amplitudes of the controlled displacement in m.
pub const AMPLITUDES: [f64; 5] = [0.05e-3, 0.2e-3, 0.5e-3, 1e-3, 2e-3];

/// Constant force of the rig besides the weight of its plate, in N.
pub const PRELOAD: f64 = 400.0;

/// The parameters that the curves have to determine: those of the elastomer, the elasticity of the fluid's chamber, and
/// the fluid in the channel.
pub const UNKNOWN: [Parameter<PreloadedMount>; 7] = [
    PreloadedMount::C_E1,
    PreloadedMount::C_E2,
    PreloadedMount::D_E,
    PreloadedMount::C_H,
    PreloadedMount::M_H,
    PreloadedMount::D_H1,
    PreloadedMount::D_H2,
];

/// The true mount. Mass and losses of the channel are as seen from the piston: multiplied by the square of the ratio of
/// their areas, the losses by its second and fourth power.
pub fn truth() -> PreloadedMount {
    PreloadedMount {
        c_e1: 123e3,
        c_e2: 1.5e9,
        d_e: 80.0,
        c_h: 220e3,
        m_h: 50.0,
        d_h1: 2200.0,
        d_h2: 400e3,
        preload: PRELOAD,
        ..PreloadedMount::default()
    }
}

/// The mount with the wrong values from which the identification starts.
pub fn start() -> PreloadedMount {
    PreloadedMount { c_e1: 90e3, c_e2: 4e9, d_e: 200.0, c_h: 320e3, m_h: 90.0, d_h1: 1000.0, d_h2: 1500e3, ..truth() }
}

/// Returns the frequencies of the lines in Hz: 1 to 50 Hz.
pub fn frequencies() -> Vec<f64> {
    (1..=50_u32).map(f64::from).collect()
}

/// Creates the simulation that describes the mount; neither step nor end is needed.
pub fn simulation(mount: &PreloadedMount) -> Simulation<PreloadedMount> {
    Simulation::new(mount).input(PreloadedMount::DRIVE, 0.0)
}

/// Creates the balance of the rig, which moves the mount sinusoidally, whatever force that takes.
pub fn balance(simulation: &Simulation<PreloadedMount>) -> HarmonicBalance<PreloadedMount> {
    HarmonicBalance::new(simulation)
        .controlled(PreloadedMount::DISPLACEMENT, PreloadedMount::DRIVE, AMPLITUDES)
        .harmonics(5)
        .stability(false)
}

/// The dynamic stiffness at one amplitude.
pub struct Curve {
    /// Amplitude in m.
    pub amplitude: f64,
    /// Frequencies in Hz.
    pub frequencies: Vec<f64>,
    /// Force below the mount over its displacement in N/m.
    pub stiffness: Vec<Complex<f64>>,
}

impl Curve {
    /// Returns the curve with the deviations of this noise, for the identification; without noise, deviations follow
    /// from the residuals.
    pub fn complex(&self, noise: f64) -> ComplexCurve {
        let part = |of: fn(&Complex<f64>) -> f64| -> Vec<f64> { self.stiffness.iter().map(of).collect() };
        let curve = ComplexCurve::new(self.frequencies.clone(), part(|k| k.re), part(|k| k.im)).unit("N/m");
        match noise > 0.0 {
            true => curve.deviations(part(|k| k.norm()).iter().map(|size| noise * size).collect::<Vec<_>>()),
            false => curve,
        }
    }
}

/// Computes the stiffness of a mount on the rig.
pub fn stiffness(mount: &PreloadedMount) -> Result<Vec<Curve>> {
    let response = balance(&simulation(mount)).response(&frequencies())?;
    let curve = |curve: &costate::harmonic::Curve| -> Result<Curve> {
        let stiffness = curve
            .each(|motion| Ok(motion.stiffness(PreloadedMount::TRANSMITTED, PreloadedMount::DISPLACEMENT)?.value))?;
        Ok(Curve { amplitude: curve.amplitude, frequencies: curve.each(|motion| Ok(motion.frequency))?, stiffness })
    };
    response.curves.iter().map(curve).collect()
}

/// Measures the stiffness of the true mount, with normal noise whose deviation is this fraction of each magnitude.
pub fn measure(truth: &PreloadedMount, noise: f64, seed: u64) -> Result<Vec<Curve>> {
    let mut curves = stiffness(truth)?;
    let normal = Normal::new(0.0, noise)?;
    let mut generator = SmallRng::seed_from_u64(seed);
    for value in curves.iter_mut().flat_map(|curve| &mut curve.stiffness) {
        let size = value.norm();
        *value += Complex::new(normal.sample(&mut generator), normal.sample(&mut generator)) * size;
    }
    Ok(curves)
}
