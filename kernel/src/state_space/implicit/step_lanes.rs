//! The working memory for several points.

use super::super::Selected;
use super::super::projection::Projection;
use super::layout::Layout;
use crate::model::Model;
use crate::scalar::{LANES, Lanes, Vector, gather, lift_into};
use crate::step::{LaneIntegrator, State, StepConstants};

/// Working memory for up to four points.
pub(super) struct StepLanes<M: Model> {
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

impl<M: Model> StepLanes<M> {
    /// Creates the working memory, where lanes are available.
    pub fn new(selected: &Selected<M>, layout: Layout) -> Self {
        let mut parameters = M::Parameters::<Lanes>::zeros();
        lift_into(selected.parameters.as_ref(), parameters.as_mut());
        let settings = selected.problem.settings();
        Self {
            layout,
            constants: StepConstants::new(&parameters, settings.weights(), selected.problem.tables()),
            start: StepConstants::new(&parameters, settings.start_weights(), selected.problem.tables()),
            integrator: LaneIntegrator::of_single_steps(&settings.newton, &settings.weights()),
            state: State::zeros(),
            inputs: Vector::zeros(),
            x: vec![Lanes::default(); layout.fixed() + selected.estimated.len()],
            outputs: Vector::zeros(),
            projection: Projection::new(),
            linearization: Vector::zeros(),
            unknowns: Vector::zeros(),
        }
    }

    /// Loads the points, and computes the constants of their parameters.
    #[inline(always)]
    pub fn load(&mut self, selected: &Selected<M>, points: [&[f64]; LANES]) {
        gather(&mut self.x, points);
        let estimated = &self.x[self.layout.fixed()..];
        if !estimated.is_empty() {
            let parameters = selected.parameters(estimated);
            let tables = selected.problem.tables();
            self.constants.model = M::constants(&parameters, &self.constants.weights, tables);
            self.start.model = M::constants(&parameters, &self.start.weights, tables);
        }
    }

    /// Loads the points and their states.
    #[inline(always)]
    pub fn load_states(&mut self, selected: &Selected<M>, points: [&[f64]; LANES]) {
        self.load(selected, points);
        self.state.load(&self.x[..self.layout.state()]);
    }
}
