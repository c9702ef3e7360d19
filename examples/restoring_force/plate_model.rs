//! The plate as a model of the filter, and as a simulated model with the identified curves.

use anyhow::Result;
use costate::restoring_force::{
    APriori, CurveSettings, Exponents, RestoringForceCurve, RestoringForceIdentification, RestoringForceModel,
    RestoringForces, Sensor,
};
use costate::table::Curve;
use costate::{Output, Simulation};
use costate_examples::all_curves;
use costate_models::restoring_force::{IdentifiedPlate, Sweep};
use nalgebra::DMatrix;

use crate::program::measurement::Measurement;
use crate::program::study::{STEPS_PER_SAMPLE, driven};

/// Backward sweep of the base.
pub const SWEEP: Sweep = Sweep { amplitude: 7.0, from: 500.0, to: 100.0 };

/// Measured outputs of the model with the curves.
pub const ACCELERATIONS: [Output<IdentifiedPlate>; 3] =
    [IdentifiedPlate::ACCELERATION_1, IdentifiedPlate::ACCELERATION_2, IdentifiedPlate::ACCELERATION_3];

/// Makes the filter's model with M^-1, whose entries `unknown` are added to the state.
pub fn model(inverse: DMatrix<f64>, unknown: &[(usize, usize)]) -> Result<RestoringForceModel> {
    Ok(RestoringForceModel::new(inverse, (0..3).map(Sensor::acceleration).collect())?
        .with_base(DMatrix::from_element(3, 1, -1.0))?
        .with_scale(1e7)?
        .with_unknown_inertia(unknown)?)
}

/// Expected values of every spring.
pub const EXPECTED: APriori = APriori { stiffness: 1.0, damping: 1e-4 };

pub fn identification(
    measurement: &Measurement,
    inverse: DMatrix<f64>,
    unknown: &[(usize, usize)],
) -> Result<RestoringForceIdentification> {
    let model = model(inverse, unknown)?;
    Ok(RestoringForceIdentification::new(model, measurement.interval, vec![EXPECTED; 3])?
        .lowest_stiffness(&[0.01; 3])?)
}

/// The curves of the springs, and the response of the model with them.
pub struct Adapted {
    pub forces: RestoringForces,
    pub elastic: Vec<RestoringForceCurve>,
    pub dissipative: Vec<RestoringForceCurve>,
    /// The three accelerations; empty if the model with these curves cannot be simulated.
    pub responses: Vec<Vec<f64>>,
    /// Reasons to doubt the curves and the response.
    pub warnings: Vec<String>,
}

impl Adapted {
    /// Identifies the curves with this M^-1 and simulates the response; a filter that is stopped gives curves
    /// from the samples until then.
    pub fn to(measurement: &Measurement, inverse: &DMatrix<f64>) -> Result<Self> {
        let forces = identification(measurement, inverse.clone(), &[])?
            .exponents(Exponents::new(2.0, 1.0))
            .run(&measurement.base, &measurement.accelerations)?;
        let mut warnings: Vec<String> = forces.warnings().iter().map(ToString::to_string).collect();
        warnings.extend(forces.run().stopped().map(ToString::to_string));
        let [elastic, dissipative] = all_curves(&forces, &CurveSettings::default())?;
        let tables = |curves: &[RestoringForceCurve]| -> Result<[Curve; 3]> {
            Ok([curves[0].table()?, curves[1].table()?, curves[2].table()?])
        };
        let responses = respond(measurement, inverse, tables(&elastic)?, tables(&dissipative)?);
        let responses = responses.unwrap_or_else(|error| {
            warnings.push(format!("the model with these curves cannot be simulated: {error:#}"));
            Vec::new()
        });
        Ok(Self { forces, elastic, dissipative, responses, warnings })
    }
}

impl Adapted {
    /// Returns the acceleration at a spring.
    pub fn response(&self, j: usize) -> &[f64] {
        self.responses.get(j).map_or(&[], Vec::as_slice)
    }
}

/// Simulates the accelerations of the plate with this M^-1 on these springs.
pub fn respond(
    measurement: &Measurement,
    inverse: &DMatrix<f64>,
    [e_1, e_2, e_3]: [Curve; 3],
    [d_1, d_2, d_3]: [Curve; 3],
) -> Result<Vec<Vec<f64>>> {
    let plate = IdentifiedPlate::with_inverse_inertia(inverse);
    let simulation = Simulation::new(&plate)
        .table(IdentifiedPlate::ELASTIC_1, e_1)
        .table(IdentifiedPlate::ELASTIC_2, e_2)
        .table(IdentifiedPlate::ELASTIC_3, e_3)
        .table(IdentifiedPlate::DISSIPATIVE_1, d_1)
        .table(IdentifiedPlate::DISSIPATIVE_2, d_2)
        .table(IdentifiedPlate::DISSIPATIVE_3, d_3);
    let run = driven(simulation, IdentifiedPlate::BASE, SWEEP, measurement)?.run()?;
    Ok(ACCELERATIONS.map(|output| run.output(output).into_iter().step_by(STEPS_PER_SAMPLE).collect()).to_vec())
}
