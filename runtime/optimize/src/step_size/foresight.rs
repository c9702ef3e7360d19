//! Prediction of the samples that a golden section will take if the cost follows a parabola through its samples:
//! an objective may evaluate several of them at once. The search itself does not use the prediction.

use super::super::ray::Ray;
use super::descent::{Descent, Sample};
use super::quadratic;
use super::section::{SHORTENING, Section, longer};

/// Largest number of samples predicted at once: as many as there are SIMD lanes.
const MAX_SAMPLES: usize = 4;

/// Data that a search depends on besides its samples.
pub(super) struct Foresight<'a> {
    pub descent: &'a Descent<'a>,
    pub limit: f64,
    pub tolerance: f64,
}

impl Foresight<'_> {
    /// Announces those of `steps` that the search may still evaluate.
    pub fn announce(&self, ray: &mut Ray<'_>, mut steps: Vec<f64>) {
        let left = self.descent.settings.line_search_evaluations.saturating_sub(ray.evaluations);
        steps.truncate(left.min(MAX_SAMPLES));
        if steps.len() > 1 {
            ray.announce(steps);
        }
    }

    /// Predicts the samples beyond `middle`, whose cost is lower than that of `left`.
    pub fn longer(&self, left: Sample, middle: Sample) -> Vec<f64> {
        let start = Sample { step: 0.0, cost: self.descent.cost };
        let minimum = quadratic::minimum(start, self.descent.slope, middle).unwrap_or(f64::INFINITY);
        let (mut left, mut middle) = (modelled(left.step, minimum), modelled(middle.step, minimum));
        let mut steps = Vec::new();
        while steps.len() < MAX_SAMPLES && middle.step < self.limit {
            let next = modelled(longer(left.step, middle.step, self.limit), minimum);
            steps.push(next.step);
            // without a finite minimum the cost never rises
            if next.cost >= middle.cost && minimum.is_finite() {
                self.add(Section::around(left, middle, next), minimum, &mut steps);
                break;
            }
            (left, middle) = (middle, next);
        }
        steps
    }

    /// Predicts the samples before `right`, whose cost is not lower than that of `left`.
    pub fn shorter(&self, left: Sample, right: Sample) -> Vec<f64> {
        let minimum = quadratic::minimum(left, self.descent.slope, right).unwrap_or(0.0);
        let (left, mut right) = (modelled(left.step, minimum), modelled(right.step, minimum));
        let mut steps = Vec::new();
        while steps.len() < MAX_SAMPLES {
            let next = modelled(SHORTENING * right.step, minimum);
            steps.push(next.step);
            if next.cost < left.cost {
                self.add(Section::between(left, right), minimum, &mut steps);
                break;
            }
            right = next;
        }
        steps
    }

    /// Predicts the samples in an interval with a minimum.
    pub fn inside(&self, section: Section) -> Vec<f64> {
        let mut steps = Vec::new();
        if let Some(minimum) = self.minimum(section) {
            self.add(section, minimum, &mut steps);
        }
        steps
    }

    /// Returns the minimum of the parabola through the samples; `None` where there is none.
    fn minimum(&self, Section { left, right, lower, upper }: Section) -> Option<f64> {
        let Some(inner) = lower.or(upper) else {
            let is_start = left.step == 0.0;
            return quadratic::minimum(left, self.descent.slope, right).filter(|_| is_start);
        };
        let slope = |a: Sample, b: Sample| (b.cost - a.cost) / (b.step - a.step);
        let curvature = (slope(inner, right) - slope(left, inner)) / (right.step - left.step);
        let minimum = 0.5 * (left.step + inner.step) - 0.5 * slope(left, inner) / curvature;
        (curvature > 0.0 && minimum.is_finite()).then_some(minimum)
    }

    /// Adds the samples of an interval that is narrowed to `minimum`.
    fn add(&self, section: Section, minimum: f64, steps: &mut Vec<f64>) {
        let known = |sample: Sample| modelled(sample.step, minimum);
        let mut section = Section {
            left: known(section.left),
            right: known(section.right),
            lower: section.lower.map(known),
            upper: section.upper.map(known),
        };
        while steps.len() < MAX_SAMPLES && section.is_wide(self.tolerance, self.descent) {
            let mut at = |known: Option<Sample>, step: f64| {
                known.unwrap_or_else(|| {
                    steps.push(step);
                    modelled(step, minimum)
                })
            };
            let lower = at(section.lower, section.lower_step());
            let upper = at(section.upper, section.upper_step());
            section.narrow(lower, upper);
        }
    }
}

/// Models the cost at a step: it grows with the distance from the minimum, as that of a parabola does.
fn modelled(step: f64, minimum: f64) -> Sample {
    Sample { step, cost: (step - minimum).abs() }
}
