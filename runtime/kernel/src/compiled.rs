//! The system that a compiled model is.

use std::fmt;

use nalgebra::DMatrix;

use costate_numerics::scalar::{CollectVec, Dual, LANES, array};
use costate_system::model::{Description, Functions, SelectedParameters};
use costate_system::problem::{InitialStateError, Problem, SimulationError, StepPlan};
use costate_system::series::Series;
use costate_system::system::{Differentiable, DualEquations, EachSample, Equations, SecondOrder, System};
use costate_system::table::Tables;

use crate::equations::ModelEquations;
use crate::gradient::{
    self, AdjointHistory, Columns, CostTerms, Differences, FullGradient, LaneGradients, Own, RunAndCost,
};
use crate::initial;
use crate::run::{self, OfLevels, RunStates, Scales, StoredRun, Trajectory};

/// The model `M` as a [`System`], [`Differentiable`], [`SecondOrder`] and [`DualEquations`]: each method is a loop of
/// the kernel.
pub struct Compiled<M: Functions> {
    program: M::Program,
}

impl<M: Functions<Program = ()>> Compiled<M> {
    /// Creates the value of a compiled model, of which the type says everything.
    #[doc(hidden)]
    pub const fn new() -> Self {
        Self { program: () }
    }
}

impl<M: Functions<Program = ()>> Default for Compiled<M> {
    fn default() -> Self {
        Self::new()
    }
}

impl<M: Functions> Compiled<M> {
    /// Creates the value of the model with this program.
    pub const fn of(program: M::Program) -> Self {
        Self { program }
    }
}

impl<M: Functions> fmt::Debug for Compiled<M> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Compiled<{}>", M::description(self.program).name)
    }
}

impl<M: Functions> System for Compiled<M> {
    fn description(&self) -> &'static Description {
        M::description(self.program)
    }

    fn tables(&self) -> Tables {
        M::own_tables(self.program)
    }

    fn geometry(&self, parameters: &[f64], tables: &Tables) -> Vec<f64> {
        M::geometry::<f64>(self.program, &array(parameters), tables)
    }

    fn snapshot_bytes(&self) -> u64 {
        crate::step::Snapshot::<M, f64>::bytes(self.program)
    }

    fn run(&self, problem: &Problem, parameters: &[f64]) -> Result<StoredRun, SimulationError> {
        run::run_planned::<M, f64>(self.program, problem, problem.plan(), &array(parameters))
    }

    fn forward(&self, problem: &Problem, parameters: &[f64]) -> Result<Trajectory, SimulationError> {
        run::run_forward::<M, f64>(self.program, problem, &array(parameters))
    }

    fn outputs(&self, problem: &Problem, parameters: &[f64]) -> Result<Series<f64>, SimulationError> {
        run::run_outputs::<M, f64>(self.program, problem, &array(parameters))
    }

    fn outputs_of(&self, run: &Trajectory) -> Series<f64> {
        run::outputs_of::<M, f64>(run)
    }

    fn run_lanes(&self, problem: &Problem, sets: &[&[f64]]) -> Result<[Option<StoredRun>; LANES], SimulationError> {
        let sets: Vec<M::Parameters<f64>> = sets.iter().map(|set| array(set)).collect_vec();
        run::run_lanes::<M>(self.program, problem, &sets)
    }

    fn plan_steps(
        &self,
        problem: &Problem,
        parameters: &[f64],
        ranges: &[f64],
        tolerance: f64,
    ) -> Result<StepPlan, SimulationError> {
        run::plan_steps::<M>(self.program, problem, &array(parameters), ranges, tolerance)
    }

    fn check_start(&self, problem: &Problem, parameters: &[f64]) -> Result<(), InitialStateError> {
        initial::check_given::<M>(self.program, problem, &array(parameters))
    }

    fn initial_state(&self, problem: &Problem, parameters: &[f64]) -> Result<Vec<f64>, InitialStateError> {
        Ok(initial::consistent_state::<M, f64>(self.program, problem, &array(parameters))?.state.stored())
    }

    fn initial_derivatives(
        &self,
        problem: &Problem,
        parameters: &[f64],
        unknown: &[usize],
    ) -> Result<DMatrix<f64>, InitialStateError> {
        let all = initial::initial_derivatives::<M>(self.program, problem, &array(parameters), None, unknown)?;
        Ok(all.rows(0, M::lengths(self.program).state()).into_owned())
    }

    fn scales(&self, problem: &Problem, run: &Trajectory, strides: (usize, usize)) -> Scales {
        run::scales_of::<M>(problem, run, strides)
    }

    fn differences(
        &self,
        own: Own<'_>,
        other: &Problem,
        every: (usize, usize),
    ) -> Result<Differences, SimulationError> {
        gradient::differences::<M>(own, other, every)
    }

    fn with_equations(&self, problem: &Problem, parameters: &[f64], work: &mut dyn FnMut(&dyn Equations<f64>)) {
        let constants = run::constants_of::<M, f64>(self.program, problem, &array(parameters));
        work(&ModelEquations::<M, f64>(&constants));
    }
}

impl<M: Functions> Differentiable for Compiled<M> {
    fn gradients(
        &self,
        problem: &Problem,
        run: RunStates<'_>,
        output_gradients: &[&Series<f64>],
        unknown: &[usize],
    ) -> Result<Vec<Vec<f64>>, SimulationError> {
        if let Some(levels) = OfLevels::of(self, problem) {
            return levels.gradients(run, output_gradients, unknown);
        }
        gradient::adjoint_gradients::<M>(self.program, problem, run, output_gradients, unknown)
    }

    fn full_gradient(
        &self,
        problem: &Problem,
        run: RunStates<'_>,
        output_gradient: &Series<f64>,
        unknown: &[usize],
        others: (bool, &[bool]),
    ) -> Result<FullGradient, SimulationError> {
        if let Some(levels) = OfLevels::of(self, problem) {
            return levels.full_gradient(run, output_gradient, unknown, others);
        }
        gradient::full_gradient::<M>(self.program, problem, run, output_gradient, unknown, others)
    }

    fn gradient_lanes(
        &self,
        problem: &Problem,
        runs: &[RunAndCost<'_>],
        unknown: (&[usize], &SelectedParameters),
    ) -> Result<LaneGradients, SimulationError> {
        if let Some(levels) = OfLevels::of(self, problem) {
            return levels.gradient_lanes(runs, unknown);
        }
        gradient::gradient_lanes::<M>(self.program, problem, runs, unknown)
    }

    fn sensitivities(
        &self,
        problem: &Problem,
        run: RunStates<'_>,
        by: Columns<'_>,
        each: &mut EachSample<'_>,
    ) -> Result<(), SimulationError> {
        if let Some(levels) = OfLevels::of(self, problem) {
            return levels.sensitivities(run, by, each);
        }
        gradient::by_sample::<M>(self.program, problem, run, by, each)
    }

    fn adjoint_history(
        &self,
        problem: &Problem,
        run: RunStates<'_>,
        output_gradient: &Series<f64>,
    ) -> Result<AdjointHistory, SimulationError> {
        gradient::history_of_adjoint::<M>(self.program, problem, run, output_gradient)
    }

    fn lookup_arguments(&self, problem: &Problem, run: RunStates<'_>) -> Result<Vec<Vec<[f64; 2]>>, SimulationError> {
        if let Some(levels) = OfLevels::of(self, problem) {
            return levels.lookup_arguments(run);
        }
        gradient::lookup_arguments::<M>(self.program, problem, run)
    }

    fn cost_terms(
        &self,
        problem: &Problem,
        run: RunStates<'_>,
        output_gradient: &Series<f64>,
    ) -> Result<CostTerms, SimulationError> {
        if let Some(levels) = OfLevels::of(self, problem) {
            return levels.cost_terms(run, output_gradient);
        }
        gradient::cost_terms::<M>(self.program, problem, run, output_gradient)
    }
}

impl<M: Functions> SecondOrder for Compiled<M> {
    fn differentiable(&self) -> &'static dyn Differentiable {
        M::erased(self.program)
    }

    fn outputs_dual(&self, problem: &Problem, parameters: &[Dual]) -> Result<Series<Dual>, SimulationError> {
        run::outputs_with::<M, Dual>(self.program, problem, &array(parameters))
    }

    fn run_dual(&self, problem: &Problem, parameters: &[Dual]) -> Result<StoredRun<Dual>, SimulationError> {
        run::run_with::<M, Dual>(self.program, problem, &array(parameters))
    }

    fn input_gradient_dual(
        &self,
        problem: &Problem,
        run: RunStates<'_, Dual>,
        output_gradient: &Series<Dual>,
        end_gradient: Option<&[Dual]>,
    ) -> Result<Series<Dual>, SimulationError> {
        gradient::input_gradient_with::<M, Dual>(self.program, problem, run, output_gradient, end_gradient)
    }
}

impl<M: Functions> DualEquations for Compiled<M> {
    fn with_dual_equations(&self, problem: &Problem, parameters: &[Dual], work: &mut dyn FnMut(&dyn Equations<Dual>)) {
        let constants = run::constants_of::<M, Dual>(self.program, problem, &array(parameters));
        work(&ModelEquations::<M, Dual>(&constants));
    }
}
