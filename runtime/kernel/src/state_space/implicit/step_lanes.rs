//! The working memory for several points.

use costate_numerics::scalar::{LANES, Lanes, Vector, gather, lift_into};
use costate_system::model::{Functions, Group};

use super::super::Selected;
use super::super::layout::Layout;
use super::super::projection::Projection;
use crate::step::{LaneIntegrator, State, StepConstants};

/// Working memory for up to four points.
pub(super) struct StepLanes<M: Functions> {
    pub layout: Layout,
    /// The constants of all steps but the first, and of the first one.
    pub constants: StepConstants<M, Lanes>,
    pub start: StepConstants<M, Lanes>,
    pub integrator: LaneIntegrator<M>,
    pub state: State<M, Lanes>,
    pub inputs: M::Inputs<Lanes>,
    pub x: Vec<Lanes>,
    pub outputs: M::Outputs<Lanes>,
    pub projection: Projection<M, Lanes>,
    /// Matrices and unknowns of one lane.
    pub linearization: M::Linearization<f64>,
    pub unknowns: M::Unknowns<f64>,
}

impl<M: Functions> StepLanes<M> {
    /// Creates the working memory, where lanes are available.
    pub fn new(selected: &Selected<M>, layout: Layout) -> Self {
        let program = selected.program;
        let lengths = M::lengths(program);
        let mut parameters = M::Parameters::<Lanes>::zeros(lengths.parameters);
        lift_into(selected.parameters.as_ref(), parameters.as_mut());
        let settings = selected.problem.settings();
        Self {
            layout,
            constants: StepConstants::new(program, &parameters, settings.weights(), selected.problem.tables()),
            start: StepConstants::new(program, &parameters, settings.start_weights(), selected.problem.tables()),
            integrator: LaneIntegrator::of_single_steps(program, &settings.newton, &settings.weights()),
            state: State::zeros_of(program),
            inputs: Vector::zeros(lengths.inputs),
            x: vec![Lanes::default(); layout.fixed() + selected.estimated.len()],
            outputs: Vector::zeros(lengths.outputs),
            projection: Projection::new(program),
            linearization: Vector::zeros(lengths.group(Group::Linearization)),
            unknowns: Vector::zeros(lengths.unknowns),
        }
    }

    /// Loads the points, and computes the constants of their parameters.
    #[inline(always)]
    pub fn load(&mut self, selected: &Selected<M>, points: [&[f64]; LANES]) {
        gather(&mut self.x, points);
        let estimated = &self.x[self.layout.fixed()..];
        if !estimated.is_empty() {
            let parameters = selected.parameters(estimated);
            for constants in [&mut self.constants, &mut self.start] {
                M::renew_constants(&mut constants.model, &parameters, &constants.weights, selected.problem.tables());
            }
        }
    }

    /// Loads the points and their states.
    #[inline(always)]
    pub fn load_states(&mut self, selected: &Selected<M>, points: [&[f64]; LANES]) {
        self.load(selected, points);
        self.state.load(&self.x[..self.layout.state()]);
    }
}
