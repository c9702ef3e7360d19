//! An input that is to be found: its shape, its start and its bounds.

use rand::Rng;

use costate_optimize::{Scaling, Variable};
use costate_system::identifiers::{Dynamic, Input};
use costate_system::input::InputSignal;
use costate_system::problem::Settings;
use costate_system::state_file::Description;

use super::bounding::{Bounding, Transformation};
use super::error::OptimalInputError;
use super::waveform::{SineLine, Sweep, Waveform};

/// An input that a search for an optimal experiment varies: by its values at all steps or at fewer times, or as a sum
/// of sines or a sweep.
///
/// ```text
/// DesignedInput::samples(Cart::FORCE, |t: f64| 2.5).within(-5.0, 5.0)
/// ```
#[derive(Debug, Clone)]
pub struct DesignedInput<M = Dynamic> {
    input: Input<M>,
    shape: Shape,
    bounds: Option<(f64, f64)>,
    bounding: Bounding,
}

#[derive(Debug, Clone)]
enum Shape {
    Samples { start: InputSignal },
    PiecewiseLinear { knots: Vec<f64>, start: InputSignal },
    Spline { knots: Vec<f64>, start: InputSignal },
    Multisine { lines: Vec<SineLine> },
    Sweep { start: Sweep },
}

impl Shape {
    fn name(&self) -> &'static str {
        match self {
            Self::Samples { .. } => "samples",
            Self::PiecewiseLinear { .. } => "a piecewise linear signal",
            Self::Spline { .. } => "a spline",
            Self::Multisine { .. } => "a multisine",
            Self::Sweep { .. } => "a sweep",
        }
    }
}

impl<M> DesignedInput<M> {
    /// Creates an input by its value at every step; `start` is a constant, a
    /// [`Sampled`](costate_system::input::Sampled) record, or an [`InputSignal::function`].
    pub fn samples(input: Input<M>, start: impl Into<InputSignal>) -> Self {
        Self::new(input, Shape::Samples { start: start.into() })
    }

    /// Creates an input of straight lines between values at increasing times `knots` in s.
    pub fn piecewise_linear(input: Input<M>, knots: Vec<f64>, start: impl Into<InputSignal>) -> Self {
        Self::new(input, Shape::PiecewiseLinear { knots, start: start.into() })
    }

    /// Creates an input as a cubic spline through values at increasing times `knots` in s.
    pub fn spline(input: Input<M>, knots: Vec<f64>, start: impl Into<InputSignal>) -> Self {
        Self::new(input, Shape::Spline { knots, start: start.into() })
    }

    /// Creates a sum of sines with given frequencies, whose amplitudes and phases are varied.
    pub fn multisine(input: Input<M>, lines: Vec<SineLine>) -> Self {
        Self::new(input, Shape::Multisine { lines })
    }

    /// Creates a sweep whose amplitude, frequencies and phase are varied.
    pub fn sweep(input: Input<M>, start: Sweep) -> Self {
        Self::new(input, Shape::Sweep { start })
    }

    fn new(input: Input<M>, shape: Shape) -> Self {
        Self { input, shape, bounds: None, bounding: Bounding::default() }
    }

    /// Sets bounds u- < u+ of the input at all times, in its unit.
    #[must_use]
    pub fn within(mut self, lower: f64, upper: f64) -> Self {
        self.bounds = Some((lower, upper));
        self
    }

    /// Sets how the bounds are kept; by [`Bounding::Projection`] by default.
    #[must_use]
    pub fn bounding(mut self, bounding: Bounding) -> Self {
        self.bounding = bounding;
        self
    }

    /// Returns the input.
    pub fn input(&self) -> Input<M> {
        self.input
    }

    /// Returns the bounds in the input's unit, if there are any.
    pub fn bounds(&self) -> Option<(f64, f64)> {
        self.bounds
    }

    /// Removes the type of the model.
    pub(super) fn erased(self) -> DesignedInput {
        let Self { input, shape, bounds, bounding } = self;
        DesignedInput { input: input.erased(), shape, bounds, bounding }
    }
}

impl DesignedInput {
    /// Returns the designed input with another start: `unit` is a function of time with values from -1 to 1.
    pub(super) fn with_random_start(
        mut self,
        unit: impl Fn(f64) -> f64 + Send + Sync + 'static,
        random: &mut impl Rng,
    ) -> Self {
        let (bounds, wanted) = (self.bounds, self.input.into());
        let replaced = |start: &InputSignal, knots: &[f64]| {
            let (middle, half) = match bounds {
                Some((lower, upper)) => (0.5 * (upper + lower), 0.5 * (upper - lower)),
                None => {
                    let start = start.in_unit_of(&wanted).map_or_else(|_| start.clone(), |(start, _)| start);
                    let values = knots.iter().filter_map(|&t| start.at("", t).ok());
                    let largest = values.fold(0.0, |most: f64, value| most.max(value.abs()));
                    (0.0, if largest > 0.0 { largest } else { 1.0 })
                }
            };
            InputSignal::function(move |t| middle + half * unit(t))
        };
        let mut factor = || random.random_range(-1.0..1.0);
        match &mut self.shape {
            Shape::Samples { start } => *start = replaced(start, &[0.0]),
            Shape::PiecewiseLinear { knots, start } | Shape::Spline { knots, start } => *start = replaced(start, knots),
            Shape::Multisine { lines } => {
                let largest = lines.iter().fold(0.0, |most: f64, line| most.max(line.cosine.hypot(line.sine)));
                for line in lines {
                    (line.cosine, line.sine) = (largest * factor(), largest * factor());
                }
            }
            Shape::Sweep { start } => {
                start.amplitude *= 1.0 + 0.5 * factor();
                start.from *= 1.0 + 0.5 * factor();
                start.to *= 1.0 + 0.5 * factor();
                start.phase += std::f64::consts::PI * factor();
            }
        }
        self
    }

    /// Checks the input, and creates its variables for a run with these settings.
    pub(super) fn prepare(&self, settings: &Settings) -> Result<PreparedInput, OptimalInputError> {
        let name = self.input.name();
        let transformation = self.transformation()?;
        let times: Vec<f64> = (0..=settings.steps()).map(|i| i as f64 * settings.step).collect();
        let at = |signal: &InputSignal, times: &[f64]| {
            let (signal, _) = signal.in_unit_of(&self.input.into())?;
            times.iter().map(|&t| signal.at(name, t)).collect::<Result<Vec<f64>, _>>()
        };
        let (waveform, values) = match &self.shape {
            Shape::Samples { start } => (Waveform::samples(times.len()), at(start, &times)?),
            Shape::PiecewiseLinear { knots, start } => {
                self.check_knots(knots)?;
                (Waveform::piecewise_linear(&times, knots), at(start, knots)?)
            }
            Shape::Spline { knots, start } => {
                self.check_knots(knots)?;
                (Waveform::spline(&times, knots), at(start, knots)?)
            }
            Shape::Multisine { lines } => {
                self.check_numbers(lines.iter().flat_map(|line| [line.frequency, line.cosine, line.sine]))?;
                let values = lines.iter().flat_map(|line| [line.cosine, line.sine]).collect();
                (Waveform::multisine(&times, lines.iter().map(|line| line.frequency)), values)
            }
            Shape::Sweep { start } => {
                let Sweep { amplitude, from, to, phase } = *start;
                self.check_numbers([amplitude, from, to, phase].into_iter())?;
                (Waveform::sweep(times), vec![amplitude, from, to, phase])
            }
        };
        let values = match (&self.shape, self.bounds) {
            // values of the input itself
            (Shape::Samples { .. } | Shape::PiecewiseLinear { .. } | Shape::Spline { .. }, Some((lower, upper))) => {
                if let Some(&value) = values.iter().find(|value| !(lower..=upper).contains(*value)) {
                    return Err(OptimalInputError::Start { input: name, value, lower, upper });
                }
                values.into_iter().map(|value| transformation.inverse(value)).collect()
            }
            _ => values,
        };
        let variables = self.variables(&values);
        Ok(PreparedInput { index: self.input.index(), transformation, waveform, variables })
    }

    fn transformation(&self) -> Result<Transformation, OptimalInputError> {
        let Some((lower, upper)) = self.bounds else { return Ok(Transformation::Identity) };
        let input = self.input.name();
        if !(lower.is_finite() && upper.is_finite() && lower < upper) {
            return Err(OptimalInputError::Bounds { input, lower, upper });
        }
        match self.bounding {
            Bounding::Logistic => Ok(Transformation::Logistic { lower, upper }),
            Bounding::Arctangent => Ok(Transformation::Arctangent { lower, upper }),
            Bounding::Projection => match &self.shape {
                Shape::Samples { .. } | Shape::PiecewiseLinear { .. } => Ok(Transformation::Identity),
                shape => Err(OptimalInputError::Projection { input, shape: shape.name() }),
            },
        }
    }

    fn check_knots(&self, knots: &[f64]) -> Result<(), OptimalInputError> {
        let input = self.input.name();
        if knots.len() < 2 {
            return Err(OptimalInputError::FewKnots { input, given: knots.len() });
        }
        let disorder =
            knots.windows(2).position(|pair| !(pair[0].is_finite() && pair[1] > pair[0] && pair[1].is_finite()));
        match disorder {
            Some(at) => {
                Err(OptimalInputError::Knots { input, index: at + 1, time: knots[at + 1], previous: knots[at] })
            }
            None => Ok(()),
        }
    }

    fn check_numbers(&self, mut numbers: impl Iterator<Item = f64>) -> Result<(), OptimalInputError> {
        let (input, shape) = (self.input.name(), self.shape.name());
        match numbers.find(|number| !number.is_finite()) {
            Some(value) => Err(OptimalInputError::NotFinite { input, shape, value }),
            None => Ok(()),
        }
    }

    /// Describes everything about the input that a search depends on.
    pub(super) fn describe(&self, prepared: &PreparedInput, description: &mut Description) {
        let of = format!("the designed input `{}`", self.input.name());
        description.text(format!("the shape of {of}"), self.shape.name());
        match self.bounds {
            Some((lower, upper)) => {
                description.text(format!("the bounds of {of}"), format_args!("{lower:?} to {upper:?}"));
                description.serialised(format!("how the bounds of {of} are kept"), &self.bounding);
            }
            None => description.text(format!("the bounds of {of}"), "none"),
        }
        match &self.shape {
            Shape::PiecewiseLinear { knots, .. } | Shape::Spline { knots, .. } => {
                description.values(format!("the knots of {of}"), knots);
            }
            Shape::Multisine { lines } => {
                let frequencies: Vec<_> = lines.iter().map(|line| line.frequency).collect();
                description.values(format!("the frequencies of {of}"), &frequencies);
            }
            Shape::Samples { .. } | Shape::Sweep { .. } => {}
        }
        let starts: Vec<_> = prepared.variables.iter().map(Variable::start).collect();
        description.values(format!("the start of {of}"), &starts);
    }

    /// Creates the variables with names and scales: a change of a scaled variable by 1 is large.
    fn variables(&self, values: &[f64]) -> Vec<Variable> {
        let name = self.input.name();
        let largest = values.iter().fold(0.0, |most: f64, value| most.max(value.abs()));
        let typical = match self.bounds {
            Some((lower, upper)) => 0.5 * (upper - lower),
            None if largest > 0.0 => largest,
            None => 1.0,
        };
        let variable =
            |name: String, start: f64, typical: f64| Variable::new(name, start).scaled(Scaling::Linear { typical });
        let numbered = values.iter().enumerate();
        match &self.shape {
            Shape::Samples { .. } | Shape::PiecewiseLinear { .. } | Shape::Spline { .. } => numbered
                .map(|(k, &start)| {
                    let variable = variable(format!("{name}[{k}]"), start, typical);
                    match (self.bounding, self.bounds) {
                        (Bounding::Projection, Some((lower, upper))) => variable.within(lower, upper),
                        _ => variable,
                    }
                })
                .collect(),
            Shape::Multisine { lines } => numbered
                .map(|(k, &start)| {
                    let part = if k % 2 == 0 { "cosine" } else { "sine" };
                    variable(format!("{name}: {part} of {} Hz", lines[k / 2].frequency), start, typical)
                })
                .collect(),
            Shape::Sweep { start } => {
                let range = start.from.abs().max(start.to.abs()).max(f64::MIN_POSITIVE);
                let parts = [("amplitude", typical), ("from", 0.1 * range), ("to", 0.1 * range), ("phase", 1.0)];
                let named = parts.into_iter().zip(values);
                named.map(|((part, typical), &start)| variable(format!("{name}: {part}"), start, typical)).collect()
            }
        }
    }
}

/// An input with its variables, for one run.
#[derive(Debug, Clone)]
pub(super) struct PreparedInput {
    /// Index of the input.
    pub index: usize,
    pub transformation: Transformation,
    pub waveform: Waveform,
    pub variables: Vec<Variable>,
}

impl PreparedInput {
    /// Returns the input at all steps.
    pub fn values(&self, variables: &[f64]) -> Vec<f64> {
        let mut values = self.waveform.values(variables);
        values.iter_mut().for_each(|value| *value = self.transformation.value(*value));
        values
    }

    /// Transforms `derivatives` with respect to the input at all steps to those with respect to the variables, and
    /// adds these.
    pub fn add_gradient(&self, variables: &[f64], mut derivatives: Vec<f64>, gradient: &mut [f64]) {
        if self.transformation != Transformation::Identity {
            for (derivative, v) in derivatives.iter_mut().zip(self.waveform.values(variables)) {
                *derivative *= self.transformation.slope(v);
            }
        }
        self.waveform.add_gradient(variables, &derivatives, gradient);
    }
}
