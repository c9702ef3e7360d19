//! Identification of the secondary flywheel: its restoring force as two curves and as a surface, and the
//! responses of models with them.

use anyhow::Result;
use costate::filter::{KalmanMethod, SigmaPoints};
use costate::restoring_force::{
    APriori, CurveSettings, Exponents, RestoringForceCurve, RestoringForceIdentification, RestoringForceModel,
    RestoringForceSurface, RestoringForces, SurfaceSettings, estimate_noise,
};
use costate::simulate::Scheme;
use costate::{Model, Output, Simulation};
use costate_examples::{completed, relative_error};
use costate_models::restoring_force::{CoupledOscillator, IdentifiedOscillator, SecondaryFlywheel};

use crate::bench::Bench;

/// Number of simulation steps per sample.
const STEPS_PER_SAMPLE: usize = 8;

/// Damping in N s/m that is tried in addition to the surface.
const EXTRA_DAMPING: [f64; 8] = [-100.0, 0.0, 50.0, 100.0, 200.0, 300.0, 400.0, 500.0];

/// Results of the identification.
pub struct Study {
    pub forces: RestoringForces,
    /// The force as a sum of two curves, and the response of the model with them; empty if that cannot be simulated.
    pub elastic: RestoringForceCurve,
    pub dissipative: RestoringForceCurve,
    pub additive_response: Vec<f64>,
    /// The force as a surface.
    pub surface: RestoringForceSurface,
    pub coupled_response: Vec<f64>,
    /// Damping in N s/m with which the response of the surface is closest to the record, and this response.
    pub extra_damping: f64,
    pub adapted_response: Vec<f64>,
    /// Deformation in m and rate in m/s at the first sample, after each iteration.
    pub initial_states: Vec<[f64; 2]>,
    /// Reasons to doubt the result.
    pub warnings: Vec<String>,
}

impl Study {
    /// Identifies the force by the square-root unscented filter.
    ///
    /// # Errors
    /// Those of the identification.
    pub fn carry_out(bench: &Bench) -> Result<Self> {
        let (base, measured) = (&bench.measured.base, &bench.measured.accelerations);
        let identification = identification(bench.measured.interval)?;
        let forces = completed(identification.run(base, measured)?)?;
        // filtered and smoothed eight times
        let beginning = base.len().min(2000);
        let initial_states: Vec<[f64; 2]> = identification
            .exponents(Exponents::new(2.0, 0.0))
            .measurement_noise(estimate_noise(measured, 1)?)
            .iterate_initial_state(&base[..beginning], &measured[..beginning], 8)?
            .iter()
            .map(|estimate| [estimate.mean[0], estimate.mean[1]])
            .collect();
        let start = initial_states.last().copied().unwrap_or_default();
        let [elastic, dissipative] = forces.curves(0, &CurveSettings::default())?;
        // a sweep fills its cells repeatedly
        let surface = forces.surface(0, &SurfaceSettings { fewest: 20, ..SurfaceSettings::default() })?;
        let mut warnings: Vec<_> = forces.warnings().iter().map(ToString::to_string).collect();
        let mut or_warning = |with: &str, response: Result<Vec<f64>>| {
            let warn = |error| warnings.push(format!("the simulation with the {with} fails: {error:#}"));
            response.map_err(warn).unwrap_or_default()
        };
        let additive_response = or_warning("curves", additive_response(bench, &elastic, &dissipative, start));
        let filled = filled(&surface, &elastic, &dissipative)?;
        let coupled_response = or_warning("surface", coupled_response(bench, &filled, 0.0, start));
        let (extra_damping, adapted_response) =
            adapted(bench, &filled, start).unwrap_or_else(|| (0.0, coupled_response.clone()));
        Ok(Self {
            forces,
            elastic,
            dissipative,
            additive_response,
            surface,
            coupled_response,
            extra_damping,
            adapted_response,
            initial_states,
            warnings,
        })
    }
}

/// Sets up the identification: a natural frequency of 277 Hz with a damping ratio of 0.09 is expected, which gives the
/// lower bound of the effective stiffness (KE 2.34).
fn identification(interval: f64) -> Result<RestoringForceIdentification> {
    let model = RestoringForceModel::on_moving_base(SecondaryFlywheel::default().m)?.with_scale(1e7)?;
    let expected = APriori { stiffness: 1.5, damping: 1.5e-4 };
    Ok(RestoringForceIdentification::new(model, interval, vec![expected])?
        .method(KalmanMethod::SquareRootUnscented(SigmaPoints::default()))
        .exponents(Exponents::new(3.0, 0.0))
        .lowest_stiffness(&[0.02])?)
}

/// Fills empty places of the surface with the sum of the curves: near the origin, where slow and small motions
/// are below the noise, each of the curves is still known from samples with a large value of the other coordinate.
fn filled(
    surface: &RestoringForceSurface,
    elastic: &RestoringForceCurve,
    dissipative: &RestoringForceCurve,
) -> Result<RestoringForceSurface> {
    let (elastic, dissipative) = (elastic.table()?, dissipative.table()?);
    let mut filled = surface.clone();
    let nodes = surface.deformations.iter().flat_map(|z| surface.rates.iter().map(move |v| (z, v)));
    for (force, (z, v)) in filled.forces.iter_mut().zip(nodes) {
        if force.is_nan() {
            *force = elastic.value(*z) + dissipative.value(*v);
        }
    }
    filled.empty = 0;
    Ok(filled)
}

/// Finds the extra damping whose response is closest to the measured one, among those that can be simulated (KE
/// 5.1.2 tunes it by hand).
fn adapted(bench: &Bench, surface: &RestoringForceSurface, start: [f64; 2]) -> Option<(f64, Vec<f64>)> {
    let measured = bench.acceleration(0);
    EXTRA_DAMPING
        .iter()
        .filter_map(|&damping| {
            let response = coupled_response(bench, surface, damping, start).ok()?;
            Some((relative_error(&response, &measured), damping, response))
        })
        .min_by(|a, b| a.0.total_cmp(&b.0))
        .map(|(_, damping, response)| (damping, response))
}

fn additive_response(
    bench: &Bench,
    elastic: &RestoringForceCurve,
    dissipative: &RestoringForceCurve,
    [z_0, v_0]: [f64; 2],
) -> Result<Vec<f64>> {
    let m = SecondaryFlywheel::default().m;
    let oscillator = IdentifiedOscillator { m, z_0, v_0 };
    let simulation = Simulation::new(&oscillator)
        .table(IdentifiedOscillator::ELASTIC, elastic.table()?)
        .table(IdentifiedOscillator::DISSIPATIVE, dissipative.table()?)
        .input(IdentifiedOscillator::BASE, bench.base()?);
    sampled(simulation, IdentifiedOscillator::ACCELERATION, bench)
}

fn coupled_response(
    bench: &Bench,
    surface: &RestoringForceSurface,
    extra_damping: f64,
    [z_0, v_0]: [f64; 2],
) -> Result<Vec<f64>> {
    let m = SecondaryFlywheel::default().m;
    let oscillator = CoupledOscillator { m, z_0, v_0 };
    let mut damped = surface.clone();
    for row in damped.forces.chunks_exact_mut(surface.rates.len()) {
        row.iter_mut().zip(&surface.rates).for_each(|(force, v)| *force += extra_damping * v);
    }
    let simulation = Simulation::new(&oscillator)
        .table(CoupledOscillator::RESTORING, damped.table()?)
        .input(CoupledOscillator::BASE, bench.base()?);
    sampled(simulation, CoupledOscillator::ACCELERATION, bench)
}

/// Simulates an output at the samples of the record.
fn sampled<M: Model>(simulation: Simulation<M>, output: Output<M>, bench: &Bench) -> Result<Vec<f64>> {
    let step = bench.measured.interval / STEPS_PER_SAMPLE as f64;
    let run = simulation.step(step).until(bench.end()).scheme(Scheme::Undamped).run()?;
    Ok(run.output(output).into_iter().step_by(STEPS_PER_SAMPLE).collect())
}
