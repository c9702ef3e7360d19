//! Identification of the secondary flywheel: its restoring force as two curves and as a surface, and the
//! responses of models with them.

use anyhow::Result;
use costate::filter::{KalmanMethod, SigmaPoints};
use costate::restoring_force::{
    APriori, CurveSettings, Exponents, RestoringForceCurve, RestoringForceIdentification, RestoringForceModel,
    RestoringForceSurface, RestoringForces, SurfaceSettings, estimate_noise,
};
use costate::simulate::Scheme;
use costate::{Model, Simulation};
use costate_models::restoring_force::{CoupledOscillator, IdentifiedOscillator, SecondaryFlywheel};

use crate::bench::{Bench, relative_error};

/// Scale of the force, and expected values in its units: natural frequency 277 Hz, damping ratio 0.09.
const SCALE: f64 = 1e7;
const EXPECTED: APriori = APriori { stiffness: 1.5, damping: 1.5e-4 };

/// Lower bound of the effective stiffness by the damping ratio (KE 2.34).
const LOWEST: f64 = 0.02;

/// Number of samples at the beginning from which the initial state is found, and how often they are filtered and
/// smoothed.
const BEGINNING: usize = 2000;
const ITERATIONS: usize = 8;

/// Number of simulation steps per sample.
const FINER: usize = 8;

/// Number of samples that a cell of the surface needs: a sweep fills its cells repeatedly.
const FEWEST: usize = 20;

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
        let forces = identification.run(base, measured)?;
        if let Some(stopped) = forces.run().stopped() {
            return Err(stopped.clone().into());
        }
        let beginning = BEGINNING.min(base.len());
        let initial_states: Vec<[f64; 2]> = identification
            .exponents(Exponents::new(2.0, 0.0))
            .measurement_noise(estimate_noise(measured, 1)?)
            .iterate_initial_state(&base[..beginning], &measured[..beginning], ITERATIONS)?
            .iter()
            .map(|estimate| [estimate.mean[0], estimate.mean[1]])
            .collect();
        let start = initial_states.last().copied().unwrap_or_default();
        let elastic = forces.elastic_curve(0, &CurveSettings::default())?;
        let dissipative = forces.dissipative_curve(0, &CurveSettings::default())?;
        let settings = SurfaceSettings { fewest: FEWEST, ..SurfaceSettings::default() };
        let surface = forces.surface(0, &settings)?;
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

fn identification(interval: f64) -> Result<RestoringForceIdentification> {
    let model = RestoringForceModel::on_moving_base(SecondaryFlywheel::default().m)?.with_scale(SCALE)?;
    Ok(RestoringForceIdentification::new(model, interval, vec![EXPECTED])?
        .method(KalmanMethod::SquareRootUnscented(SigmaPoints::default()))
        .exponents(Exponents::new(3.0, 0.0))
        .lowest_stiffness(&[LOWEST])?)
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
    let run = timed(simulation, bench).run()?;
    Ok(run.output(IdentifiedOscillator::ACCELERATION).into_iter().step_by(FINER).collect())
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
    let run = timed(simulation, bench).run()?;
    Ok(run.output(CoupledOscillator::ACCELERATION).into_iter().step_by(FINER).collect())
}

/// Sets the steps of a simulation by the sampling of the record.
fn timed<M: Model>(simulation: Simulation<M>, bench: &Bench) -> Simulation<M> {
    let step = bench.measured.interval / FINER as f64;
    simulation.step(step).until(bench.end()).scheme(Scheme::Undamped)
}
