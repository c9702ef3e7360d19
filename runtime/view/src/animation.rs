//! Runs as pictures: the motion, and plots next to it.

use crate::drawing::Drawing;
use crate::mechanism::Mechanism;
use crate::vector::Pose;

/// One run, or several of the same model to be compared.
#[derive(Debug, Clone, PartialEq)]
pub struct Animation {
    pub(crate) title: String,
    pub(crate) text: String,
    /// The runs; the first is drawn in full, others as ghosts or next to it.
    pub(crate) runs: Vec<Motion>,
    /// Time of the run over that in which it is played.
    pub(crate) speed: f64,
}

/// The content of one run.
#[derive(Debug, Clone, PartialEq)]
pub struct Motion {
    /// Name of the run.
    pub(crate) name: String,
    pub(crate) mechanism: Mechanism,
    /// Time between two pictures in s.
    pub(crate) interval: f64,
    /// The coordinates of all bodies, picture after picture.
    pub(crate) coordinates: Vec<f64>,
    pub(crate) frames: usize,
    pub(crate) plots: Vec<Plot>,
}

/// An output over time.
#[derive(Debug, Clone, PartialEq)]
pub struct Plot {
    /// Name of the output.
    pub name: String,
    /// Unit of the output.
    pub unit: String,
    /// Documentation in the model.
    pub documentation: String,
    /// (time in s, value), in the order of time.
    pub points: Vec<(f64, f64)>,
}

impl Motion {
    /// Creates a run from its samples, `interval` s apart, with the coordinates of the model at each of them, and
    /// plots. Of a long run every second, third ... sample is taken, so that files stay small; samples are not
    /// interpolated.
    pub fn new(
        mechanism: Mechanism,
        interval: f64,
        samples: usize,
        coordinates: impl Fn(usize) -> Vec<f64>,
        plots: Vec<Plot>,
    ) -> Self {
        /// Largest number of coordinates of a run; a file gets four times as many bytes.
        const MAX_NUMBERS: usize = 650_000;
        /// Largest number of pictures of a run.
        const MAX_FRAMES: usize = 20_000;
        /// Largest number of points in the plot of an output.
        const MAX_POINTS_OF_PLOT: usize = 4_000;
        /// Largest number of points in all plots.
        const MAX_POINTS: usize = 80_000;
        let each = mechanism.bodies.iter().map(|body| body.coordinates()).sum::<usize>();
        let most = (MAX_NUMBERS / each.max(1)).clamp(2, MAX_FRAMES);
        let stride = samples.div_ceil(most).max(1);
        let taken = (0..samples).step_by(stride);
        let taken: Vec<f64> = taken.flat_map(|sample| mechanism.body_coordinates(&coordinates(sample))).collect();
        let most = (MAX_POINTS / plots.len().max(1)).clamp(2, MAX_POINTS_OF_PLOT);
        let plots = plots.into_iter().map(|plot| Plot { points: thinned(plot.points, most), ..plot });
        Self {
            name: "run".to_owned(),
            mechanism,
            interval: interval * stride as f64,
            coordinates: taken,
            frames: samples.div_ceil(stride),
            plots: plots.collect(),
        }
    }

    /// Returns the poses of all bodies in a picture.
    pub fn poses(&self, frame: usize) -> Vec<Pose> {
        let each = self.coordinates.len() / self.frames.max(1);
        self.mechanism.poses(self.coordinates.get(frame * each..(frame + 1) * each).unwrap_or_default())
    }

    /// Returns the number of pictures.
    pub fn frames(&self) -> usize {
        self.frames
    }

    /// Returns the time between two pictures in s.
    pub fn interval(&self) -> f64 {
        self.interval
    }

    /// Returns the mechanism.
    pub fn mechanism(&self) -> &Mechanism {
        &self.mechanism
    }

    pub(crate) fn drawing(&self) -> Drawing {
        /// Number of pictures from which the space of the motion is measured.
        const MEASURED_FRAMES: usize = 120;
        let stride = self.frames.div_ceil(MEASURED_FRAMES).max(1);
        let places: Vec<Vec<Pose>> = (0..self.frames).step_by(stride).map(|frame| self.poses(frame)).collect();
        Drawing::new(&self.mechanism, &places)
    }
}

impl Animation {
    /// Creates the animation of one run; `text` describes the model.
    pub fn new(title: impl Into<String>, text: impl Into<String>, run: Motion) -> Self {
        Self { title: title.into(), text: text.into(), runs: vec![run], speed: 1.0 }
    }

    /// Names the run, to distinguish it from others.
    #[must_use]
    pub fn named(mut self, name: impl Into<String>) -> Self {
        if let Some(run) = self.runs.first_mut() {
            run.name = name.into();
        }
        self
    }

    /// Sets the description of the model above the picture.
    #[must_use]
    pub fn explained(mut self, text: impl Into<String>) -> Self {
        self.text = text.into();
        self
    }

    /// Plays the run slower or faster than it is: `speed` is the time of the run over that in which it is played, such
    /// as 0.01 for a motion of 20 ms that is played in 2 s.
    #[must_use]
    pub fn played_at(mut self, speed: f64) -> Self {
        if speed > 0.0 && speed.is_finite() {
            self.speed = speed;
        }
        self
    }

    /// Adds the runs of another animation, which are shown as ghosts or side by side with this one.
    #[must_use]
    pub fn with(mut self, other: Animation) -> Self {
        self.runs.extend(other.runs);
        self
    }

    /// Returns the runs.
    pub fn runs(&self) -> &[Motion] {
        &self.runs
    }
}

/// Selects at most this many points, including the lowest and the highest of every stretch.
fn thinned(points: Vec<(f64, f64)>, most: usize) -> Vec<(f64, f64)> {
    let points: Vec<(f64, f64)> = points.into_iter().filter(|(t, y)| t.is_finite() && y.is_finite()).collect();
    if points.len() <= most {
        return points;
    }
    let stretch = points.len().div_ceil((most / 2).max(1));
    let ends = points.chunks(stretch).flat_map(|points| {
        let low = (0..points.len()).min_by(|&a, &b| points[a].1.total_cmp(&points[b].1));
        let high = (0..points.len()).max_by(|&a, &b| points[a].1.total_cmp(&points[b].1));
        let (low, high) = (low.unwrap_or(0), high.unwrap_or(0));
        let both = if low == high { vec![low] } else { vec![low.min(high), low.max(high)] };
        both.into_iter().map(|i| points[i])
    });
    ends.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn thin_plots_keep_their_peaks() {
        let mut points: Vec<(f64, f64)> = (0..100_000).map(|i| (f64::from(i), (f64::from(i) * 0.01).sin())).collect();
        points[54_321].1 = 7.0;
        points[54_322].1 = -9.0;
        let thin = thinned(points.clone(), 1000);
        assert!(thin.len() <= 1000);
        assert!(thin.contains(&(54_321.0, 7.0)) && thin.contains(&(54_322.0, -9.0)));
        assert!(thin.windows(2).all(|pair| pair[0].0 < pair[1].0));
        assert_eq!(thinned(points[..5].to_vec(), 1000), points[..5]);
    }
}
