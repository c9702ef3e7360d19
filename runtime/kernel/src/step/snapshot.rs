//! Snapshots of an integrator, from which later steps can be computed once more with the same bits.

use costate_numerics::scalar::Scalar;
use costate_system::model::Functions;
use costate_system::state_bytes::StateBytes;

use super::integrator::{Integrator, Start, Unknowns};
use super::matrix::MatrixSnapshot;
use super::newton::Control;
use crate::step::Moment;
use crate::step::State;
use crate::step::StepError;

/// The state of an integrator between two steps.
///
/// Besides the model's state, a snapshot holds the data from which the next step extrapolates, its history
/// term, the estimates of the Newton control, and the factors that may be reused.
pub struct Snapshot<M: Functions, S: Scalar> {
    step: usize,
    taken: usize,
    is_current: bool,
    state: State<M, S>,
    /// a and lambda one step before the state.
    previous: Unknowns<M, S>,
    /// a and lambda two steps before the state.
    earlier: Unknowns<M, S>,
    auxiliary: M::Coordinates<S>,
    history: M::Coordinates<S>,
    control: Control,
    matrix: MatrixSnapshot<M>,
    /// The factors of all components, where there are several.
    factors: Vec<S>,
}

impl<M: Functions, S: Scalar> Snapshot<M, S> {
    /// Returns the bytes of one snapshot without the shared pivots.
    pub fn bytes(program: M::Program) -> u64 {
        let own = size_of::<Self>() - size_of::<Control>();
        let factors = if S::COMPONENTS > 1 { size_of::<M::Factors<S>>() } else { 0 };
        (own + factors + Control::bytes(S::COMPONENTS)) as u64 + MatrixSnapshot::<M>::bytes(program)
    }

    /// Returns the step i after which the snapshot was taken.
    pub fn step(&self) -> usize {
        self.step
    }

    /// Returns the initial values of a run, from the snapshot before its first step.
    pub fn start(&self) -> Start<M, S> {
        (self.state.clone(), self.auxiliary.clone())
    }
}

impl<M: Functions> Snapshot<M, f64> {
    /// Writes the snapshot, or reads one of the integrator `of`.
    pub fn pass(&mut self, bytes: &mut StateBytes<'_>, of: &Integrator<M, f64>) -> Option<()> {
        bytes.count(&mut self.taken)?;
        bytes.flag(&mut self.is_current)?;
        let State { coordinates, velocities, accelerations, multipliers } = &mut self.state;
        let parts = [
            coordinates.as_mut(),
            velocities.as_mut(),
            accelerations.as_mut(),
            multipliers.as_mut(),
            self.previous.accelerations.as_mut(),
            self.previous.multipliers.as_mut(),
            self.earlier.accelerations.as_mut(),
            self.earlier.multipliers.as_mut(),
            self.auxiliary.as_mut(),
            self.history.as_mut(),
        ];
        parts.into_iter().try_for_each(|part| bytes.reals(part))?;
        self.control.pass(bytes)?;
        self.matrix.pass(bytes, &of.correction.matrix)
    }
}

impl<M: Functions, S: Scalar> Integrator<M, S> {
    /// Takes a snapshot after step i; `others` are snapshots of the same run, whose pivots it shares where
    /// they agree.
    pub fn save(&self, step: usize, others: &[Snapshot<M, S>]) -> Snapshot<M, S> {
        Snapshot {
            step,
            taken: self.taken,
            is_current: self.is_current,
            state: self.state.clone(),
            previous: self.previous.clone(),
            earlier: self.earlier.clone(),
            auxiliary: self.auxiliary.clone(),
            history: self.history.clone(),
            control: self.control.clone(),
            matrix: self.correction.matrix.save(others.iter().map(|other| &other.matrix)),
            factors: if S::COMPONENTS > 1 { self.correction.factors.as_ref().to_vec() } else { Vec::new() },
        }
    }

    /// Returns to the snapshot of a run with the same parameters, which was taken at the moment `at`.
    pub fn restore(&mut self, snapshot: &Snapshot<M, S>, at: Moment<'_>) -> Result<(), StepError> {
        (self.taken, self.is_current) = (snapshot.taken, snapshot.is_current);
        self.state.clone_from(&snapshot.state);
        self.previous.clone_from(&snapshot.previous);
        self.earlier.clone_from(&snapshot.earlier);
        self.auxiliary.clone_from(&snapshot.auxiliary);
        self.history.clone_from(&snapshot.history);
        self.control.clone_from(&snapshot.control);
        if !snapshot.factors.is_empty() {
            self.correction.factors.as_mut().copy_from_slice(&snapshot.factors);
        }
        let restored = self.correction.matrix.restore(&snapshot.matrix);
        restored.map_err(|singular| self.singular(at, singular))
    }
}
