//! The Newton matrix of a step: factorised in a pivot order that was fixed when the model was compiled, by emitted
//! factors or by the library, or, where that order fails, with pivots searched for the matrix.
//!
//! The emitted factors are trusted only within [`limits`](Limits), which come from a matrix whose emitted
//! solution was found to be as good as that with chosen pivots. A matrix that exceeds the limits is
//! factorised by the library, and new limits are set if the emitted factors solve it well. The library has an order
//! for models without emitted factors as well (`Description::order`); it watches its pivots, and searches others where
//! the order fails. "Chosen pivots" are those of the library, in either case.

mod lane_limits;
mod limits;
mod snapshot;

use costate_numerics::linalg::block::find;
use costate_numerics::linalg::{FourFactors, Kkt, Singular};
use costate_numerics::scalar::{Lanes, Scalar, Vector, component_into, real_part};
use costate_system::model::{Argument, Block, Description, Function, Functions, Group, Point};

use crate::evaluate;
use crate::step::MAX_PAUSE;
use crate::step::rows::Rows;

pub(crate) use limits::Limits;

pub(crate) use lane_limits::LaneLimits;

pub(crate) use snapshot::MatrixSnapshot;

/// Number of constraints up to which the rounding of a single one determines that of the multipliers.
const MAX_FEW_CONSTRAINTS: usize = 16;

/// The Newton matrix of one step after the other. Its emitted factors have the number type S, everything else
/// belongs to their real parts.
#[derive(Debug)]
pub struct StepMatrix<M: Functions, S: Scalar = f64> {
    program: M::Program,
    /// Varying factors of the emitted elimination.
    pub factors: M::Factors<S>,
    limits: Option<Limits>,
    /// The number of times that the limits have been set.
    limits_set: usize,
    /// Residual and matrix in blocks, for chosen pivots.
    newton: M::Newton<f64>,
    kkt: Kkt,
    /// Ratio of multipliers to accelerations in the last matrix with chosen pivots.
    pub multipliers_per_acceleration: f64,
    /// True if the last matrix has chosen pivots.
    is_pivoted: bool,
    pause: u32,
    last_pause: u32,
    pivoted: usize,
    /// True if pivots are chosen for the first matrix in any case.
    is_prepared: bool,
}

impl<M: Functions, S: Scalar> StepMatrix<M, S> {
    /// False for a compiled model that has no emitted factors, so that functions for such factors are not compiled.
    const MAY_HAVE_FACTORS: bool = match M::COMPILED {
        Some(description) => description.elimination.is_some(),
        None => true,
    };

    /// Creates a matrix without factors. `blocks` is the group that holds the matrix of a model without
    /// emitted factors.
    pub fn new(program: M::Program, blocks: &'static [Block]) -> Self {
        let (description, lengths) = (M::description(program), M::lengths(program));
        let blocks = if description.elimination.is_some() { description.groups.newton } else { blocks };
        Self {
            program,
            factors: Vector::zeros(lengths.factors),
            limits: None,
            limits_set: 0,
            newton: Vector::zeros(lengths.group(Group::Newton)),
            kkt: Kkt::new(
                (lengths.coordinates, lengths.multipliers),
                find(blocks, Function::Step, Some(Argument::Accelerations)),
                find(blocks, Function::Constraint, Some(Argument::Coordinates)),
                order_of_library(description),
            ),
            multipliers_per_acceleration: 0.0,
            is_pivoted: true,
            pause: 0,
            last_pause: 1,
            pivoted: 0,
            is_prepared: false,
        }
    }

    /// Returns true if the model has emitted factors.
    #[inline(always)]
    pub fn has_factors(&self) -> bool {
        Self::MAY_HAVE_FACTORS && M::description(self.program).elimination.is_some()
    }

    fn m(&self) -> usize {
        M::lengths(self.program).multipliers
    }

    /// Chooses pivots for the first matrix even if its emitted factors can be used: if they fail later on,
    /// nothing is allocated.
    pub fn prepared(self) -> Self {
        Self { is_prepared: true, kkt: self.kkt.without_order(), ..self }
    }

    /// Returns true if emitted factors are to be tried for the next matrix.
    #[inline(always)]
    pub fn tries_emitted(&self) -> bool {
        self.has_factors() && self.pause == 0
    }

    /// Returns true if the pivots of the last matrix were chosen.
    #[inline(always)]
    pub fn is_pivoted(&self) -> bool {
        self.is_pivoted
    }

    /// Returns true if the last matrix has emitted factors.
    #[inline(always)]
    pub fn is_emitted(&self) -> bool {
        self.has_factors() && !self.is_pivoted
    }

    /// Accepts the emitted factors, which were just evaluated, if they keep their limits; returns true if
    /// they do.
    #[inline(always)]
    pub fn accept(&mut self) -> bool {
        let holds = self.limits.as_ref().is_some_and(|limits| limits.hold(self.factors.as_ref()));
        if holds {
            self.is_pivoted = false;
        }
        holds
    }

    /// Checks emitted factors that were not [accepted](Self::accept), evaluated at `point`: accepts them if
    /// they solve well, else chooses pivots.
    pub fn check(&mut self, point: &Point<'_, M, f64>) -> Result<(), Singular> {
        self.evaluate_blocks(point);
        if self.is_prepared && self.kkt.changes() == 0 {
            // a singular matrix is reported where chosen pivots are needed
            self.kkt.factor(self.newton.as_ref()).ok();
        }
        if self.find_limits(point.constants) {
            self.is_pivoted = false;
            self.last_pause = 1;
            return Ok(());
        }
        self.factor_pivoted()?;
        self.pause = self.last_pause;
        self.last_pause = (2 * self.last_pause).min(MAX_PAUSE);
        Ok(())
    }

    /// Chooses pivots for the matrix at `point`, where emitted factors are not tried.
    pub fn pivot(&mut self, point: &Point<'_, M, f64>) -> Result<(), Singular> {
        self.pause = self.pause.saturating_sub(1);
        self.evaluate_blocks(point);
        self.factor_pivoted()
    }

    /// Returns the limits of the emitted factors, if they are known.
    pub fn limits(&self) -> Option<&Limits> {
        self.limits.as_ref()
    }

    fn evaluate_blocks(&mut self, point: &Point<'_, M, f64>) {
        evaluate::newton(point, &mut self.newton);
    }

    /// Factorises the matrix in the blocks with pivots that are chosen for it, or were chosen for an earlier
    /// matrix.
    fn factor_pivoted(&mut self) -> Result<(), Singular> {
        self.is_pivoted = true;
        let changes = self.kkt.changes();
        let factorised = self.kkt.factor(self.newton.as_ref());
        self.count(factorised)?;
        if changes != self.kkt.changes() || (self.has_factors() && self.m() <= MAX_FEW_CONSTRAINTS) {
            self.multipliers_per_acceleration = self.find_multipliers_per_acceleration(|kkt, x| kkt.solve(x.as_mut()));
        }
        Ok(())
    }

    /// Estimates the ratio of multipliers to accelerations in the matrix of the blocks; `solve` solves with
    /// this matrix.
    fn find_multipliers_per_acceleration(&self, solve: impl Fn(&Kkt, &mut M::Unknowns<f64>)) -> f64 {
        let largest = self.kkt.multipliers_per_acceleration(self.newton.as_ref());
        if self.has_factors() && self.m() <= MAX_FEW_CONSTRAINTS {
            return largest;
        }
        // the effect of the rounding of many constraints on multipliers shows in the whole matrix only: along
        // a chain of bodies the contributions of the constraints, unit values with random signs, accumulate
        let lengths = M::lengths(self.program);
        let (n, mut x) = (lengths.coordinates, M::Unknowns::<f64>::zeros(lengths.unknowns));
        let mut state = 1u32;
        for constraint in &mut x.as_mut()[n..] {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            *constraint = if state >> 31 == 0 { 1.0 } else { -1.0 };
        }
        solve(&self.kkt, &mut x);
        let multipliers = &x.as_ref()[n..];
        let accumulated = multipliers.iter().fold(0.0, |most: f64, multiplier| most.max(multiplier.abs()));
        // except near a singular matrix, each constraint adds its own share at most
        largest.max(accumulated.min(self.m() as f64 * largest))
    }

    /// Copies the residual that was evaluated with the blocks of the last matrix.
    pub fn copy_residual(&self, residual: &mut M::Residual<f64>) {
        let groups = M::description(self.program).groups;
        let (from, to) = (Rows::of(groups.newton), Rows::of(groups.residual));
        for (from, to) in from.pairs(&to) {
            let to = to.offset..to.offset + to.entries.len();
            residual.as_mut()[to].copy_from_slice(from.values(self.newton.as_ref()));
        }
    }

    /// Factorises the matrix of a model without emitted factors; `group` holds the values of the blocks.
    pub fn factor_blocks(&mut self, group: &[S]) -> Result<(), Singular> {
        self.is_pivoted = true;
        let factorised = self.kkt.factor(group);
        self.count(factorised)
    }

    /// Factorises the matrices of four steps of a model without emitted factors with the pivots of the last matrix;
    /// returns false if these fail. `group` holds the values of the blocks.
    pub fn factor_four(&self, group: &[Lanes], factors: &mut Option<Box<FourFactors>>) -> bool {
        self.kkt.factor_four(group, factors)
    }

    /// Counts the matrix that was factorised last if its pivots are not those of the compiled order.
    fn count(&mut self, factorised: Result<(), Singular>) -> Result<(), Singular> {
        self.pivoted += usize::from(factorised.is_err() || !self.kkt.is_in_order());
        factorised
    }

    /// Checks whether the emitted factors solve the matrix in the blocks well; if so, sets the limits from
    /// them.
    fn find_limits(&mut self, constants: &M::Constants<f64>) -> bool {
        /// Largest backward error where entries of L are large: as with chosen pivots, so that nothing is lost near
        /// singular positions.
        const MAX_ERROR_OF_LARGE_FACTORS: f64 = 1e-14;
        /// Largest backward error of a good solution with emitted factors, the relative change of the matrix for
        /// which the solution is exact: growth of the factors costs two digits at most, as with chosen pivots.
        const MAX_BACKWARD_ERROR: f64 = 2e-13;
        let Some(elimination) = M::description(self.program).elimination else { return false };
        self.kkt.equilibrate(self.newton.as_ref());
        let mut given = M::Unknowns::<f64>::zeros(M::lengths(self.program).unknowns);
        for (value, scale) in given.as_mut().iter_mut().zip(self.kkt.scales().0) {
            *value = 1.0 / scale;
        }
        let mut found = given.clone();
        let real: M::Factors<f64> = real_part(&self.factors);
        M::solve(constants, &real, &mut found);
        let error = self.kkt.backward_error(found.as_ref(), given.as_ref());
        let factors = real.as_ref();
        let (rows, columns) = self.kkt.scales();
        let limits = self.limits.get_or_insert_with(|| Limits::new(&elimination));
        limits.set(&elimination, factors, rows, columns);
        self.limits_set += 1;
        // false also where both are NaN
        let allowed = if limits.are_wide { MAX_ERROR_OF_LARGE_FACTORS } else { MAX_BACKWARD_ERROR };
        let are_accurate = error <= allowed && limits.hold(factors);
        if !are_accurate {
            limits.forget();
            return false;
        }
        self.multipliers_per_acceleration =
            self.find_multipliers_per_acceleration(|_, x| M::solve(constants, &real, x));
        true
    }

    /// Solves with the transpose of the last matrix, which has chosen pivots and is in `group` in the number
    /// type S.
    ///
    /// The factors are plain numbers: they solve for one component after the other, and again for the
    /// remaining residual, until every component has received the contributions of those before it.
    pub fn solve_transposed_pivoted(&self, group: &[S], unknowns: &mut M::Unknowns<S>) {
        let right = unknowns.clone();
        unknowns.as_mut().fill(S::default());
        let mut left = right.clone();
        let lengths = M::lengths(self.program);
        let mut part = M::Unknowns::<f64>::zeros(lengths.unknowns);
        for _ in 0..S::COMPONENTS {
            for component in 0..S::COMPONENTS {
                component_into(left.as_ref(), component, part.as_mut());
                self.kkt.solve_transposed(part.as_mut());
                for (unknown, part) in unknowns.as_mut().iter_mut().zip(part.as_ref()) {
                    unknown.set_component(component, unknown.component(component) + part);
                }
            }
            if S::COMPONENTS > 1 {
                left.clone_from(&right);
                self.kkt.subtract_transposed_product(lengths.coordinates, group, unknowns.as_ref(), left.as_mut());
            }
        }
    }

    /// Returns how often pivots were chosen by searching all entries.
    pub fn analyses(&self) -> usize {
        self.kkt.analyses()
    }

    /// Returns the number of matrices that were factorised neither by the emitted factors nor in the compiled order.
    pub fn pivoted(&self) -> usize {
        self.pivoted
    }
}

/// Returns the pivots in the order in which the library factorises the Newton matrix of a model; empty if the order is
/// that of emitted factors of which some are sums of rows, so that it does not fit the matrix itself.
pub(crate) fn order_of_library(description: &Description) -> &'static [(u32, u32)] {
    match description.elimination {
        Some(elimination) if description.order.is_empty() && elimination.sums.is_empty() => elimination.pivots,
        _ => description.order,
    }
}

impl<M: Functions> StepMatrix<M> {
    /// Solves with the matrix.
    #[inline]
    pub fn solve(&self, constants: &M::Constants<f64>, unknowns: &mut M::Unknowns<f64>) {
        if self.is_pivoted {
            self.solve_pivoted(unknowns);
        } else {
            M::solve(constants, &self.factors, unknowns);
        }
    }

    /// Solves with the matrix, where its pivots were chosen.
    pub fn solve_pivoted(&self, unknowns: &mut M::Unknowns<f64>) {
        self.kkt.solve(unknowns.as_mut());
    }
}
