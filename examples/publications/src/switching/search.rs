//! Search for switching times without start values.

use rand::rngs::SmallRng;
use rand::{Rng, SeedableRng};

use super::error::SwitchingError;
use super::newton::Extremal;
use super::path::Path;
use super::pontryagin::demanded;
use super::problem::{Bound, SwitchingProblem};

/// Distance of two switching times, relative to the end time, below which they are the same.
const MIN_DISTANCE: f64 = 1e-8;

/// Largest number of descent steps before Newton's method starts, and the relative decrease of J that justifies
/// another one.
const MAX_DESCENTS: usize = 40;
const MIN_DESCENT: f64 = 1e-5;

impl SwitchingProblem {
    /// Searches for extremals with 0 to `most` switching times by Newton's method from `starts` starts for each
    /// number of switching times and each bound to begin at: equidistant ones first, then random ones drawn with
    /// `seed`. Without end conditions each start is first improved by descent steps, as long as these lower J quickly.
    ///
    /// Minima that satisfy Pontryagin's principle come first, each kind with the lowest J first. The first
    /// extremal is the best input found; that there is no better one is not proved.
    ///
    /// # Errors
    /// [`SwitchingError::Overflow`]. Starts from which Newton's method does not converge are left out.
    pub fn search(&self, most: usize, starts: usize, seed: u64) -> Result<Vec<Extremal>, SwitchingError> {
        let mut generator = SmallRng::seed_from_u64(seed);
        let mut found: Vec<Extremal> = Vec::new();
        for switches in 0..=most {
            for start in 0..if switches == 0 { 1 } else { starts } {
                let times = self.start(switches, start, &mut generator);
                for first in [Bound::Upper, Bound::Lower] {
                    let (first, times) = self.descended(first, times.clone(), most)?;
                    match self.extremal(first, &times) {
                        Ok(extremal)
                            if self.is_proper(&extremal) && !found.iter().any(|other| self.same(other, &extremal)) =>
                        {
                            found.push(extremal);
                        }
                        Err(SwitchingError::Overflow) => return Err(SwitchingError::Overflow),
                        _ => (),
                    }
                }
            }
        }
        let order = |extremal: &Extremal| (!extremal.is_minimum(), !extremal.pontryagin.is_satisfied());
        found.sort_by(|a, b| order(a).cmp(&order(b)).then(a.cost.total_cmp(&b.cost)));
        Ok(found)
    }

    /// Follows the input that the switching function demands repeatedly: as J is concave in u where Q is positive
    /// semidefinite, each step lowers J (the conditional gradient method of Frank and Wolfe with full steps). Not
    /// with end conditions, whose multipliers are not found by these steps, nor beyond `most` switching times.
    fn descended(
        &self,
        mut first: Bound,
        mut times: Vec<f64>,
        most: usize,
    ) -> Result<(Bound, Vec<f64>), SwitchingError> {
        if !self.end_conditions.is_empty() {
            return Ok((first, times));
        }
        let mut path = Path::new(self, first, &times, &[])?;
        for _ in 0..MAX_DESCENTS {
            let (next_first, next) = demanded(self, &path)?;
            if next.len() > most {
                break;
            }
            let next_path = Path::new(self, next_first, &next, &[])?;
            if next_path.cost >= path.cost - MIN_DESCENT * path.cost.abs() {
                break;
            }
            (first, times, path) = (next_first, next, next_path);
        }
        Ok((first, times))
    }

    fn start(&self, switches: usize, start: usize, generator: &mut SmallRng) -> Vec<f64> {
        let part = |i: usize| (i + 1) as f64 / (switches + 1) as f64;
        let mut times: Vec<_> = match start {
            0 => (0..switches).map(|i| part(i) * self.end()).collect(),
            _ => (0..switches).map(|_| generator.random::<f64>() * self.end()).collect(),
        };
        times.sort_by(f64::total_cmp);
        times
    }

    /// Checks that no interval has shrunk to nothing.
    fn is_proper(&self, extremal: &Extremal) -> bool {
        let times = std::iter::once(0.0).chain(extremal.switching_times.iter().copied()).chain([self.end()]);
        let times: Vec<f64> = times.collect();
        times.windows(2).all(|pair| pair[1] - pair[0] > MIN_DISTANCE * self.end())
    }

    fn same(&self, one: &Extremal, other: &Extremal) -> bool {
        let near = |(a, b): (&f64, &f64)| (a - b).abs() <= MIN_DISTANCE * self.end();
        let (a, b) = (&one.switching_times, &other.switching_times);
        one.first == other.first && a.len() == b.len() && a.iter().zip(b).all(near)
    }
}
