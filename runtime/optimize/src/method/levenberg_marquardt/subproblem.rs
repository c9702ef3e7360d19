//! The step of a trust-region method within bounds.
//!
//! Minimises |r + J d|^2 over the steps d with |D d| <= radius and lower <= d <= upper. The ellipsoid is treated
//! by the singular values of J D^-1, with which every multiplier costs n^2 operations, and the bounds by an
//! active set around that solution.

use nalgebra::DVector;

use super::super::super::linearized::Linearized;
use super::super::super::singular_values::SingularValues;

/// Data of the minimisation. Vectors have one entry per variable.
#[derive(Debug)]
pub(super) struct Subproblem<'a> {
    pub residuals: &'a Linearized,
    /// The diagonal of D.
    pub scales: &'a [f64],
    /// Changes of the variables that count as large as the variables themselves; infinite where that is not known.
    pub sizes: &'a [f64],
    /// The least and the largest change of every variable, at most 0 and at least 0.
    pub box_: (Vec<f64>, Vec<f64>),
    /// The standard deviation of the residuals; 0 where it is not known.
    pub deviation: f64,
}

/// A solution.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Step {
    /// d.
    pub vector: Vec<f64>,
    /// True if the radius has shortened the step.
    pub is_cut: bool,
    /// The decrease of 1/2 |r + J d|^2 without a radius, along the same directions.
    pub full_decrease: f64,
    /// Directions that the residuals do not determine and along which nothing moves; in units of the sizes, with
    /// largest entry 1.
    pub flat: Vec<Vec<f64>>,
    /// The variables that moved, the multiplier and the decomposition of their damped equations; `None` if no
    /// variable moved.
    solved: Option<(Vec<usize>, f64, Decomposition)>,
}

impl Step {
    /// Solves the damped equations of this step with `product` in place of J^T r.
    pub fn correction(&self, product: &[f64], scales: &[f64]) -> Vec<f64> {
        let mut vector = vec![0.0; scales.len()];
        if let Some((moving, multiplier, parts)) = &self.solved {
            let scaled = DVector::from_iterator(moving.len(), moving.iter().map(|&k| product[k] / scales[k]));
            let mut along = parts.matrix.directions.tr_mul(&scaled);
            for (i, (entry, &s)) in along.iter_mut().zip(&parts.matrix.values).enumerate() {
                *entry *= if parts.is_still[i] { 0.0 } else { -1.0 / (s * s + multiplier) };
            }
            let step = &parts.matrix.directions * along;
            moving.iter().zip(&step).for_each(|(&k, d)| vector[k] = d / scales[k]);
        }
        vector
    }
}

/// A step within the ellipsoid, without the bounds.
#[derive(Debug, Default)]
struct Within {
    step: Vec<f64>,
    multiplier: f64,
    flat: Vec<Vec<f64>>,
    full_decrease: f64,
    parts: Option<Decomposition>,
}

/// The singular value decomposition for the moving variables.
#[derive(Debug, Clone, PartialEq)]
struct Decomposition {
    matrix: SingularValues,
    /// U^T (r + J d), where d is the step of the held variables.
    components: DVector<f64>,
    /// Marks the directions along which nothing moves.
    is_still: Vec<bool>,
}

impl Subproblem<'_> {
    /// Returns the step within `radius`; it has components along undetermined directions only if `everywhere`.
    /// `None` where nothing can move, or the decomposition fails.
    pub fn step(&self, radius: f64, everywhere: bool) -> Option<Step> {
        let n = self.scales.len();
        let (lower, upper) = (&self.box_.0, &self.box_.1);
        let gradient = self.residuals.gradient();
        let mut vector = vec![0.0; n];
        // true for a variable at a bound that the negative gradient points out of
        let outwards = |k: usize| gradient[k] > 0.0 && lower[k] >= 0.0 || gradient[k] < 0.0 && upper[k] <= 0.0;
        let mut moves: Vec<bool> = (0..n).map(|k| !outwards(k)).collect();
        let mut releases = vec![0_usize; n];
        let mut found = None;
        // every round holds one more variable or releases one, at most twice each
        for _ in 0..4 * n + 1 {
            let moving: Vec<usize> = (0..n).filter(|k| moves[*k]).collect();
            let held: f64 = (0..n).filter(|k| !moves[*k]).map(|k| (self.scales[k] * vector[k]).powi(2)).sum();
            let left = (radius * radius - held).max(0.0).sqrt();
            moving.iter().for_each(|k| vector[*k] = 0.0);
            let Within { step, multiplier, flat, full_decrease, parts } = match moving.is_empty() {
                true => Within::default(),
                false => self.within(&moving, &vector, left, everywhere)?,
            };
            let full_decrease = full_decrease + self.residuals.decrease(&vector);
            let is_cut = multiplier > 0.0;
            let mut is_inside = true;
            for (&k, d) in moving.iter().zip(step) {
                vector[k] = d.clamp(lower[k], upper[k]);
                if vector[k] != d {
                    (moves[k], is_inside) = (false, false);
                }
            }
            let solved = parts.map(|parts| (moving, multiplier, parts));
            found = Some(Step { vector: vector.clone(), is_cut, full_decrease, flat, solved });
            if !is_inside {
                continue;
            }
            let slopes = self.residuals.slopes_at(&vector);
            let pull = |k: usize| slopes[k] + multiplier * self.scales[k].powi(2) * vector[k];
            let inwards = |k: &usize| {
                let k = *k;
                let (at_lower, at_upper) = (vector[k] <= lower[k], vector[k] >= upper[k]);
                !moves[k] && releases[k] < 2 && (at_lower && pull(k) < 0.0 || at_upper && pull(k) > 0.0)
            };
            let strength = |k: &usize| pull(*k).abs() / self.scales[*k];
            let Some(released) = (0..n).filter(inwards).max_by(|a, b| strength(a).total_cmp(&strength(b))) else {
                break;
            };
            releases[released] += 1;
            moves[released] = true;
        }
        found.filter(|step| step.vector.iter().any(|d| *d != 0.0) || !step.flat.is_empty())
    }

    /// Solves for the step of the moving variables within the ellipsoid, while the others move by `held`.
    fn within(&self, moving: &[usize], held: &[f64], radius: f64, everywhere: bool) -> Option<Within> {
        let mut parts = self.decompose(moving, held)?;
        let flat = match everywhere {
            true => Vec::new(),
            false => self.leave_untold(moving, &mut parts),
        };
        let multiplier = parts.multiplier(radius);
        let scaled = parts.step(multiplier);
        let step = scaled.iter().zip(moving).map(|(d, &k)| d / self.scales[k]).collect::<Vec<_>>();
        let full_decrease = parts.decrease();
        step.iter().all(|d| d.is_finite()).then_some(Within {
            step,
            multiplier,
            flat,
            full_decrease,
            parts: Some(parts),
        })
    }

    fn decompose(&self, moving: &[usize], held: &[f64]) -> Option<Decomposition> {
        /// Singular values below this part of the largest one, with columns scaled by D, are rounding errors: nothing
        /// moves along them.
        const MIN_SINGULAR_VALUE: f64 = 1e-13;
        let (matrix, residuals) = self.residuals.at(moving, held);
        let mut matrix = matrix;
        for (mut column, &k) in matrix.column_iter_mut().zip(moving) {
            column /= self.scales[k];
        }
        let matrix = SingularValues::of(matrix)?;
        let components = matrix.components(&residuals);
        let largest = matrix.values.amax();
        let is_still = matrix.values.iter().map(|value| *value <= MIN_SINGULAR_VALUE * largest).collect();
        Some(Decomposition { matrix, components, is_still })
    }

    /// Marks the directions that the residuals do not determine, and returns them.
    fn leave_untold(&self, moving: &[usize], parts: &mut Decomposition) -> Vec<Vec<f64>> {
        /// A direction is determined by the residuals if its component is at least this many standard deviations, or if
        /// its deviation is small.
        const MIN_DEVIATIONS: f64 = 1.0;
        /// Deviation of a direction, in sizes of the variables, beyond which the residuals do not determine it.
        const MAX_DEVIATION: f64 = 10.0;
        let mut flat = Vec::new();
        for i in 0..parts.matrix.values.len() {
            let relative = |place: usize| {
                let k = moving[place];
                parts.matrix.directions[(place, i)] / (self.scales[k] * self.sizes[k])
            };
            let length = (0..moving.len()).map(|place| relative(place).abs()).fold(0.0, f64::max);
            let wide = self.deviation * length > MAX_DEVIATION * parts.matrix.values[i];
            let is_told = !wide || parts.components[i].abs() >= MIN_DEVIATIONS * self.deviation;
            if length > 0.0 && (!is_told || parts.is_still[i]) {
                parts.is_still[i] = true;
                let mut direction = vec![0.0; self.scales.len()];
                (0..moving.len()).for_each(|place| direction[moving[place]] = relative(place) / length);
                flat.push(direction);
            }
        }
        flat
    }
}

impl Decomposition {
    /// Evaluates -V s/(s^2 + multiplier) U^T (r + J d).
    fn step(&self, multiplier: f64) -> DVector<f64> {
        let mut along = self.components.clone();
        for (i, (entry, &s)) in along.iter_mut().zip(&self.matrix.values).enumerate() {
            *entry *= if self.is_still[i] { 0.0 } else { -s / (s * s + multiplier) };
        }
        &self.matrix.directions * along
    }

    /// Returns the decrease of 1/2 |r + J d|^2 by the step without a multiplier.
    fn decrease(&self) -> f64 {
        let moving = self.components.iter().zip(&self.is_still).filter(|(_, still)| !**still);
        0.5 * moving.map(|(c, _)| c * c).sum::<f64>()
    }

    /// Returns the length of the step and its derivative with respect to the multiplier.
    fn length(&self, multiplier: f64) -> (f64, f64) {
        let (mut square, mut derivative) = (0.0, 0.0);
        for (i, (&c, &s)) in self.components.iter().zip(&self.matrix.values).enumerate() {
            if !self.is_still[i] {
                let (d, damped) = (s * c / (s * s + multiplier), s * s + multiplier);
                square += d * d;
                derivative -= d * d / damped;
            }
        }
        let length = square.sqrt();
        (length, if length > 0.0 { derivative / length } else { 0.0 })
    }

    /// Finds the multiplier whose step has the length `radius`; 0 where the undamped step is not longer (Hebden's
    /// iteration on 1/length, More 1978, section 5).
    fn multiplier(&self, radius: f64) -> f64 {
        /// Largest relative distance of the length of a step from the radius (More 1978).
        const MAX_LENGTH_ERROR: f64 = 0.1;
        /// Largest number of corrections of the multiplier: each about doubles the digits of the length.
        const MAX_CORRECTIONS: usize = 30;
        let (full, _) = self.length(0.0);
        if full.is_finite() && full <= (1.0 + MAX_LENGTH_ERROR) * radius {
            return 0.0;
        }
        let gradient = self.components.component_mul(&self.matrix.values).norm();
        let (mut low, mut high) = (0.0_f64, gradient / radius);
        let mut multiplier = (0.001 * high).max(f64::MIN_POSITIVE);
        for _ in 0..MAX_CORRECTIONS {
            let (length, derivative) = self.length(multiplier);
            if (length - radius).abs() <= MAX_LENGTH_ERROR * radius {
                break;
            }
            if length > radius {
                low = low.max(multiplier)
            } else {
                high = high.min(multiplier)
            }
            let next = multiplier - (length - radius) / radius * length / derivative;
            multiplier =
                if next > low && next < high { next } else { (low * high).sqrt().max(0.5 * (low + high) * 1e-3) };
        }
        multiplier
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::super::objective::LinearResiduals;
    use super::*;

    /// Returns residuals r + A d in three variables.
    fn linear(columns: [[f64; 3]; 3], values: [f64; 3]) -> Linearized {
        let derivatives = columns.iter().map(|column| column.to_vec()).collect();
        Linearized::new(&LinearResiduals { values: values.to_vec(), derivatives }, &[1.0; 3]).unwrap().unwrap()
    }

    fn free() -> (Vec<f64>, Vec<f64>) {
        (vec![f64::NEG_INFINITY; 3], vec![f64::INFINITY; 3])
    }

    const COLUMNS: [[f64; 3]; 3] = [[2.0, 0.3, 0.0], [0.1, 1.0, 0.4], [0.0, -0.2, 0.5]];

    fn subproblem<'a>(residuals: &'a Linearized, box_: (Vec<f64>, Vec<f64>)) -> Subproblem<'a> {
        Subproblem { residuals, scales: &[2.0, 1.1, 0.6], sizes: &[f64::INFINITY; 3], box_, deviation: 0.0 }
    }

    #[test]
    fn a_large_radius_leaves_the_full_step() {
        let residuals = linear(COLUMNS, [1.0, -2.0, 0.5]);
        let step = subproblem(&residuals, free()).step(1e3, false).unwrap();
        assert!(!step.is_cut && step.flat.is_empty());
        assert!(residuals.slopes_at(&step.vector).iter().all(|slope| slope.abs() < 1e-12));
    }

    #[test]
    fn steps_have_the_length_of_the_radius() {
        let residuals = linear(COLUMNS, [1.0, -2.0, 0.5]);
        for radius in [1e-6, 1e-3, 0.1, 1.0] {
            let problem = subproblem(&residuals, free());
            let step = problem.step(radius, false).unwrap();
            let length = step.vector.iter().zip(problem.scales).map(|(d, s)| (d * s).powi(2)).sum::<f64>().sqrt();
            assert!(step.is_cut && (length / radius - 1.0).abs() < 0.11, "{length} {radius}");
        }
    }

    /// Compares steps with the minimum on a fine grid.
    #[test]
    fn bounds_are_part_of_the_problem() {
        let residuals = linear(COLUMNS, [1.0, -2.0, 0.5]);
        for seed in 0..40_u32 {
            let at = |k: u32| f64::from((seed * 7 + k * 13) % 17) / 17.0;
            let bounds: (Vec<f64>, Vec<f64>) =
                ((0..3).map(|k| -1.5 * at(k)).collect(), (3..6).map(|k| 1.5 * at(k)).collect());
            let problem = subproblem(&residuals, bounds.clone());
            let found = problem.step(1e6, false).map_or(vec![0.0; 3], |step| step.vector);
            let slopes = residuals.slopes_at(&found);
            for k in 0..3 {
                let (low, high) = (found[k] <= bounds.0[k], found[k] >= bounds.1[k]);
                let holds = low && slopes[k] >= -1e-9 || high && slopes[k] <= 1e-9 || slopes[k].abs() < 1e-9;
                assert!(holds, "{seed}: {found:?} {slopes:?} {bounds:?}");
            }
        }
    }

    #[test]
    fn nothing_moves_along_what_residuals_do_not_tell() {
        // the third column is the sum of the others
        let residuals = linear([[2.0, 0.3, 0.0], [0.1, 1.0, 0.4], [2.1, 1.3, 0.4]], [1.0, -2.0, 0.5]);
        let problem =
            Subproblem { residuals: &residuals, scales: &[1.0; 3], sizes: &[1.0; 3], box_: free(), deviation: 0.0 };
        let step = problem.step(1e3, false).unwrap();
        let [flat] = &step.flat[..] else { panic!("{step:?}") };
        assert!((flat[0] + flat[2]).abs() < 1e-9 && (flat[1] + flat[2]).abs() < 1e-9, "{flat:?}");
        let along: f64 = step.vector.iter().zip(flat).map(|(d, v)| d * v).sum();
        assert!(along.abs() < 1e-9, "{step:?}");
    }
}
