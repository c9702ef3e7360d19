//! Poles over a speed or a parameter.

use nalgebra::Complex;

use crate::error::VibrationError;
use crate::linear_model::LinearModel;
use crate::mode::{Mode, Modes};
use crate::sparse::{Vector, times};

/// The eigenvalues of a mode that was followed over the values of a parameter.
#[derive(Debug, Clone, PartialEq)]
pub struct PoleBranch {
    /// Index of the first value at which the mode exists.
    pub first: usize,
    /// The eigenvalues in 1/s, of a complex pair that with a positive imaginary part.
    pub eigenvalues: Vec<Complex<f64>>,
}

/// The poles of a model over a speed or a parameter, the modes of which are followed by their shapes, also through
/// crossings: a Campbell diagram, if the parameter is a speed.
#[derive(Debug, Clone, PartialEq)]
pub struct Poles {
    /// The values of the parameter.
    pub values: Vec<f64>,
    /// The modes. Where an oscillation becomes two aperiodic motions, one of them begins as a new mode.
    pub branches: Vec<PoleBranch>,
}

impl Poles {
    /// Follows the modes over these values; `model` returns the linear model at a value, also at others between them.
    ///
    /// ```text
    /// let poles = Poles::over(&speeds, |speed| {
    ///     Ok(EquilibriumSearch::new(&simulation).turning(Rotor::PHI, speed).find()?.linearized())
    /// })?;
    /// ```
    ///
    /// # Errors
    /// Those of `model` and [`LinearModel::modes`]; [`VibrationError::Empty`].
    pub fn over(
        values: &[f64],
        mut model: impl FnMut(f64) -> Result<LinearModel, VibrationError>,
    ) -> Result<Self, VibrationError> {
        let first = *values.first().ok_or(VibrationError::Empty { what: "values" })?;
        let mut modes = model(first)?.modes()?;
        let of_mode = |mode: &Mode| PoleBranch { first: 0, eigenvalues: vec![mode.eigenvalue] };
        let mut branches: Vec<PoleBranch> = modes.all().iter().map(of_mode).collect();
        // the branch of every mode
        let mut owners: Vec<usize> = (0..branches.len()).collect();
        for (index, pair) in values.windows(2).enumerate() {
            let &[from, to] = pair else { continue };
            let next = model(to)?.modes()?;
            let places = follow((from, &modes), (to, &next), &mut model, 0)?;
            let mut next_owners = vec![None; next.len()];
            for (old, place) in places.into_iter().enumerate() {
                if let Some(place) = place {
                    next_owners[place] = Some(owners[old]);
                }
            }
            let followed = next.all().iter().zip(next_owners).map(|(mode, owner)| match owner {
                Some(owner) => {
                    branches[owner].eigenvalues.push(mode.eigenvalue);
                    owner
                }
                None => {
                    branches.push(PoleBranch { first: index + 1, eigenvalues: vec![mode.eigenvalue] });
                    branches.len() - 1
                }
            });
            owners = followed.collect();
            modes = next;
        }
        Ok(Self { values: values.to_vec(), branches })
    }
}

/// Finds the mode of `to` in which every mode of `from` continues, halving the interval where shapes leave a doubt.
fn follow(
    (from, old): (f64, &Modes),
    (to, new): (f64, &Modes),
    model: &mut impl FnMut(f64) -> Result<LinearModel, VibrationError>,
    depth: usize,
) -> Result<Vec<Option<usize>>, VibrationError> {
    /// The least likeness of two shapes, from 0 to 1, with which a mode is followed.
    const MIN_LIKENESS: f64 = 0.8;
    /// The likeness of a second shape, relative to the first one, with which steps become shorter.
    const AMBIGUOUS_LIKENESS_RATIO: f64 = 0.6;
    /// Number of times that an interval is halved.
    const MAX_HALVINGS: usize = 10;
    let likeness: Vec<Vec<f64>> =
        old.all().iter().map(|one| new.all().iter().map(|other| likeness(old, one, other)).collect()).collect();
    let is_clear = |row: &Vec<f64>| {
        let best = row.iter().copied().fold(0.0, f64::max);
        best >= MIN_LIKENESS && row.iter().filter(|like| **like > AMBIGUOUS_LIKENESS_RATIO * best).count() == 1
    };
    if depth < MAX_HALVINGS && old.len() == new.len() && !likeness.iter().all(is_clear) {
        let middle = 0.5 * (from + to);
        let between = model(middle)?.modes()?;
        let first = follow((from, old), (middle, &between), model, depth + 1)?;
        let second = follow((middle, &between), (to, new), model, depth + 1)?;
        return Ok(first
            .into_iter()
            .map(|place| place.and_then(|place| second.get(place).copied().flatten()))
            .collect());
    }
    Ok(assigned(&likeness, new.len()))
}

/// Gives every old mode (row) the most alike new one (column), the clearest cases first.
pub(crate) fn assigned(likeness: &[Vec<f64>], count: usize) -> Vec<Option<usize>> {
    let mut pairs: Vec<(f64, usize, usize)> = likeness
        .iter()
        .enumerate()
        .flat_map(|(old, row)| row.iter().enumerate().map(move |(new, like)| (*like, old, new)))
        .collect();
    pairs.sort_by(|one, other| other.0.total_cmp(&one.0));
    let (mut places, mut taken) = (vec![None; likeness.len()], vec![false; count]);
    for (_, old, new) in pairs {
        if places[old].is_none() && !taken[new] {
            places[old] = Some(new);
            taken[new] = true;
        }
    }
    places
}

/// The likeness of two modes, from 0 to 1: of their shapes in coordinates, weighted by masses, and of their
/// eigenvalues.
fn likeness(modes: &Modes, one: &Mode, other: &Mode) -> f64 {
    let mass = &modes.linear_model().matrices.mass;
    let [a, b] = [one, other].map(|mode| Vector::from_vec(mode.shape.clone()));
    let product = |a: &Vector, b: &Vector| a.dotc(&times(mass, b));
    let sizes = product(&a, &a).re * product(&b, &b).re;
    let of_shapes = if sizes > 0.0 {
        product(&a, &b).norm_sqr() / sizes
    } else {
        crate::mode::modal_assurance(&one.shape, &other.shape)
    };
    let size = one.eigenvalue.norm() + other.eigenvalue.norm();
    let of_values = if size > 0.0 { 1.0 - (one.eigenvalue - other.eigenvalue).norm() / size } else { 1.0 };
    of_shapes * of_values
}
