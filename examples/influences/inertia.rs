//! Effect of a wrong inertia (KE 3.4.3, figures 3.24 and 3.25) on the plate of KE 3.3.2.

use anyhow::Result;
use costate::restoring_force::{
    APriori, CurveSettings, Exponents, RestoringForceCurve, RestoringForceIdentification, RestoringForceModel, Sensor,
};
use costate_examples::{COMPARED_PLACES, channel, compared, extent, is_inside, noisy_rows, spaced};
use costate_models::restoring_force::{INTERVAL, Motion, NOISE, Plate, Sweep, inverse_inertia};
use nalgebra::DMatrix;
use serde::Serialize;

use crate::force::{known, median};

/// Backward sweep of the base.
const SWEEP: Sweep = Sweep { amplitude: 7.0, from: 500.0, to: 100.0 };

/// An assumption about the entries of M^-1.
#[derive(Debug, Clone, Copy)]
pub struct Assumption {
    pub name: &'static str,
    /// The part whose entries are wrong.
    pub part: Part,
    entries: &'static [(usize, usize)],
    /// Ratio of the assumed to the true entries.
    factor: f64,
}

/// A part of M^-1.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Part {
    None,
    Diagonal,
    Beside,
}

const DIAGONAL: &[(usize, usize)] = &[(0, 0), (1, 1), (2, 2)];
const BESIDE: &[(usize, usize)] = &[(0, 1), (0, 2), (1, 2)];

/// Assumptions; the thesis does not say how wrong its entries were.
pub const ASSUMPTIONS: [Assumption; 7] = [
    Assumption { name: "as it is", part: Part::None, entries: &[], factor: 1.0 },
    Assumption { name: "diagonal 20 % low", part: Part::Diagonal, entries: DIAGONAL, factor: 0.8 },
    Assumption { name: "diagonal 20 % high", part: Part::Diagonal, entries: DIAGONAL, factor: 1.2 },
    Assumption { name: "µ11 20 % high", part: Part::Diagonal, entries: &[(0, 0)], factor: 1.2 },
    Assumption { name: "zero beside the diagonal", part: Part::Beside, entries: BESIDE, factor: 0.0 },
    Assumption { name: "twice beside the diagonal", part: Part::Beside, entries: BESIDE, factor: 2.0 },
    Assumption { name: "µ12 with the other sign", part: Part::Beside, entries: &[(0, 1)], factor: -1.0 },
];

/// The elastic curves that follow from an assumption.
#[derive(Debug, Clone, Serialize)]
pub struct Outcome {
    pub assumption: &'static str,
    pub part: Part,
    /// e_RMS% of the elastic curve of every spring; `None` if the filter has lost the motion.
    pub elastic_percent: [Option<f64>; 3],
    /// The curves of the first record.
    #[serde(skip)]
    pub curves: Vec<RestoringForceCurve>,
}

/// Evaluates the true force of a spring in N.
pub fn truth(j: usize, z: f64) -> f64 {
    let lift = [1e-6, 1.5e-6, 2e-6][j];
    if z < lift { 6e6 * z } else { 6e6 * lift + 2e6 * (z - lift) }
}

/// Identifies with every assumption.
pub fn study(seeds: u64) -> Result<Vec<Outcome>> {
    let motion = Plate::published().motion(SWEEP)?;
    let mut outcomes = Vec::new();
    for assumption in ASSUMPTIONS {
        let mut inverse = inverse_inertia();
        for &(row, column) in assumption.entries {
            let wrong = assumption.factor * inverse_inertia()[(row, column)];
            (inverse[(row, column)], inverse[(column, row)]) = (wrong, wrong);
        }
        let mut errors = [const { Vec::new() }; 3];
        let mut curves = Vec::new();
        for seed in 1..=seeds {
            let found = identify(&motion, inverse.clone(), seed)?;
            for (j, errors) in errors.iter_mut().enumerate() {
                errors.push(match found.get(j) {
                    Some(curve) => error(curve, j, &motion)?,
                    None => f64::NAN,
                });
            }
            if curves.is_empty() {
                curves = found;
            }
        }
        let elastic_percent = errors.map(|errors| known(median(errors)));
        let (assumption, part) = (assumption.name, assumption.part);
        outcomes.push(Outcome { assumption, part, elastic_percent, curves });
    }
    Ok(outcomes)
}

/// Identifies the elastic curves of a noisy record; none if the filter is stopped.
fn identify(motion: &Motion, inverse: DMatrix<f64>, seed: u64) -> Result<Vec<RestoringForceCurve>> {
    let rows = noisy_rows(&motion.accelerations, 3, NOISE, seed)?;
    let model = RestoringForceModel::new(inverse, (0..3).map(Sensor::acceleration).collect())?
        .with_base(DMatrix::from_element(3, 1, -1.0))?
        .with_scale(1e7)?;
    let expected = vec![APriori { stiffness: 1.0, damping: 1e-4 }; 3];
    let forces = RestoringForceIdentification::new(model, INTERVAL, expected)?
        .lowest_stiffness(&[0.01; 3])?
        .exponents(Exponents::new(2.0, 1.0))
        .run(&motion.base, &rows)?;
    if forces.run().stopped().is_some() {
        return Ok(Vec::new());
    }
    let curve = |j| forces.elastic_curve(j, &CurveSettings::default());
    Ok((0..3).map(curve).collect::<Result<_, _>>()?)
}

/// Computes the error of a curve over the visited range, except its ends.
fn error(curve: &RestoringForceCurve, j: usize, motion: &Motion) -> Result<f64> {
    let visited = extent(&channel(&motion.deformations, j, 3));
    let places = spaced(visited, COMPARED_PLACES).filter(|z| is_inside(visited, *z));
    Ok(compared(&curve.table()?, |z| truth(j, z), places)?.percent())
}
