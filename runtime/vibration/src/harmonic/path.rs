//! Paths of motions over the frequency or the amplitude, through turning points.
//!
//! Distances are measured in scaled variables: coefficients by the size of their function, the parameter by its value.
//! A step goes along the tangent; then the motion with the next wanted parameter is found if the step reaches it, else
//! one on the plane across the tangent.

use crate::harmonic::balance::{Balance, Motion};
use crate::harmonic::error::PathEnd;
use crate::harmonic::newton::{Failure, Found, Parameter, at_fixed, on_plane, sizes};

/// Longest step.
const MAX_STEP_LENGTH: f64 = 0.7;

/// Shortest step.
const MIN_STEP_LENGTH: f64 = 1e-7;

/// Iterations of a step; more mean that the step is too long.
const MAX_STEP_ITERATIONS: usize = 8;

/// Largest distance between a predicted and a found motion, relative to the step.
const MAX_DEVIATION: f64 = 0.35;

/// Deviation below which steps grow.
const GROWTH_DEVIATION: f64 = 0.1;

/// Smallest cosine of the angle between the directions at both ends of a step.
const MIN_DIRECTION_COSINE: f64 = 0.7;

/// A motion of a path, with the direction in which the path goes on.
#[derive(Debug, Clone)]
struct Place {
    motion: Motion,
    /// Derivatives of coefficients and parameter with respect to the length.
    tangent: Vec<f64>,
    /// Weights of the squares in lengths.
    weights: Vec<f64>,
}

/// A motion with a wanted parameter.
#[derive(Debug, Clone)]
pub(crate) struct Hit {
    pub found: Found,
    /// Position of the wanted parameter.
    pub target: usize,
    /// Number of turning points before.
    pub turns: usize,
}

/// A place at which the parameter of a path turns back.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Turn {
    pub parameter: f64,
    /// Estimated error of the parameter.
    pub error: f64,
}

/// A path that was followed.
#[derive(Debug, Clone)]
pub(crate) struct Path {
    pub hits: Vec<Hit>,
    pub turns: Vec<Turn>,
    /// The last motion, and why the path was not followed any further.
    pub last: Motion,
    pub end: PathEnd,
}

/// A path that cannot be followed any further.
#[derive(Debug, Clone)]
pub(crate) struct Broken {
    pub failure: Failure,
    /// The last motion that was found.
    pub last: Motion,
}

/// The task of a path.
pub(crate) struct Task<'a> {
    pub parameter: Parameter,
    /// Wanted parameters, ascending.
    pub targets: &'a [f64],
    /// 1 if the path starts upwards, -1 if downwards.
    pub direction: f64,
    /// Sizes of functions below which coefficients are not compared with their own size.
    pub floors: &'a [f64],
    /// Size of the parameter below which it is not compared with itself.
    pub parameter_floor: f64,
}

/// Follows a path from a motion; if its parameter is a target, it is the first hit. A path over the amplitude ends with
/// the first motion of its last target.
pub(crate) fn follow(
    balance: &mut Balance<'_>,
    start: Found,
    task: &Task<'_>,
    mut stop: impl FnMut() -> bool,
) -> Result<Path, Broken> {
    /// Most steps of a path.
    const MAX_STEPS: usize = 20_000;
    /// Distance from the first motion, in scaled variables, below which a path has come back to it.
    const RETURN_DISTANCE: f64 = 1e-6;
    let mut path = Path { hits: Vec::new(), turns: Vec::new(), last: start.motion.clone(), end: PathEnd::Passed };
    let broken = |failure: Failure, last: &Motion| Broken { failure, last: last.clone() };
    let weights = task.weights(balance, &start);
    balance.factor(&start.evaluation, start.motion.omega, None).map_err(|fault| broken(fault.into(), &start.motion))?;
    let tangent = tangent_at(balance, &start, task.parameter, &weights, None)
        .map_err(|failure| broken(failure, &start.motion))?;
    let sign = task.direction * tangent.last().copied().unwrap_or(1.0).signum();
    let tangent = tangent.into_iter().map(|value| sign * value).collect();
    let mut place = Place { motion: start.motion.clone(), tangent, weights };
    let first = task.parameter.of(&start.motion);
    if let Some(target) = task.targets.iter().position(|target| *target == first) {
        path.hits.push(Hit { found: start, target, turns: 0 });
    }
    let mut length = MAX_STEP_LENGTH;
    let mut steps_back = 0;
    for _ in 0..MAX_STEPS {
        if stop() {
            return Ok(path);
        }
        path.last.clone_from(&place.motion);
        let parameter = task.parameter.of(&place.motion);
        let slope = place.tangent.last().copied().unwrap_or(0.0);
        let next = match slope > 0.0 {
            true => task.targets.iter().position(|target| *target > parameter),
            false => task.targets.iter().rposition(|target| *target < parameter),
        };
        let wanted = next.and_then(|target| Some((target, *task.targets.get(target)?)));
        if wanted.is_none() {
            if slope * task.direction >= 0.0 {
                return Ok(path);
            }
            // beyond a turning point, the path may turn once more
            steps_back += 1;
            if let Some(end) = task.end_of_way_back(parameter, steps_back) {
                path.end = end;
                return Ok(path);
            }
        }
        let reach = wanted.map_or(f64::INFINITY, |(_, wanted)| (wanted - parameter) / slope);
        let step = reach.min(length);
        let result = match wanted.filter(|_| reach <= length) {
            Some((target, wanted)) => direct(balance, &place, task, (wanted, step)).map(|(found, next)| {
                path.hits.push(Hit { found, target, turns: path.turns.len() });
                next
            }),
            None => across(balance, &place, task, step, &mut path),
        };
        if path.hits.len() > 1
            && let (Some(first), Some(last)) = (path.hits.first(), path.hits.last())
            && first.target == last.target
        {
            let change = difference(&first.found.motion, &last.found.motion, task.parameter);
            if product(&change, &change, &place.weights).sqrt() < RETURN_DISTANCE {
                path.hits.pop();
                path.end = PathEnd::Loop;
                return Ok(path);
            }
        }
        match result {
            Ok((next, deviation)) => {
                if deviation < GROWTH_DEVIATION {
                    length = (2.0 * step).max(length).min(MAX_STEP_LENGTH);
                } else {
                    length = length.min(1.2 * step);
                }
                place = next;
                let is_at_end = path.hits.last().is_some_and(|hit| hit.target + 1 == task.targets.len());
                if task.parameter == Parameter::Amplitude && is_at_end {
                    return Ok(path);
                }
            }
            Err(failure) => {
                length = 0.4 * step;
                if length < MIN_STEP_LENGTH && wanted.is_none() {
                    path.end = PathEnd::Stuck;
                    return Ok(path);
                }
                if length < MIN_STEP_LENGTH {
                    return Err(broken(failure, &place.motion));
                }
            }
        }
    }
    Err(broken(Failure::Slow(length), &place.motion))
}

impl Task<'_> {
    /// Returns why a path that goes back, with no wanted parameter ahead, is not followed any further; `None` while it
    /// is.
    fn end_of_way_back(&self, parameter: f64, steps: usize) -> Option<PathEnd> {
        /// Most steps of a path that goes back, with no wanted parameter ahead, in the hope that it turns once more.
        const MAX_STEPS_BACK: usize = 400;
        /// Largest ratio between a wanted parameter and that of a path which goes back.
        const MAX_RATIO_BACK: f64 = 20.0;
        let (lowest, highest) = (self.targets.first().copied()?, self.targets.last().copied()?);
        let is_far = match self.parameter {
            // the way back from an amplitude leads to rest
            Parameter::Amplitude => false,
            Parameter::Omega => parameter * MAX_RATIO_BACK < lowest || parameter > highest * MAX_RATIO_BACK,
        };
        match parameter <= 0.0 {
            true => Some(PathEnd::Zero),
            false if is_far => Some(PathEnd::Far),
            false => (steps > MAX_STEPS_BACK).then_some(PathEnd::Long),
        }
    }

    /// Weights of squares: of the coefficients of every function together, and of the parameter.
    fn weights(&self, balance: &Balance<'_>, Found { motion, evaluation, .. }: &Found) -> Vec<f64> {
        let sizes = sizes(balance, (&motion.coefficients, 1), (evaluation, motion.omega));
        let (width, count) = (balance.basis.width(), balance.layout.functions() as f64);
        let mut weights = Vec::with_capacity(balance.unknowns() + 1);
        for (function, size) in sizes.iter().enumerate() {
            let size = size.max(self.floors.get(function).copied().unwrap_or(0.0));
            let weight = if size > 0.0 { 1.0 / (size * size * count) } else { 0.0 };
            weights.extend(std::iter::repeat_n(weight, width));
        }
        let own = self.parameter.of(motion).abs().max(self.parameter_floor);
        weights.push(1.0 / (own * own));
        weights
    }
}

fn product(a: &[f64], b: &[f64], weights: &[f64]) -> f64 {
    a.iter().zip(b).zip(weights).map(|((a, b), weight)| a * b * weight).sum()
}

/// The direction of the path at a motion, of length 1; that along `before` if it is given. The Jacobian's factors are
/// those of the motion.
fn tangent_at(
    balance: &mut Balance<'_>,
    found: &Found,
    parameter: Parameter,
    weights: &[f64],
    before: Option<&[f64]>,
) -> Result<Vec<f64>, Failure> {
    let mut tangent: Vec<f64> = parameter.column(&found.evaluation).iter().map(|value| -value).collect();
    balance.solve(false, &mut tangent);
    tangent.push(1.0);
    oriented(tangent, weights, before)
}

fn oriented(mut tangent: Vec<f64>, weights: &[f64], before: Option<&[f64]>) -> Result<Vec<f64>, Failure> {
    let length = product(&tangent, &tangent, weights).sqrt();
    let sign = match before {
        Some(before) => product(&tangent, before, weights).signum(),
        None => 1.0,
    };
    tangent.iter_mut().for_each(|value| *value *= sign / length);
    match tangent.iter().all(|value| value.is_finite()) {
        true => Ok(tangent),
        false => Err(crate::harmonic::balance::Fault::NotFinite.into()),
    }
}

fn predicted(place: &Place, parameter: Parameter, step: f64) -> Motion {
    let mut motion = place.motion.clone();
    motion.coefficients.iter_mut().zip(&place.tangent).for_each(|(own, slope)| *own += step * slope);
    *parameter.of_mut(&mut motion) += step * place.tangent.last().copied().unwrap_or(0.0);
    motion
}

/// The difference of two motions: coefficients, then the parameter.
fn difference(a: &Motion, b: &Motion, parameter: Parameter) -> Vec<f64> {
    let coefficients = a.coefficients.iter().zip(&b.coefficients).map(|(a, b)| a - b);
    coefficients.chain([parameter.of(a) - parameter.of(b)]).collect()
}

/// Checks that the found motion continues the path, and returns the deviation from the prediction relative to the step.
fn deviation(
    place: &Place,
    (guess, found): (&Motion, &Motion),
    tangent: &[f64],
    (parameter, step): (Parameter, f64),
) -> Result<f64, Failure> {
    let change = difference(found, guess, parameter);
    let deviation = product(&change, &change, &place.weights).sqrt() / step;
    let length = product(tangent, tangent, &place.weights).sqrt();
    let cosine = product(tangent, &place.tangent, &place.weights) / length;
    match deviation <= MAX_DEVIATION && cosine >= MIN_DIRECTION_COSINE {
        true => Ok(deviation),
        false => Err(Failure::Slow(deviation)),
    }
}

/// A step to a wanted parameter.
fn direct(
    balance: &mut Balance<'_>,
    place: &Place,
    task: &Task<'_>,
    (wanted, step): (f64, f64),
) -> Result<(Found, (Place, f64)), Failure> {
    let mut guess = predicted(place, task.parameter, step);
    *task.parameter.of_mut(&mut guess) = wanted;
    let found = at_fixed(balance, guess.clone(), MAX_STEP_ITERATIONS)?;
    let tangent = tangent_at(balance, &found, task.parameter, &place.weights, Some(&place.tangent))?;
    let deviation = deviation(place, (&guess, &found.motion), &tangent, (task.parameter, step))?;
    let weights = task.weights(balance, &found);
    let tangent = oriented(tangent, &weights, None)?;
    let next = Place { motion: found.motion.clone(), tangent, weights };
    Ok((found, (next, deviation)))
}

/// A step on the plane across the tangent, with all wanted parameters on the way.
fn across(
    balance: &mut Balance<'_>,
    place: &Place,
    task: &Task<'_>,
    step: f64,
    path: &mut Path,
) -> Result<(Place, f64), Failure> {
    let parameter = task.parameter;
    let guess = predicted(place, parameter, step);
    // the row has the size of the others: equilibration takes care of the rest
    let row: Vec<f64> = place.tangent.iter().zip(&place.weights).map(|(t, weight)| t * weight).collect();
    let found = on_plane(balance, guess.clone(), (parameter, &row), MAX_STEP_ITERATIONS)?;
    let mut tangent = vec![0.0; balance.unknowns()];
    tangent.push(1.0);
    balance.solve(true, &mut tangent);
    let tangent = oriented(tangent, &place.weights, Some(&place.tangent))?;
    let deviation = deviation(place, (&guess, &found.motion), &tangent, (parameter, step))?;
    let change = difference(&found.motion, &place.motion, parameter);
    let arc = Arc { place, change, tangent: &tangent, length: step };
    let turn = arc.turn();
    let mut hits = Vec::new();
    for (at, target) in arc.crossings(parameter, task.targets) {
        let mut guess = place.motion.clone();
        for (k, own) in guess.coefficients.iter_mut().enumerate() {
            *own += arc.rise(k, at);
        }
        let wanted = task.targets.get(target).copied().unwrap_or_default();
        *parameter.of_mut(&mut guess) = wanted;
        let hit = at_fixed(balance, guess.clone(), MAX_STEP_ITERATIONS)?;
        let change = difference(&hit.motion, &guess, parameter);
        let distance = product(&change, &change, &place.weights).sqrt() / step;
        if distance > MAX_DEVIATION {
            return Err(Failure::Slow(distance));
        }
        let turns = path.turns.len() + usize::from(turn.is_some_and(|turn| at > turn));
        hits.push(Hit { found: hit, target, turns });
    }
    if let Some(turn) = turn {
        path.turns.push(refined(balance, &arc, turn, (parameter, &row))?);
    }
    path.hits.append(&mut hits);
    let weights = task.weights(balance, &found);
    let tangent = oriented(tangent, &weights, None)?;
    Ok((Place { motion: found.motion, tangent, weights }, deviation))
}

/// Computes the motion near a turning point, and the turn of the part of the step that this leaves.
fn refined(
    balance: &mut Balance<'_>,
    arc: &Arc<'_>,
    turn: f64,
    (parameter, row): (Parameter, &[f64]),
) -> Result<Turn, Failure> {
    let place = arc.place;
    let last = place.tangent.len().saturating_sub(1);
    let first = parameter.of(&place.motion) + arc.rise(last, turn);
    let mut guess = place.motion.clone();
    for (k, own) in guess.coefficients.iter_mut().enumerate() {
        *own += arc.rise(k, turn);
    }
    *parameter.of_mut(&mut guess) = first;
    let middle = on_plane(balance, guess, (parameter, row), MAX_STEP_ITERATIONS)?;
    let mut tangent = vec![0.0; balance.unknowns()];
    tangent.push(1.0);
    balance.solve(true, &mut tangent);
    let tangent = oriented(tangent, &place.weights, Some(&place.tangent))?;
    let change = difference(&middle.motion, &place.motion, parameter);
    let is_before = tangent.get(last).copied().unwrap_or(0.0) * place.tangent.get(last).copied().unwrap_or(0.0) > 0.0;
    let here = parameter.of(&middle.motion);
    let rise = match is_before {
        true => {
            let rest = arc.change.iter().zip(&change).map(|(all, part)| all - part).collect();
            let from = Place { motion: middle.motion, tangent, weights: place.weights.clone() };
            let length = (1.0 - turn) * arc.length;
            let rest = Arc { place: &from, change: rest, tangent: arc.tangent, length };
            rest.turn().map_or(0.0, |turn| rest.rise(last, turn))
        }
        false => {
            let part = Arc { place, change, tangent: &tangent, length: turn * arc.length };
            let start = parameter.of(&place.motion);
            part.turn().map_or(0.0, |turn| start + part.rise(last, turn) - here)
        }
    };
    let better = here + rise;
    Ok(Turn { parameter: better, error: (better - first).abs().max(4.0 * f64::EPSILON * better.abs()) })
}

/// The cubic between both ends of a step, with their directions, over 0 to 1.
struct Arc<'a> {
    place: &'a Place,
    change: Vec<f64>,
    tangent: &'a [f64],
    length: f64,
}

impl Arc<'_> {
    fn numbers(&self, k: usize) -> [f64; 3] {
        let of = |values: &[f64]| values.get(k).copied().unwrap_or(0.0);
        [of(&self.change), self.length * of(&self.place.tangent), self.length * of(self.tangent)]
    }

    /// The change of a variable since the start of the step.
    fn rise(&self, k: usize, at: f64) -> f64 {
        let [change, start, end] = self.numbers(k);
        let (square, cube) = (at * at, at * at * at);
        change * (3.0 * square - 2.0 * cube) + start * (at - 2.0 * square + cube) + end * (cube - square)
    }

    /// The place at which the parameter turns, if it does.
    fn turn(&self) -> Option<f64> {
        let last = self.place.tangent.len().checked_sub(1)?;
        let [change, start, end] = self.numbers(last);
        if start * end >= 0.0 {
            return None;
        }
        let slope = |at: f64| {
            change * (6.0 * at - 6.0 * at * at)
                + start * (1.0 - 4.0 * at + 3.0 * at * at)
                + end * (3.0 * at * at - 2.0 * at)
        };
        let (mut low, mut high) = (0.0, 1.0);
        for _ in 0..50 {
            let middle = 0.5 * (low + high);
            if slope(middle) * start > 0.0 { low = middle } else { high = middle }
        }
        Some(0.5 * (low + high))
    }

    /// Places at which the parameter has wanted values, in order, with the positions of these. Turns divide the step
    /// into parts.
    fn crossings(&self, parameter: Parameter, targets: &[f64]) -> Vec<(f64, usize)> {
        let last = self.place.tangent.len().saturating_sub(1);
        let first = parameter.of(&self.place.motion);
        let value = |at: f64| first + self.rise(last, at);
        let turn = self.turn().unwrap_or(1.0);
        let mut crossings = Vec::new();
        for (start, end) in [(0.0, turn), (turn, 1.0)] {
            let (low, high) = (value(start), value(end));
            for (target, &wanted) in targets.iter().enumerate() {
                // the start of a step belongs to the step before
                let is_between = (low < wanted && wanted <= high) || (high <= wanted && wanted < low);
                if !is_between || start >= end || (start > 0.0 && value(start) == wanted) {
                    continue;
                }
                let (mut left, mut right) = (start, end);
                for _ in 0..60 {
                    let middle = 0.5 * (left + right);
                    if (value(middle) - wanted) * (low - wanted) > 0.0 { left = middle } else { right = middle }
                }
                crossings.push((0.5 * (left + right), target));
            }
        }
        crossings.sort_by(|a, b| a.0.total_cmp(&b.0));
        crossings
    }
}
