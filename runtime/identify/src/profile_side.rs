//! One side of a profile: the valley of the cost, followed from the optimum until the cost has risen to the level.

use serde::{Deserialize, Serialize};

use costate_optimize::{Scaling, Variable};

use super::definition::error::IdentificationError;

/// Profiles that rise by less than this part of the level are flat.
pub(super) const MAX_FLAT_RISE: f64 = 0.05;

/// Largest growth of the distance from one point to the next, as a part of that of the level: where it is larger, the
/// minimisation may have left the valley, and a shorter step is tried.
const MAX_GROWTH: f64 = 0.5;

/// One end of an interval.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ProfileEnd {
    /// The value at which the profile reaches the level.
    At(f64),
    /// The bound of the unknown, before the level is reached.
    Bound(f64),
    /// The value up to which the profile was followed without reaching the level.
    Open(f64),
}

impl ProfileEnd {
    /// Returns the value up to which the unknown is in the interval; infinite where the profile is open.
    pub fn value(self, direction: f64) -> f64 {
        match self {
            Self::At(value) | Self::Bound(value) => value,
            Self::Open(_) => direction * f64::INFINITY,
        }
    }
}

/// The least cost with one unknown at a given value.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct ProfilePoint {
    /// The unknown's value.
    pub value: f64,
    /// Twice the cost above that of the fit: the square of a distance in standard deviations.
    pub rise: f64,
    /// All unknowns there, in the order of [`FitSummary::parameters`](super::FitSummary::parameters).
    pub unknowns: Vec<f64>,
}

/// A function that returns the least cost, and all unknowns there, with the unknown of an index fixed at a value,
/// from a start.
pub(super) type Minimum<'f> = dyn Fn(usize, f64, &[f64]) -> Result<(f64, Vec<f64>), IdentificationError> + 'f;

/// The optimum, and the settings with which a side is followed from there.
pub(super) struct Follower<'f> {
    pub variables: &'f [Variable],
    pub optimum: &'f [f64],
    /// Cost at the optimum.
    pub cost: f64,
    /// Distance in standard deviations at which the level is reached.
    pub distance: f64,
    /// Largest number of points.
    pub points: usize,
    pub minimum: &'f Minimum<'f>,
}

/// One side of a profile.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Side {
    /// Points by increasing distance from the optimum; those with which the end was found come last.
    pub points: Vec<ProfilePoint>,
    pub end: ProfileEnd,
    /// Other unknowns that are at a bound at the end, and are not at the optimum.
    pub others_at_bound: Vec<String>,
    /// Largest rise among the points at which none of the other unknowns is at such a bound.
    pub highest: f64,
}

/// A point on a side.
#[derive(Clone)]
struct Place {
    /// Change of the scaled unknown from the optimum, in the direction of the side.
    at: f64,
    distance: f64,
    unknowns: Vec<f64>,
}

impl Follower<'_> {
    /// Follows the profile of unknown k in a direction; `deviation` is the standard deviation of the unknown.
    ///
    /// # Errors
    /// [`IdentificationError::Interrupted`].
    pub fn side(&self, k: usize, direction: f64, deviation: f64) -> Result<Side, IdentificationError> {
        /// Steps in the scaled unknown: the longest one, the shortest one as a part of the first, and the distance up
        /// to which a flat valley is followed (a factor of twenty on a logarithmic scale).
        const MAX_STEP: f64 = 1.0;
        const MIN_STEP: f64 = 1e-6;
        const MAX_FLAT_LENGTH: f64 = 3.0;
        /// Largest growth of the distance, in that by the last slope, that is accepted as well.
        const MAX_ACCELERATION: f64 = 3.0;
        /// Factor by which a rejected step is multiplied.
        const REJECTED_FACTOR: f64 = 0.25;
        let variable = self.variables[k].starting_with(self.optimum[k]);
        let (lower, upper) = variable.scaled_bounds();
        let bound = if direction > 0.0 { upper } else { -lower };
        let deviation = deviation / variable.slope(self.optimum[k]).abs();
        let typical = if deviation.is_finite() && deviation > 0.0 { deviation.min(0.5) } else { 0.1 };
        let first = 0.5 * typical;
        let (mut step, mut slope) = (first, f64::NAN);
        let mut last = Place { at: 0.0, distance: 0.0, unknowns: self.optimum.to_vec() };
        let mut before: Option<Place> = None;
        let (mut points, mut end) = (Vec::new(), None);
        while points.len() < self.points && end.is_none() {
            let at = (last.at + step).min(bound);
            if at <= last.at {
                end = Some(ProfileEnd::Bound(variable.physical(direction * last.at)));
                break;
            }
            let value = variable.physical(direction * at);
            let found = self.at(k, (at, value), (&last, before.as_ref()))?;
            let most = (MAX_ACCELERATION * slope * (at - last.at)).max(MAX_GROWTH * self.distance);
            let grown = |place: &Place| place.distance - last.distance;
            let Some(place) = found.filter(|place| grown(place) <= most || step <= MIN_STEP * first) else {
                if step <= MIN_STEP * first {
                    // simulations fail from here on
                    break;
                }
                step *= REJECTED_FACTOR;
                continue;
            };
            points.push(self.point(value, &place));
            slope = (grown(&place) / (at - last.at)).max(0.0);
            if place.distance >= self.distance {
                end = Some(self.cross(k, (&variable, direction), (last.clone(), place.clone()), &mut points)?);
            }
            let is_flat = place.distance.powi(2) < MAX_FLAT_RISE * self.distance.powi(2);
            before = Some(std::mem::replace(&mut last, place));
            if is_flat && last.at > MAX_FLAT_LENGTH {
                break;
            }
            // five points up to the level, and at most twice as far as before
            let wanted = 0.2 * self.distance / slope.max(1e-3 / typical);
            step = wanted.clamp(0.5 * step, 2.0 * step).min(MAX_STEP.max(first));
        }
        let value = points.last().map_or(self.optimum[k], |last| last.value);
        let end = end.unwrap_or(ProfileEnd::Open(value));
        let nearest = |point: &&ProfilePoint| (point.value - end.value(direction)).abs();
        let at_end = points.iter().min_by(|a, b| nearest(a).total_cmp(&nearest(b)));
        let others_at_bound = at_end.map_or(Vec::new(), |point| self.others_at_bound(k, &point.unknowns));
        let free = points.iter().filter(|point| self.others_at_bound(k, &point.unknowns).is_empty());
        let highest = free.map(|point| point.rise).fold(0.0, f64::max);
        Ok(Side { points, end, others_at_bound, highest })
    }

    /// Returns the point of least cost with unknown k at this value, from the extrapolation of the last two points,
    /// and also from the last point where the first result rises too far above it; `None` where simulations fail.
    fn at(
        &self,
        k: usize,
        (at, value): (f64, f64),
        (last, before): (&Place, Option<&Place>),
    ) -> Result<Option<Place>, IdentificationError> {
        let predicted = self.predicted(k, value, (last, before));
        let mut found = self.from(k, (at, value), &predicted)?;
        let is_left = |place: &Place| place.distance - last.distance > MAX_GROWTH * self.distance;
        if found.as_ref().is_none_or(is_left) {
            let other = self.from(k, (at, value), &last.unknowns)?;
            let cost = |place: &Option<Place>| place.as_ref().map_or(f64::INFINITY, |place| place.distance);
            if cost(&other) < cost(&found) {
                found = other;
            }
        }
        Ok(found)
    }

    fn from(&self, k: usize, (at, value): (f64, f64), start: &[f64]) -> Result<Option<Place>, IdentificationError> {
        match (self.minimum)(k, value, start) {
            Ok((cost, unknowns)) if cost.is_finite() => {
                let distance = (2.0 * (cost - self.cost)).max(0.0).sqrt();
                // negative below the optimum, so that the lower cost is reported
                let distance = if cost < self.cost { -(2.0 * (self.cost - cost)).sqrt() } else { distance };
                Ok(Some(Place { at, distance, unknowns }))
            }
            Err(error @ IdentificationError::Interrupted(_)) => Err(error),
            Ok(_) | Err(_) => Ok(None),
        }
    }

    fn point(&self, value: f64, place: &Place) -> ProfilePoint {
        let rise = place.distance * place.distance.abs();
        ProfilePoint { value, rise, unknowns: place.unknowns.clone() }
    }

    /// Returns all unknowns where the line through the last two points reaches this value of unknown k.
    fn predicted(&self, k: usize, value: f64, (last, before): (&Place, Option<&Place>)) -> Vec<f64> {
        let before = before.map_or(self.optimum, |before| &before.unknowns);
        self.on_line(k, value, (before, &last.unknowns))
    }

    /// Returns all unknowns on the line through two points, in scaled variables, where unknown k has this value.
    fn on_line(&self, k: usize, value: f64, (a, b): (&[f64], &[f64])) -> Vec<f64> {
        let scaled = |j: usize, value: f64| match self.variables[j].scaling() {
            Scaling::Logarithmic => value.ln(),
            Scaling::Linear { .. } => value,
        };
        let part = (scaled(k, value) - scaled(k, b[k])) / (scaled(k, b[k]) - scaled(k, a[k]));
        let along = |j: usize| {
            let next = scaled(j, b[j]) + part * (scaled(j, b[j]) - scaled(j, a[j]));
            let next = match self.variables[j].scaling() {
                Scaling::Logarithmic => next.exp(),
                Scaling::Linear { .. } => next,
            };
            if next.is_finite() { next } else { b[j] }
        };
        (0..self.variables.len()).map(along).collect()
    }

    /// Finds the point between two others at which the profile reaches the level: by linear interpolation, and by
    /// bisection in every third trial.
    fn cross(
        &self,
        k: usize,
        (variable, direction): (&Variable, f64),
        (mut below, mut above): (Place, Place),
        points: &mut Vec<ProfilePoint>,
    ) -> Result<ProfileEnd, IdentificationError> {
        /// Width of a bracket, relative to the step that has made it, below which the profile is taken to jump there.
        const MIN_BRACKET: f64 = 1e-6;
        /// Largest number of points that are computed to find the end within its bracket.
        const MAX_POINTS: usize = 40;
        /// Distance from the level, in standard deviations, within which the end of an interval is accepted.
        const LEVEL_TOLERANCE: f64 = 5e-3;
        let on_line = |below: &Place, above: &Place| {
            let part = (self.distance - below.distance) / (above.distance - below.distance);
            below.at + (above.at - below.at) * part
        };
        let narrow = MIN_BRACKET * (above.at - below.at);
        for trial in 0..MAX_POINTS {
            let is_close = (above.distance - self.distance).min(self.distance - below.distance) < LEVEL_TOLERANCE;
            if is_close || above.at - below.at < narrow {
                break;
            }
            let at = if trial % 3 == 2 { 0.5 * (below.at + above.at) } else { on_line(&below, &above) };
            let value = variable.physical(direction * at);
            let start = self.on_line(k, value, (&below.unknowns, &above.unknowns));
            let mut found = self.from(k, (at, value), &start)?;
            if found.as_ref().is_none_or(|place| place.distance > self.distance) {
                let other = self.from(k, (at, value), &below.unknowns)?;
                if other.as_ref().is_some_and(|other| found.as_ref().is_none_or(|own| other.distance < own.distance)) {
                    found = other;
                }
            }
            let Some(place) = found else { break };
            points.push(self.point(value, &place));
            if place.distance < self.distance { below = place } else { above = place }
        }
        let width = above.at - below.at;
        let at = if width < narrow { above.at } else { on_line(&below, &above) };
        Ok(ProfileEnd::At(variable.physical(direction * at)))
    }

    /// Returns the names of other unknowns that are at a bound where the optimum is not.
    fn others_at_bound(&self, k: usize, unknowns: &[f64]) -> Vec<String> {
        let is_met = |j: &usize| {
            let (lower, upper) = self.variables[*j].bounds();
            let is_at = |value: f64, bound: f64| (value - bound).abs() <= 1e-9 * bound.abs();
            *j != k
                && [lower, upper]
                    .iter()
                    .any(|bound| bound.is_finite() && is_at(unknowns[*j], *bound) && !is_at(self.optimum[*j], *bound))
        };
        (0..self.variables.len()).filter(is_met).map(|j| self.variables[j].name().to_owned()).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    type Cost = fn(f64, f64) -> f64;

    /// Returns the least cost of x and y with x fixed, and y there: by Newton steps in y from its start, which
    /// diverge far from a valley.
    fn least(cost: Cost, (lower, upper): (f64, f64), x: f64, start: f64) -> (f64, f64) {
        let mut y = start.clamp(lower, upper);
        for _ in 0..100 {
            let h = 1e-4 * y.abs().max(1e-3);
            let (before, at, behind) = (cost(x, y - h), cost(x, y), cost(x, y + h));
            let (slope, curvature) = ((behind - before) / (2.0 * h), (behind - 2.0 * at + before) / (h * h));
            if curvature <= 0.0 {
                break;
            }
            y = (y - slope / curvature).clamp(lower, upper);
        }
        (cost(x, y), y)
    }

    fn sides(cost: Cost, optimum: [f64; 2], bounds: (f64, f64), deviation: f64) -> [Side; 2] {
        let linear = Scaling::Linear { typical: 1.0 };
        let variables = [Variable::new("x", optimum[0]).scaled(linear), Variable::new("y", optimum[1]).scaled(linear)];
        let [x, y] = variables;
        let variables = [x, y.within(bounds.0, bounds.1)];
        let minimum = |_: usize, value: f64, start: &[f64]| {
            let (cost, y) = least(cost, bounds, value, start[1]);
            Ok((cost, vec![value, y]))
        };
        let follower = Follower {
            variables: &variables,
            optimum: &optimum,
            cost: cost(optimum[0], optimum[1]),
            distance: 2.0,
            points: 30,
            minimum: &minimum,
        };
        [-1.0, 1.0].map(|direction| follower.side(0, direction, deviation).unwrap())
    }

    #[test]
    fn a_parabola_reaches_the_level_where_it_is() {
        let [below, above] = sides(|x, y| 0.5 * x * x + (y - x) * (y - x), [0.0, 0.0], (-1e3, 1e3), 1.0);
        let ends = [below.end, above.end].map(|end| match end {
            ProfileEnd::At(value) => value,
            other => panic!("{other:?}"),
        });
        assert!((ends[0] + 2.0).abs() < 1e-2 && (ends[1] - 2.0).abs() < 1e-2, "{ends:?}");
        assert!(above.others_at_bound.is_empty());
    }

    #[test]
    fn a_narrow_valley_is_followed_and_flat() {
        // with the same cost all along y = 1/x, and with steep sides in which a minimisation from afar diverges
        let valley: Cost = |x, y| 1e6 * ((x * y - 1.0) / (1.0 + x * y)).powi(2);
        let [_, above] = sides(valley, [1.0, 1.0], (1e-9, 1e9), f64::INFINITY);
        assert!(matches!(above.end, ProfileEnd::Open(value) if value > 3.0), "{above:?}");
        assert!(above.highest < 1e-3, "{above:?}");
    }

    #[test]
    fn the_bound_of_another_unknown_is_named() {
        let valley: Cost = |x, y| 1e4 * (y - 2.0 * x).powi(2);
        let [below, above] = sides(valley, [1.0, 2.0], (0.5, 3.0), f64::INFINITY);
        let ends = [(below, 0.25), (above, 1.5)];
        for (side, expected) in ends {
            let ProfileEnd::At(value) = side.end else { panic!("{side:?}") };
            assert!((value - expected).abs() < 0.02, "{value} {expected}");
            assert_eq!(side.others_at_bound, ["y"]);
            assert!(side.highest < 1e-3, "{}", side.highest);
        }
    }

    #[test]
    fn a_jump_is_an_end_and_a_wall_without_simulations_none() {
        let jump: Cost = |x, y| y * y + if x > 0.7 { 100.0 } else { 0.0 };
        let [_, above] = sides(jump, [0.0, 0.0], (-1.0, 1.0), 1.0);
        let ProfileEnd::At(value) = above.end else { panic!("{above:?}") };
        assert!((value - 0.7).abs() < 1e-4, "{value}");
        let wall: Cost = |x, y| y * y + if x > 0.7 { f64::NAN } else { 0.1 * x * x };
        let [_, above] = sides(wall, [0.0, 0.0], (-1.0, 1.0), 1.0);
        assert!(matches!(above.end, ProfileEnd::Open(value) if value > 0.69 && value <= 0.7), "{above:?}");
    }
}
