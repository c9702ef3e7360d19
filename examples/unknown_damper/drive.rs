//! The virtual drive: a road, a damper with an unknown curve, and two accelerometers.

use std::f64::consts::TAU;

use anyhow::Result;
use costate::table::{Curve, Extension};
use costate::{Record, Simulation};
use costate_examples::add_noise;
use costate_models::HalfCar;
use rand::rngs::SmallRng;
use rand::{Rng, SeedableRng};

/// Speed of the car in m/s, sampling interval and length of the record in s.
pub const SPEED: f64 = 16.0;
pub const INTERVAL: f64 = 2e-3;
pub const END: f64 = 12.0;

/// Number of simulation steps per sample.
pub const STEPS_PER_SAMPLE: f64 = 4.0;

/// Evaluates the force of the true damper in N at a speed in m/s: digressive, and larger in extension.
pub fn force(speed: f64) -> f64 {
    (1.0 + 0.45 * (8.0 * speed).tanh()) * (520.0 * (speed / 0.09).tanh() + 650.0 * speed)
}

/// A road as a sum of waves with random phases.
#[derive(Clone)]
pub struct Road {
    /// Amplitude in m, spatial frequency in rad/m, phase.
    waves: Vec<[f64; 3]>,
}

impl Road {
    /// Creates a road as rough as a good country road (ISO 8608, class B to C).
    fn new(seed: u64) -> Self {
        let mut random = SmallRng::seed_from_u64(seed);
        // of 90 waves with spatial frequencies from 0.02 to 2 1/m
        let (waves, from, to, roughness) = (90, 0.02, 2.0, 110e-6);
        let ratio = f64::powf(to / from, 1.0 / f64::from(waves));
        let wave = |k: i32| {
            let frequency = from * ratio.powf(f64::from(k) + 0.5);
            // the power density falls with the square of the frequency
            let density = roughness * f64::powi(frequency / 0.1, -2);
            let amplitude = (2.0 * density * frequency * (ratio - 1.0)).sqrt();
            [amplitude, TAU * frequency, random.random_range(0.0..TAU)]
        };
        Self { waves: (0..waves).map(wave).collect() }
    }

    /// Returns the height under an axle at this distance after the front axle, in m, over time; the road begins
    /// smoothly.
    pub fn under(&self, distance: f64) -> impl Fn(f64) -> f64 + Send + Sync + 'static {
        let waves = self.waves.clone();
        move |time| {
            let place = SPEED * time - distance;
            let begun = (place / SPEED).clamp(0.0, 1.0);
            let height = |[amplitude, frequency, phase]: &[f64; 3]| amplitude * (frequency * place + phase).sin();
            begun * begun * (3.0 - 2.0 * begun) * waves.iter().map(height).sum::<f64>()
        }
    }
}

/// A drive, with quantities that are measured and others that are not.
pub struct Drive {
    pub road: Road,
    pub record: Record,
    /// Speeds of both dampers, which are not measured.
    pub speeds: Vec<f64>,
    pub longest_stroke: f64,
}

/// Simulates the drive with the true damper, and measures it.
pub fn drive(noise: f64, seed: u64) -> Result<Drive> {
    let (truth, road) = (HalfCar::default(), Road::new(seed));
    let knots: Vec<f64> = (-300..=300).map(|k| 0.01 * f64::from(k)).collect();
    let damper = Curve::new(knots.clone(), knots.iter().map(|v| force(*v)).collect(), Extension::Linear)?;
    let run = with_road(Simulation::new(&truth), &road)
        .table(HalfCar::DAMPER, damper)
        .step(INTERVAL / STEPS_PER_SAMPLE / 2.0)
        .until(END)
        .run()?;
    let sampled =
        |output| -> Vec<f64> { run.output(output).into_iter().step_by(2 * STEPS_PER_SAMPLE as usize).collect() };
    let times = run.times().into_iter().step_by(2 * STEPS_PER_SAMPLE as usize).collect();
    let mut record = Record::new(times)?.named("drive");
    for (seed, (name, output)) in (seed..)
        .step_by(1000)
        .zip([("above front axle", HalfCar::ABOVE_FRONT), ("above rear axle", HalfCar::ABOVE_REAR)])
    {
        let mut values = sampled(output);
        add_noise(&mut values, noise, seed)?;
        record = record.with_channel(name, Some("m/s^2"), values)?;
    }
    let speeds = [sampled(HalfCar::SPEED_FRONT), sampled(HalfCar::SPEED_REAR)].concat();
    let strokes = [run.output(HalfCar::TRAVEL_FRONT), run.output(HalfCar::TRAVEL_REAR)].concat();
    let longest_stroke = strokes.iter().fold(0.0f64, |most, stroke| most.max(-stroke));
    Ok(Drive { road, record, speeds, longest_stroke })
}

/// Sets the road under both axles.
fn with_road(simulation: Simulation<HalfCar>, road: &Road) -> Simulation<HalfCar> {
    let HalfCar { to_front, to_rear, .. } = HalfCar::default();
    simulation.input(HalfCar::ROAD_FRONT, road.under(0.0)).input(HalfCar::ROAD_REAR, road.under(to_front + to_rear))
}
