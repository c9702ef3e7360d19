//! Modes.

use nalgebra::Complex;

use costate_contract::Description;
use costate_system::identifiers::Coordinate;

use crate::eigenpairs::{Eigenpair, Eigenvalues, eigenpairs};
use crate::error::VibrationError;
use crate::linear_model::LinearModel;
use crate::sparse::{Vector, dot, real_times, times, transposed_times};

/// The kind of a mode.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ModeKind {
    /// An oscillation, decaying or growing.
    Oscillation,
    /// A motion in one direction, decaying or growing.
    Aperiodic,
    /// A motion without stiffness: the mechanism moves as a rigid body, or stays wherever it is.
    Rigid,
}

/// A mode of a linear model: q(t) - q_0 = Re(shape exp(eigenvalue t)).
#[derive(Debug, Clone)]
pub struct Mode {
    /// The eigenvalue in 1/s; of a pair that with a positive imaginary part.
    pub eigenvalue: Complex<f64>,
    /// The shape of all coordinates (n), in their units: the kinetic energy of an oscillation of this size is half the
    /// square of its angular frequency, phi^H M phi = 1, and the largest share of this is real and positive. Without
    /// mass the largest entry is 1.
    pub shape: Vec<Complex<f64>>,
    /// The multipliers of the constraints (m).
    pub multipliers: Vec<Complex<f64>>,
    /// The shape of all outputs, in their units.
    pub outputs: Vec<Complex<f64>>,
    pub(crate) pair: Eigenpair,
    /// The share of every coordinate in the kinetic energy.
    pub(crate) kinetic: Vec<f64>,
}

impl Mode {
    /// Returns the natural frequency |eigenvalue|/(2 pi) in Hz, that of the mode without its damping; 0 for a rigid
    /// motion.
    pub fn frequency(&self) -> f64 {
        self.eigenvalue.norm() / std::f64::consts::TAU
    }

    /// Returns true if the mode decays or grows by more than rounding.
    pub fn is_damped(&self) -> bool {
        /// Damping ratio below which a mode is not damped: the rounding of its eigenvalue.
        const DAMPING_ROUNDING: f64 = 1e-13;
        let least = (DAMPING_ROUNDING * self.eigenvalue.norm()).max(self.pair.damping_rounding);
        self.eigenvalue.re.abs() > least.max(self.rounding())
    }

    /// Returns the frequency of the decaying oscillation in Hz; 0 for aperiodic motions.
    pub fn damped_frequency(&self) -> f64 {
        self.eigenvalue.im / std::f64::consts::TAU
    }

    /// Returns the damping ratio -Re/|eigenvalue|: 0 without damping, 1 for aperiodic motions, negative where the mode
    /// grows.
    pub fn damping_ratio(&self) -> f64 {
        let size = self.eigenvalue.norm();
        if size > 0.0 { -self.eigenvalue.re / size } else { 0.0 }
    }

    /// Returns a bound of the rounding of the eigenvalue in 1/s, where the matrices leave it in doubt beside stiffer
    /// parts, and else 0. A rigid motion may be an oscillation or a growth at a rate up to this.
    pub fn rounding(&self) -> f64 {
        self.pair.rounding
    }

    /// Returns the kind of the motion.
    pub fn kind(&self) -> ModeKind {
        match self.eigenvalue {
            value if value.norm() == 0.0 => ModeKind::Rigid,
            value if value.im > 0.0 => ModeKind::Oscillation,
            _ => ModeKind::Aperiodic,
        }
    }

    /// Returns the shape at a coordinate; NaN for a coordinate of another model.
    pub fn at<M>(&self, coordinate: Coordinate<M>) -> Complex<f64> {
        self.shape.get(coordinate.index()).copied().unwrap_or(Complex::new(f64::NAN, f64::NAN))
    }

    /// Returns the share of every coordinate in the kinetic energy of the mode; their sum is 1, and zeros for modes
    /// without mass.
    pub fn kinetic_shares(&self) -> &[f64] {
        &self.kinetic
    }
}

/// The modes of a linear model: oscillations by frequency, rigid motions first, then aperiodic motions by rate.
#[derive(Debug, Clone)]
pub struct Modes {
    pub(crate) model: LinearModel,
    pub(crate) modes: Vec<Mode>,
}

impl LinearModel {
    /// Computes the eigenvalues in 1/s alone, which takes less time than modes: of a complex pair that with a positive
    /// imaginary part, oscillations by frequency, then aperiodic motions by rate.
    ///
    /// # Errors
    /// [`VibrationError::Equilibrium`] for a motion without mass, damper and spring.
    pub fn poles(&self) -> Result<Vec<Complex<f64>>, VibrationError> {
        let all = Eigenvalues::of(&self.minimal, &self.rounding, self.description())?;
        Ok(all.values.into_iter().map(|(value, _)| value).collect())
    }

    /// Computes the natural frequencies in Hz without all damping, ascending; those of rigid motions are 0, and motions
    /// that grow instead of oscillating (a pendulum upside down) are left out.
    ///
    /// # Errors
    /// [`VibrationError::Equilibrium`] for a motion without mass and spring.
    pub fn undamped_frequencies(&self) -> Result<Vec<f64>, VibrationError> {
        let minimal = costate_system::equilibrium::Minimal {
            damping: self.minimal.damping.clone() * 0.0,
            ..self.minimal.clone()
        };
        let all = Eigenvalues::of(&minimal, &self.rounding, self.description())?;
        let poles = all.values.into_iter().map(|(value, _)| value);
        // a rigid motion is a double zero
        let (rigid, others): (Vec<Complex<f64>>, Vec<Complex<f64>>) = poles.partition(|pole| pole.norm() == 0.0);
        let oscillations = others.iter().filter(|pole| pole.im > 0.0).map(|pole| pole.im / std::f64::consts::TAU);
        Ok(rigid.iter().step_by(2).map(|_| 0.0).chain(oscillations).collect())
    }

    /// Computes the modes.
    ///
    /// # Errors
    /// [`VibrationError::Equilibrium`] for a motion without mass, damper and spring.
    pub fn modes(&self) -> Result<Modes, VibrationError> {
        let all = Eigenvalues::of(&self.minimal, &self.rounding, self.description())?;
        let pairs = eigenpairs(&self.minimal, &all)?;
        let modes = pairs.into_iter().map(|pair| self.mode(pair)).collect();
        Ok(Modes { model: self.clone(), modes })
    }

    fn mode(&self, mut pair: Eigenpair) -> Mode {
        let (matrices, minimal) = (&self.matrices, &self.minimal);
        let shape = real_times(&minimal.motions, &pair.right);
        let weighted = times(&matrices.mass, &shape);
        let kinetic: Vec<f64> = shape.iter().zip(weighted.iter()).map(|(x, m)| (x.conj() * m).re).collect();
        let energy: f64 = kinetic.iter().sum();
        let has_mass = energy > 0.0 && energy.is_finite();
        let sizes: Vec<f64> = if has_mass { kinetic.clone() } else { shape.iter().map(|entry| entry.norm()).collect() };
        let largest = (0..sizes.len()).max_by(|&one, &other| sizes[one].total_cmp(&sizes[other]));
        let largest = largest.map_or(Complex::new(1.0, 0.0), |index| shape[index]);
        let size = if has_mass { energy.sqrt() } else { largest.norm() };
        let factor = if largest.norm() > 0.0 && size > 0.0 {
            largest.conj() / (largest.norm() * size)
        } else {
            Complex::new(1.0, 0.0)
        };
        pair.right *= factor;
        let shape = real_times(&minimal.motions, &pair.right);
        let multipliers = -real_reactions(self, &pair.right, pair.value);
        let outputs = self.observed_at(pair.value) * &pair.right;
        let shares = kinetic.iter().map(|share| if has_mass { share / energy } else { 0.0 }).collect();
        Mode {
            eigenvalue: pair.value,
            shape: shape.iter().copied().collect(),
            multipliers: multipliers.iter().copied().collect(),
            outputs: outputs.iter().copied().collect(),
            pair,
            kinetic: shares,
        }
    }

    /// Returns s dq + V y ...: the deviations dq, dv and da of independent coordinates that move as y exp(s t).
    pub(crate) fn deviations(&self, y: &Vector, s: Complex<f64>) -> [Vector; 3] {
        let minimal = &self.minimal;
        let [constant, moving] = &minimal.accelerations;
        let q = real_times(&minimal.motions, y);
        let v = &q * s + real_times(&minimal.velocities, y);
        let a = &q * (s * s) + real_times(moving, y) * s + real_times(constant, y);
        [q, v, a]
    }

    /// Returns M da + D dv + K dq.
    pub(crate) fn forces(&self, [q, v, a]: &[Vector; 3]) -> Vector {
        let matrices = &self.matrices;
        times(&matrices.mass, a) + times(&matrices.damping, v) + times(&matrices.stiffness, q)
    }
}

/// R^T (M da + D dv + K dq).
fn real_reactions(model: &LinearModel, y: &Vector, s: Complex<f64>) -> Vector {
    let forces = model.forces(&model.deviations(y, s));
    crate::sparse::real_transposed_times(&model.minimal.reactions, &forces)
}

impl Modes {
    /// Returns names and units of the model.
    pub fn description(&self) -> &'static Description {
        self.model.description()
    }

    /// Returns all modes: rigid motions and oscillations by frequency, then aperiodic motions by rate.
    pub fn all(&self) -> &[Mode] {
        &self.modes
    }

    /// Returns the oscillations, by frequency.
    pub fn oscillations(&self) -> impl Iterator<Item = &Mode> {
        self.modes.iter().filter(|mode| mode.kind() == ModeKind::Oscillation)
    }

    /// Returns the number of modes.
    pub fn len(&self) -> usize {
        self.modes.len()
    }

    /// Returns true if there are no modes.
    pub fn is_empty(&self) -> bool {
        self.modes.is_empty()
    }

    /// Returns the linear model.
    pub fn linear_model(&self) -> &LinearModel {
        &self.model
    }

    pub(crate) fn mode(&self, index: usize) -> Result<&Mode, VibrationError> {
        let (count, model) = (self.len(), self.description().name);
        self.modes.get(index).ok_or(VibrationError::NoMode { index, count, model })
    }

    /// Checks that the eigenvalue of a mode is its own.
    pub(crate) fn check_single(&self, index: usize) -> Result<&Mode, VibrationError> {
        let mode = self.mode(index)?;
        let same = |other: &usize| self.modes[*other].pair.group == mode.pair.group;
        let modes: Vec<usize> = (0..self.len()).filter(same).collect();
        if modes.len() > 1 || mode.kind() == ModeKind::Rigid {
            return Err(VibrationError::Repeated { modes });
        }
        Ok(mode)
    }
}

/// Returns the modal assurance criterion |a^H b|^2/(|a|^2 |b|^2) of two shapes, from 0 (orthogonal) to 1 (equal up to a
/// factor), such as a computed and a measured one; 0 for shapes of different lengths or without size.
pub fn modal_assurance(one: &[Complex<f64>], other: &[Complex<f64>]) -> f64 {
    let size = |shape: &[Complex<f64>]| shape.iter().map(|entry| entry.norm_sqr()).sum::<f64>();
    let product: Complex<f64> = one.iter().zip(other).map(|(a, b)| a.conj() * b).sum();
    let sizes = size(one) * size(other);
    if one.len() == other.len() && sizes > 0.0 { product.norm_sqr() / sizes } else { 0.0 }
}

/// The left vector of a mode in all equations: forces along coordinates (n), and constraints (m).
pub(crate) fn left_of(model: &LinearModel, left: &Vector, s: Complex<f64>) -> (Vector, Vector) {
    let psi = real_times(&model.minimal.motions, left);
    let mu = -crate::sparse::real_transposed_times(&model.minimal.reactions, &transposed_forces(model, &psi, s));
    (psi, mu)
}

/// Q(s)^T psi with Q = M (s + G)^2 + D (s + G) + K.
pub(crate) fn transposed_forces(model: &LinearModel, psi: &Vector, s: Complex<f64>) -> Vector {
    let generator = model.generator();
    let turned = |x: &Vector| x * s + transposed_times(&generator, x);
    let matrices = &model.matrices;
    let inner = turned(&transposed_times(&matrices.mass, psi)) + transposed_times(&matrices.damping, psi);
    turned(&inner) + transposed_times(&matrices.stiffness, psi)
}

/// y^T (2 M (s + G) + D) x, by which changes of the equations are divided.
pub(crate) fn slope(model: &LinearModel, psi: &Vector, q: &Vector, v: &Vector) -> Complex<f64> {
    let matrices = &model.matrices;
    dot(psi, &(times(&matrices.mass, v) * Complex::new(2.0, 0.0) + times(&matrices.damping, q)))
}

impl LinearModel {
    /// Returns the generator G of a steady motion (n x n); zero at rest.
    pub(crate) fn generator(&self) -> costate_numerics::linalg::SparseMatrix {
        let n = self.matrices.mass.columns();
        match &self.equilibrium {
            Some(equilibrium) => equilibrium.balance().motion().generator(n),
            None => costate_numerics::linalg::SparseMatrix::new(n, n, []),
        }
    }
}
