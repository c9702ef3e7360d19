//! Runs as pictures: what moves, and what is plotted beside it.

use crate::drawing::Drawing;
use crate::mechanism::Mechanism;
use crate::vector::Pose;

/// Most numbers of the positions of a run; as many bytes as four times that go into a file.
const MOST_NUMBERS: usize = 650_000;

/// Most pictures of a run.
const MOST_FRAMES: usize = 20_000;

/// Most points of the plot of an output, and of all of them.
const MOST_POINTS: usize = 4_000;
const MOST_POINTS_OF_ALL: usize = 80_000;

/// Places on the way by which the space is measured that a mechanism moves in.
const PLACES: usize = 120;

/// One run, or several of the same model to be compared.
#[derive(Debug, Clone, PartialEq)]
pub struct Animation {
    pub(crate) title: String,
    pub(crate) text: String,
    /// The first is drawn in full, others as ghosts or beside it.
    pub(crate) runs: Vec<Motion>,
}

/// What one run shows.
#[derive(Debug, Clone, PartialEq)]
pub struct Motion {
    /// Which run it is.
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
    /// Its name.
    pub name: String,
    /// Its unit.
    pub unit: String,
    /// What the model says about it.
    pub documentation: String,
    /// (time in s, value), in the order of time.
    pub points: Vec<(f64, f64)>,
}

impl Motion {
    /// A run: its samples, `interval` s apart, with the coordinates of the model at each of them, and its plots. A long run
    /// has every second, third ... sample, so that files stay small; what is taken is as it was computed.
    pub fn new(
        mechanism: Mechanism,
        interval: f64,
        samples: usize,
        coordinates: impl Fn(usize) -> Vec<f64>,
        plots: Vec<Plot>,
    ) -> Self {
        let each = mechanism.bodies.iter().map(|body| body.coordinates()).sum::<usize>();
        let most = (MOST_NUMBERS / each.max(1)).clamp(2, MOST_FRAMES);
        let stride = samples.div_ceil(most).max(1);
        let taken = (0..samples).step_by(stride);
        let taken: Vec<f64> =
            taken.flat_map(|sample| mechanism.body_coordinates(&coordinates(sample))).collect();
        let most = (MOST_POINTS_OF_ALL / plots.len().max(1)).clamp(2, MOST_POINTS);
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

    /// Where all bodies are in a picture.
    pub fn poses(&self, frame: usize) -> Vec<Pose> {
        let each = self.coordinates.len() / self.frames.max(1);
        self.mechanism.poses(self.coordinates.get(frame * each..(frame + 1) * each).unwrap_or_default())
    }

    /// The number of pictures.
    pub fn frames(&self) -> usize {
        self.frames
    }

    /// The time between two pictures in s.
    pub fn interval(&self) -> f64 {
        self.interval
    }

    /// The mechanism.
    pub fn mechanism(&self) -> &Mechanism {
        &self.mechanism
    }

    pub(crate) fn drawing(&self) -> Drawing {
        let stride = self.frames.div_ceil(PLACES).max(1);
        let places: Vec<Vec<Pose>> =
            (0..self.frames).step_by(stride).map(|frame| self.poses(frame)).collect();
        Drawing::new(&self.mechanism, &places)
    }
}

impl Animation {
    /// Of one run; `text` says what the model is.
    pub fn new(title: impl Into<String>, text: impl Into<String>, run: Motion) -> Self {
        Self { title: title.into(), text: text.into(), runs: vec![run] }
    }

    /// Names the run, so that it is known beside others.
    #[must_use]
    pub fn named(mut self, name: impl Into<String>) -> Self {
        if let Some(run) = self.runs.first_mut() {
            run.name = name.into();
        }
        self
    }

    /// Says what the model is, above the picture.
    #[must_use]
    pub fn explained(mut self, text: impl Into<String>) -> Self {
        self.text = text.into();
        self
    }

    /// Adds the runs of another animation, which are shown as ghosts or side by side with this one.
    #[must_use]
    pub fn with(mut self, other: Animation) -> Self {
        self.runs.extend(other.runs);
        self
    }

    /// The runs.
    pub fn runs(&self) -> &[Motion] {
        &self.runs
    }
}

/// At most so many points, among them the lowest and the highest of every stretch.
fn thinned(points: Vec<(f64, f64)>, most: usize) -> Vec<(f64, f64)> {
    let points: Vec<(f64, f64)> =
        points.into_iter().filter(|(t, y)| t.is_finite() && y.is_finite()).collect();
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
        let mut points: Vec<(f64, f64)> =
            (0..100_000).map(|i| (f64::from(i), (f64::from(i) * 0.01).sin())).collect();
        points[54_321].1 = 7.0;
        points[54_322].1 = -9.0;
        let thin = thinned(points.clone(), 1000);
        assert!(thin.len() <= 1000);
        assert!(thin.contains(&(54_321.0, 7.0)) && thin.contains(&(54_322.0, -9.0)));
        assert!(thin.windows(2).all(|pair| pair[0].0 < pair[1].0));
        assert_eq!(thinned(points[..5].to_vec(), 1000), points[..5]);
    }
}
