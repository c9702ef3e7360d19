//! The search for the unknowns and the starts of all pieces together.

use nalgebra::{DMatrix, DVector};

use costate_optimize::{LinearResiduals, are_possible_bodies};
use costate_system::problem::SimulationError;

use super::chain::{Chain, Starts};
use super::elimination::{Eliminated, PieceRows};
use super::piece::Evaluated;
use super::{InPieces, Joined, ShiftsByKnown};
use crate::estimation::experiment_problem::EstimationProblem;
use crate::estimation::observed::Observed;
use crate::known_parameters::CHANGE_OF_KNOWN;

/// Unknowns and starts with the runs of all pieces.
pub(super) struct Point {
    unknowns: Vec<f64>,
    starts: Vec<Starts>,
    evaluated: Vec<Vec<Evaluated>>,
}

impl Point {
    /// Exchanges residuals and ends of all pieces with those of another point; derivatives stay.
    fn swap_values(&mut self, other: &mut Self) {
        let others = other.evaluated.iter_mut().flatten();
        self.evaluated.iter_mut().flatten().zip(others).for_each(|(own, other)| own.swap_values(other));
    }
}

/// A search in pieces.
pub(super) struct Shooting<'a> {
    estimation: &'a EstimationProblem,
    chains: Vec<Chain>,
    channels: Vec<&'a Observed>,
    /// Mean period of the fastest channel in s, if one has a period.
    period: Option<f64>,
    /// Factors of the residuals of every channel.
    factors: Vec<f64>,
    /// Typical changes of q and v in every chain.
    scales: Vec<Vec<f64>>,
    /// Deviation of gaps, relative to these.
    deviation: f64,
}

impl<'a> Shooting<'a> {
    pub fn new(estimation: &'a EstimationProblem, chains: Vec<Chain>, channels: Vec<&'a Observed>) -> Self {
        let period = estimation.shortest_period();
        Self { estimation, chains, channels, period, factors: Vec::new(), scales: Vec::new(), deviation: 1.0 }
    }

    /// Fits the starts one after the other, with these values of the unknowns and this deviation of gaps.
    pub fn first_point(&mut self, unknowns: &[f64], deviation: f64) -> Result<Point, SimulationError> {
        /// Deviation of residuals before anything is known of them, relative to the scatter of the measured values.
        const FIRST_DEVIATION: f64 = 0.1;
        let factor = |channel: &&Observed| match channel.weighed_scatter() {
            scatter if scatter > 0.0 => 1.0 / (FIRST_DEVIATION * scatter),
            _ => 1.0,
        };
        self.factors = self.channels.iter().map(factor).collect();
        let of_chain = |chain: &Chain, pull: Option<&[f64]>| {
            chain.first_starts(unknowns, &self.factors[chain.first_channel..], pull)
        };
        let starts = self.chains.iter().map(|chain| of_chain(chain, None)).collect::<Result<Vec<_>, _>>()?;
        let free = self.evaluated(unknowns.to_vec(), starts)?;
        // where the samples do not tell a motion from its mirror image, the end of the piece before does
        self.scales = self.scales_of(&free);
        self.deviation = deviation;
        let weights = |scales: &Vec<f64>| scales.iter().map(|scale| 1.0 / (deviation * scale)).collect::<Vec<f64>>();
        let pulled = self.chains.iter().zip(&self.scales);
        let pulled = pulled.map(|(chain, scales)| of_chain(chain, Some(&weights(scales)))).collect::<Result<_, _>>();
        let pulled = pulled.and_then(|starts| self.evaluated(unknowns.to_vec(), starts));
        let mut point = match pulled {
            Ok(pulled) if self.cost(&pulled) < self.cost(&free) => pulled,
            _ => free,
        };
        self.differentiate(&mut point)?;
        Ok(point)
    }

    /// Returns typical changes of q and v in every chain.
    fn scales_of(&self, point: &Point) -> Vec<Vec<f64>> {
        let n = self.estimation.description().coordinates.len();
        point.starts.iter().map(|starts| Chain::scales(starts, n, self.period)).collect()
    }

    /// Simulates all pieces, without derivatives.
    fn evaluated(&self, unknowns: Vec<f64>, starts: Vec<Starts>) -> Result<Point, SimulationError> {
        let of_chain = |(chain, starts): (&Chain, &Starts)| chain.evaluate(starts, &unknowns);
        let evaluated = self.chains.iter().zip(&starts).map(of_chain).collect::<Result<_, _>>()?;
        Ok(Point { unknowns, starts, evaluated })
    }

    fn differentiate(&self, point: &mut Point) -> Result<(), SimulationError> {
        let mut each = self.chains.iter().zip(&mut point.evaluated).zip(&point.starts);
        each.try_for_each(|((chain, evaluated), starts)| chain.differentiate(evaluated, starts, &point.unknowns))
    }

    /// Weighs the residuals by their size at this point, and gaps by this deviation relative to the scatter of the
    /// states.
    pub fn begin_stage(&mut self, point: &Point, deviation: f64) {
        /// Smallest residuals, relative to the scatter of the measured values, by which these are weighed.
        const MIN_RELATIVE_RESIDUAL: f64 = 1e-6;
        self.scales = self.scales_of(point);
        self.deviation = deviation;
        let sizes = self.sizes(point);
        let is_common = !self.estimation.by_likelihood;
        let common = (sizes.iter().map(|size| size * size).sum::<f64>() / sizes.len().max(1) as f64).sqrt();
        let factor = |(channel, size): (&&Observed, &f64)| match channel.given_deviation {
            Some(_) if self.estimation.by_likelihood => 1.0,
            _ => {
                let size = if is_common { common } else { *size };
                let size = size.max(MIN_RELATIVE_RESIDUAL * channel.weighed_scatter());
                if size > 0.0 { 1.0 / size } else { 1.0 }
            }
        };
        self.factors = self.channels.iter().zip(&sizes).map(factor).collect();
    }

    /// Returns the root mean squares of the residuals of all channels, times the roots of their weights.
    fn sizes(&self, point: &Point) -> Vec<f64> {
        let mut sums = vec![(0.0, 0_usize); self.channels.len()];
        for (chain, evaluated) in self.chains.iter().zip(&point.evaluated) {
            for evaluated in evaluated {
                for (linear, sum) in evaluated.residuals.iter().zip(&mut sums[chain.first_channel..]) {
                    sum.0 += linear.values.iter().map(|value| value * value).sum::<f64>();
                    sum.1 += linear.values.len();
                }
            }
        }
        sums.into_iter().map(|(sum, count)| (sum / count.max(1) as f64).sqrt()).collect()
    }

    /// Returns the found values and the largest gap.
    pub fn found(&self, point: &Point) -> InPieces {
        let mut gap = 0.0_f64;
        for ((starts, evaluated), scales) in point.starts.iter().zip(&point.evaluated).zip(&self.scales) {
            let defects = Chain::defects(starts, evaluated);
            for (start, defects) in starts.iter().skip(1).flatten().zip(&defects) {
                let relative = start.independent.iter().zip(defects).map(|(k, defect)| defect.abs() / scales[*k]);
                gap = relative.fold(gap, f64::max);
            }
        }
        InPieces {
            unknowns: point.unknowns.clone(),
            pieces: point.starts.iter().map(Vec::len).sum(),
            residuals: self.sizes(point),
            gap,
            joined: None,
        }
    }

    /// Returns the runs of all experiments, which consist of their pieces, with the derivatives of the outputs: those
    /// of starts that remain continuous and follow the unknowns to the least residuals.
    pub fn joined(mut self, point: Point) -> Result<Joined, SimulationError> {
        let slopes = vec![1.0; point.unknowns.len()];
        let each = self.chains.iter().enumerate().zip(&point.starts);
        let runs = each.map(|((number, chain), starts)| {
            let by_unknowns = self.eliminated(&point, number, &slopes, f64::EPSILON).derivatives(slopes.len());
            chain.joined(starts, &point.unknowns, &by_unknowns)
        });
        let runs = runs.collect::<Result<_, _>>()?;
        let by_known = self.shifts_by_known(point);
        Ok(Joined { runs, by_known })
    }

    /// Returns how far the minimum moves where a known parameter is larger by [`CHANGE_OF_KNOWN`], for every parameter
    /// with which all pieces can be simulated.
    fn shifts_by_known(&mut self, mut point: Point) -> ShiftsByKnown {
        let Some(own) = self.undamped_step(&point) else { return Vec::new() };
        let slopes = self.estimation.scales(&point.unknowns);
        let mut shifts = Vec::new();
        for index in self.estimation.known_parameters() {
            let scale = |chains: &mut [Chain], factor: f64| chains.iter_mut().for_each(|of| of.scale(index, factor));
            scale(&mut self.chains, 1.0 + CHANGE_OF_KNOWN);
            let evaluated = self.evaluated(point.unknowns.clone(), point.starts.clone());
            scale(&mut self.chains, (1.0 + CHANGE_OF_KNOWN).recip());
            let Ok(mut changed) = evaluated else { continue };
            // the derivatives remain those of the minimum
            point.swap_values(&mut changed);
            let step = self.undamped_step(&point);
            point.swap_values(&mut changed);
            let Some(step) = step else { continue };
            shifts.push((index, slopes.iter().zip((step - &own).iter()).map(|(slope, step)| slope * step).collect()));
        }
        shifts
    }

    /// Returns the step to the least squares of the linearised rows, in the scales of the unknowns.
    fn undamped_step(&self, point: &Point) -> Option<DVector<f64>> {
        let slopes = self.estimation.scales(&point.unknowns);
        let chains = (0..self.chains.len()).map(|chain| self.eliminated(point, chain, &slopes, f64::EPSILON));
        let rows = self.common_rows(&chains.collect::<Vec<_>>(), point, &slopes);
        bounded_step(&rows, f64::EPSILON, &vec![(f64::NEG_INFINITY, f64::INFINITY); slopes.len()])
    }

    /// Returns the rows of all chains and of the priors, by the common unknowns in their scales, and minus the value.
    fn common_rows(&self, chains: &[Eliminated], point: &Point, slopes: &[f64]) -> DMatrix<f64> {
        let priors = self.priors(&point.unknowns);
        let count = slopes.len();
        let rows = chains.iter().map(|chain| chain.common.nrows()).sum::<usize>() + priors.values.len();
        let mut all = DMatrix::zeros(rows, count + 1);
        let mut row = 0;
        for chain in chains {
            all.view_mut((row, 0), chain.common.shape()).copy_from(&chain.common);
            row += chain.common.nrows();
        }
        for (k, value) in priors.values.iter().enumerate() {
            for (unknown, slope) in slopes.iter().enumerate() {
                all[(row + k, unknown)] = priors.derivatives[unknown][k] * slope;
            }
            all[(row + k, count)] = -value;
        }
        all
    }

    /// Returns the sum of squares of residuals, gaps and priors.
    fn cost(&self, point: &Point) -> f64 {
        let mut sum = 0.0;
        for (number, evaluated) in point.evaluated.iter().enumerate() {
            let factors = &self.factors[self.chains[number].first_channel..];
            for evaluated in evaluated {
                for (linear, factor) in evaluated.residuals.iter().zip(factors) {
                    sum += factor * factor * linear.values.iter().map(|value| value * value).sum::<f64>();
                }
            }
            let defects = Chain::defects(&point.starts[number], evaluated);
            for (start, defects) in point.starts[number].iter().skip(1).flatten().zip(&defects) {
                let weights = self.weights(number, &start.independent);
                sum += weights.iter().zip(defects).map(|(weight, defect)| (weight * defect).powi(2)).sum::<f64>();
            }
        }
        sum + self.priors(&point.unknowns).values.iter().map(|value| value * value).sum::<f64>()
    }

    fn weights(&self, chain: usize, independent: &[usize]) -> Vec<f64> {
        independent.iter().map(|k| 1.0 / (self.deviation * self.scales[chain][*k])).collect()
    }

    fn priors(&self, unknowns: &[f64]) -> LinearResiduals {
        let mut linear = LinearResiduals::default();
        self.estimation.priors.rows(unknowns).iter().for_each(|rows| rows.add_linear(&mut linear));
        linear
    }

    /// Minimises by steps of Levenberg and Marquardt.
    pub fn minimise(&self, mut point: Point) -> Result<Point, SimulationError> {
        /// Steps of a stage, and trials of a step, at most: the next stage goes on where one ends.
        const MAX_STEPS: usize = 12;
        const MAX_TRIALS: usize = 8;
        /// Relative reduction of the cost by a step below which a stage ends.
        const MIN_REDUCTION: f64 = 1e-3;
        let (mut cost, mut damping) = (self.cost(&point), 1e-4);
        for _ in 0..MAX_STEPS {
            let mut better = None;
            for _ in 0..MAX_TRIALS {
                let (trial, predicted) = self.trial(&point, damping);
                if let Some(mut trial) = trial {
                    let reached = self.cost(&trial);
                    if reached < cost && self.differentiate(&mut trial).is_ok() {
                        better = Some((trial, reached));
                        damping = f64::max(damping * 0.1, 1e-12);
                        break;
                    }
                }
                // shorter steps reduce the cost by less
                if cost - predicted <= MIN_REDUCTION * cost {
                    break;
                }
                damping *= 10.0;
            }
            let Some((next, reached)) = better else { break };
            let reduction = cost - reached;
            (point, cost) = (next, reached);
            if reduction <= MIN_REDUCTION * cost {
                break;
            }
        }
        Ok(point)
    }

    /// Takes a dampened step, without derivatives; `None` where a piece cannot be simulated after it. Returns the cost
    /// after it of the linearised rows as well.
    fn trial(&self, point: &Point, damping: f64) -> (Option<Point>, f64) {
        let variables = self.estimation.state.variables();
        let slopes = self.estimation.scales(&point.unknowns);
        let chains = (0..self.chains.len()).map(|chain| self.eliminated(point, chain, &slopes, damping));
        let chains: Vec<Eliminated> = chains.collect();
        let all = self.common_rows(&chains, point, &slopes);
        let bounds: Vec<(f64, f64)> = variables
            .iter()
            .zip(&point.unknowns)
            .map(|(variable, value)| {
                let at = variable.scaled_at(*value);
                let (least, most) = variable.scaled_bounds();
                (least - at, most - at)
            })
            .collect();
        let Some(step) = bounded_step(&all, damping, &bounds) else { return (None, 0.0) };
        let left = all.columns(0, step.len()) * &step - all.column(step.len());
        (self.moved(point, &chains, &step), left.norm_squared())
    }

    /// Returns the point after a step of the unknowns in their scales, without derivatives; `None` where a piece cannot
    /// be simulated there.
    fn moved(&self, point: &Point, chains: &[Eliminated], step: &DVector<f64>) -> Option<Point> {
        let variables = self.estimation.state.variables();
        let unknowns: Vec<f64> = variables
            .iter()
            .zip(&point.unknowns)
            .zip(step.iter())
            .map(|((variable, value), step)| variable.physical(variable.scaled_at(*value) + step))
            .collect();
        if !are_possible_bodies(variables, &unknowns) {
            return None;
        }
        let mut starts = Vec::with_capacity(self.chains.len());
        for ((chain, eliminated), of_chain) in self.chains.iter().zip(chains).zip(&point.starts) {
            let steps = eliminated.starts(step);
            starts.push(chain.moved(of_chain, &steps, &unknowns).ok()?);
        }
        self.evaluated(unknowns, starts).ok()
    }

    /// Eliminates the starts of a chain.
    fn eliminated(&self, point: &Point, number: usize, slopes: &[f64], damping: f64) -> Eliminated {
        let (starts, evaluated) = (&point.starts[number], &point.evaluated[number]);
        let factors = &self.factors[self.chains[number].first_channel..];
        let defects = Chain::defects(starts, evaluated);
        let count = slopes.len();
        let next = starts.iter().skip(1).map(Option::as_ref).chain([None]);
        let pieces =
            starts.iter().zip(evaluated).zip(next).zip(&defects).map(|(((start, evaluated), next), defects)| {
                let own = start.as_ref().map_or(0, |start| start.independent.len());
                // own unknowns first, then the common ones in their scale
                let place = |column: usize| if column < count { own + column } else { column - count };
                let scale = |column: usize| slopes.get(column).copied().unwrap_or(1.0);
                let samples = evaluated.residuals.iter().map(|linear| linear.values.len()).sum();
                let mut residuals = DMatrix::zeros(samples, own + count + 1);
                let mut row = 0;
                for (linear, factor) in evaluated.residuals.iter().zip(factors) {
                    for (column, derivatives) in linear.derivatives.iter().enumerate() {
                        for (k, derivative) in derivatives.iter().enumerate() {
                            residuals[(row + k, place(column))] = factor * derivative * scale(column);
                        }
                    }
                    for (k, value) in linear.values.iter().enumerate() {
                        residuals[(row + k, own + count)] = -factor * value;
                    }
                    row += linear.values.len();
                }
                let independent = next.map_or(&[][..], |next| &next.independent);
                let weights = self.weights(number, independent);
                let mut of_defects = DMatrix::zeros(weights.len(), own + count + 1);
                for (row, (k, weight)) in independent.iter().zip(&weights).enumerate() {
                    for column in 0..count + own {
                        of_defects[(row, place(column))] = weight * evaluated.end_by[(*k, column)] * scale(column);
                    }
                    of_defects[(row, own + count)] = -weight * defects[row];
                }
                let squares = |k: usize| residuals.column(k).norm_squared() + of_defects.column(k).norm_squared();
                let dampen = (0..own).map(|k| (damping * squares(k).max(f64::MIN_POSITIVE)).sqrt()).collect();
                PieceRows { residuals, defects: of_defects, weights, damping: dampen }
            });
        Eliminated::of(&pieces.collect::<Vec<_>>(), count)
    }
}

/// Solves the dampened least squares in these rows, of the unknowns and minus the value, within bounds of the step:
/// what would leave them is held there. `None` where numbers are not finite.
fn bounded_step(rows: &DMatrix<f64>, damping: f64, bounds: &[(f64, f64)]) -> Option<DVector<f64>> {
    let count = bounds.len();
    let matrix = rows.columns(0, count).into_owned();
    let gram = matrix.tr_mul(&matrix);
    let largest = gram.diagonal().amax();
    let mut held: Vec<Option<f64>> = bounds.iter().map(|(least, most)| (least >= most).then_some(*least)).collect();
    loop {
        let free: Vec<usize> = (0..count).filter(|k| held[*k].is_none()).collect();
        let mut right = rows.column(count).into_owned();
        for (k, at) in held.iter().enumerate() {
            right -= matrix.column(k) * at.unwrap_or(0.0);
        }
        let mut stacked = DMatrix::zeros(matrix.nrows() + free.len(), free.len());
        let mut values = DVector::zeros(matrix.nrows() + free.len());
        values.rows_mut(0, right.len()).copy_from(&right);
        for (place, k) in free.iter().enumerate() {
            stacked.view_mut((0, place), (matrix.nrows(), 1)).copy_from(&matrix.column(*k));
            stacked[(matrix.nrows() + place, place)] = (damping * gram[(*k, *k)].max(f64::EPSILON * largest)).sqrt();
        }
        let factors = stacked.qr();
        let solution = factors.r().solve_upper_triangular(&factors.q().tr_mul(&values))?;
        let mut step = DVector::from_iterator(count, held.iter().map(|at| at.unwrap_or(0.0)));
        free.iter().zip(solution.iter()).for_each(|(k, value)| step[*k] = *value);
        if !step.iter().all(|value| value.is_finite()) {
            return None;
        }
        let mut has_changed = false;
        for k in free {
            let (least, most) = bounds[k];
            if step[k] < least || step[k] > most {
                held[k] = Some(step[k].clamp(least, most));
                has_changed = true;
            }
        }
        if !has_changed {
            return Some(step);
        }
    }
}
