//! Identification of the primary flywheel: inertia, forces of three springs, response and modes.

use anyhow::Result;
use costate::Simulation;
use costate::restoring_force::{
    APriori, CurveSettings, Exponents, Mode, RestoringForceCurve, RestoringForceIdentification, RestoringForceModel,
    RestoringForces, Sensor,
};
use costate::simulate::Scheme;
use costate_examples::{all_curves, completed};
use costate_models::restoring_force::{IdentifiedPlate, PrimaryFlywheel};
use nalgebra::DMatrix;

use crate::bench::Bench;

/// Number of springs, and of the sensors above them.
pub const SPRINGS: usize = 3;

/// Unknown entries of M^-1 (KE 4.8), and the factors by which finite elements deviate from the true ones; the
/// first diagonal entry, which scales all forces, is known by weighing.
pub const UNKNOWN: [(usize, usize); 5] = [(0, 1), (0, 2), (1, 1), (1, 2), (2, 2)];
const FINITE_ELEMENTS: [f64; 5] = [0.8, 0.8, 1.15, 1.25, 0.9];

/// Results of the identification.
pub struct Study {
    /// M^-1 in 1/kg at the start and after each iteration.
    pub inertia: Vec<DMatrix<f64>>,
    pub forces: RestoringForces,
    pub elastic: Vec<RestoringForceCurve>,
    pub dissipative: Vec<RestoringForceCurve>,
    /// Accelerations of the adapted model.
    pub response: Vec<Vec<f64>>,
    pub modes: Vec<Mode>,
}

impl Study {
    /// Identifies the forces from a record, simulates the adapted model (KE 5.2.2), and computes its modes (KE 5.2.3).
    ///
    /// # Errors
    /// Those of identification and simulation.
    pub fn carry_out(bench: &Bench) -> Result<Self> {
        let (base, measured) = (&bench.measured.base, &bench.measured.accelerations);
        let mut inertia = vec![expected_inertia()];
        let deviations = UNKNOWN.map(|at| 0.2 * inertia[0][at].abs());
        // expected mean squares of deformation and rate at the beginning, where the flywheel is at rest
        let at_rest = (1e-14, 1e-8);
        let iterated = identification(bench.measured.interval, inertia[0].clone(), &UNKNOWN)?
            .exponents(Exponents { stiffness: -4.0, damping: -6.0, inertia: -4.0 })
            .inertia_deviations(&deviations)?
            .motion(&[at_rest; SPRINGS])?
            .iterate_inertia(base, measured, 10)?;
        inertia.extend(iterated);
        let found = inertia[inertia.len() - 1].clone();
        let identification = identification(bench.measured.interval, found.clone(), &[])?;
        let forces = completed(identification.exponents(Exponents::new(2.0, 1.0)).run(base, measured)?)?;
        let [elastic, dissipative] = all_curves(&forces, &CurveSettings::default())?;
        let response = respond(bench, &found, &elastic, &dissipative)?;
        let modes = forces.modes(&elastic, &dissipative)?;
        Ok(Self { inertia, forces, elastic, dissipative, response, modes })
    }

    /// Computes the modes of the true flywheel, with its curves replaced by straight lines over the ranges of the
    /// identified curves.
    ///
    /// # Errors
    /// A curve without nodes.
    pub fn true_modes(&self, flywheel: &PrimaryFlywheel) -> Result<Vec<Mode>> {
        let slopes = |curves: &[RestoringForceCurve], truth: &dyn Fn(f64) -> [f64; 3]| -> Vec<f64> {
            let of = |(j, curve): (usize, &RestoringForceCurve)| {
                let mut exact = curve.clone();
                exact.points.iter_mut().for_each(|point| point.force = truth(point.coordinate)[j]);
                exact.slope()
            };
            curves.iter().enumerate().map(of).collect()
        };
        let stiffness = slopes(&self.elastic, &|z| flywheel.elastic(z));
        let damping = slopes(&self.dissipative, &|v| flywheel.dissipative(v));
        Ok(Mode::of_elements(&PrimaryFlywheel::inverse_inertia(), &stiffness, &damping)?)
    }
}

/// Returns M^-1 as finite elements would give it.
fn expected_inertia() -> DMatrix<f64> {
    let mut inertia = PrimaryFlywheel::inverse_inertia();
    for ((row, column), factor) in UNKNOWN.into_iter().zip(FINITE_ELEMENTS) {
        inertia[(row, column)] *= factor;
        inertia[(column, row)] = inertia[(row, column)];
    }
    inertia
}

fn identification(
    interval: f64,
    inverse_inertia: DMatrix<f64>,
    unknown: &[(usize, usize)],
) -> Result<RestoringForceIdentification> {
    let model = RestoringForceModel::new(inverse_inertia, (0..SPRINGS).map(Sensor::acceleration).collect())?
        .with_base(DMatrix::from_element(SPRINGS, 1, -1.0))?
        .with_scale(1e7)?
        .with_unknown_inertia(unknown)?;
    let expected = APriori { stiffness: 0.4, damping: 2e-5 };
    Ok(RestoringForceIdentification::new(model, interval, vec![expected; SPRINGS])?
        .lowest_stiffness(&[0.01; SPRINGS])?)
}

fn respond(
    bench: &Bench,
    inverse_inertia: &DMatrix<f64>,
    elastic: &[RestoringForceCurve],
    dissipative: &[RestoringForceCurve],
) -> Result<Vec<Vec<f64>>> {
    let steps_per_sample = 5;
    let plate = IdentifiedPlate::with_inverse_inertia(inverse_inertia);
    let run = Simulation::new(&plate)
        .table(IdentifiedPlate::ELASTIC_1, elastic[0].table()?)
        .table(IdentifiedPlate::ELASTIC_2, elastic[1].table()?)
        .table(IdentifiedPlate::ELASTIC_3, elastic[2].table()?)
        .table(IdentifiedPlate::DISSIPATIVE_1, dissipative[0].table()?)
        .table(IdentifiedPlate::DISSIPATIVE_2, dissipative[1].table()?)
        .table(IdentifiedPlate::DISSIPATIVE_3, dissipative[2].table()?)
        .input(IdentifiedPlate::BASE, bench.base()?)
        .step(bench.measured.interval / steps_per_sample as f64)
        .until(bench.end())
        .scheme(Scheme::Undamped)
        .run()?;
    let outputs = [IdentifiedPlate::ACCELERATION_1, IdentifiedPlate::ACCELERATION_2, IdentifiedPlate::ACCELERATION_3];
    Ok(outputs.map(|output| run.output(output).into_iter().step_by(steps_per_sample).collect()).to_vec())
}

/// Computes how similar two shapes are, from 0 to 1 (modal assurance criterion).
pub fn likeness(a: &Mode, b: &Mode) -> f64 {
    let square = |mode: &Mode| mode.shape.iter().map(|part| part.norm_sqr()).sum::<f64>();
    let product: nalgebra::Complex<f64> = a.shape.iter().zip(&b.shape).map(|(a, b)| a.conj() * b).sum();
    product.norm_sqr() / (square(a) * square(b))
}

/// Computes the motion of the plate at the place (xi, eta), in radii of the springs, from the motion above the springs.
pub fn displacement(mode: &Mode, [xi, eta]: [f64; 2]) -> f64 {
    let angles = PrimaryFlywheel::ANGLES.map(f64::to_radians);
    let of_spring = |(angle, part): (&f64, &nalgebra::Complex<f64>)| {
        part.re * (1.0 + 2.0 * (angle.cos() * xi + angle.sin() * eta)) / SPRINGS as f64
    };
    angles.iter().zip(&mode.shape).map(of_spring).sum()
}
