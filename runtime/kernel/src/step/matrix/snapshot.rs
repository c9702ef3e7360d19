//! The factorised matrix between two steps, from which later matrices can be computed once more with the same
//! bits.

use std::sync::Arc;

use super::StepMatrix;
use super::limits::Limits;
use costate_numerics::linalg::block::find;
use costate_numerics::linalg::{Kkt, Patience, Singular};
use costate_system::model::{Argument, Function, Functions};
use costate_system::state_bytes::StateBytes;

/// The data that later matrices, and solutions with the last one, depend on.
///
/// Chosen pivots and limits change seldom: snapshots share them. Of factors with chosen pivots the matrix is
/// kept, which is smaller than its factors.
#[derive(Debug)]
pub struct MatrixSnapshot<M: Functions> {
    factors: M::Factors<f64>,
    multipliers_per_acceleration: f64,
    is_pivoted: bool,
    pause: u32,
    last_pause: u32,
    pivoted: usize,
    patience: Patience,
    /// The last matrix, if it has chosen pivots; else empty.
    matrix: Vec<f64>,
    shared: Arc<Shared>,
}

/// The data that several snapshots share.
#[derive(Debug)]
struct Shared {
    kkt: Kkt,
    limits: Option<Limits>,
    limits_set: usize,
}

impl<M: Functions> MatrixSnapshot<M> {
    /// Returns the bytes in addition to the snapshot itself, without the shared data.
    pub fn bytes(program: M::Program) -> u64 {
        let groups = M::description(program).groups;
        let entries = |function, argument| find(groups.newton, function, Some(argument)).entries.len();
        let matrix =
            entries(Function::Step, Argument::Accelerations) + entries(Function::Constraint, Argument::Coordinates);
        (matrix * size_of::<f64>()) as u64
    }

    /// Writes the snapshot, or reads one of the matrix `of`.
    pub fn pass(&mut self, bytes: &mut StateBytes<'_>, of: &StepMatrix<M>) -> Option<()> {
        bytes.reals(self.factors.as_mut())?;
        bytes.real(&mut self.multipliers_per_acceleration)?;
        bytes.flag(&mut self.is_pivoted)?;
        bytes.short(&mut self.pause)?;
        bytes.short(&mut self.last_pause)?;
        bytes.count(&mut self.pivoted)?;
        let mut patience = self.patience.counts();
        patience.iter_mut().try_for_each(|count| bytes.short(count))?;
        self.patience = Patience::of_counts(patience);
        bytes.list(&mut self.matrix)?;
        let Shared { kkt, limits, limits_set } = &*self.shared;
        let (mut kkt, mut limits, mut limits_set) = (kkt.clone(), limits.clone(), *limits_set);
        let mut has_limits = limits.is_some();
        bytes.flag(&mut has_limits)?;
        if has_limits {
            let elimination = M::description(of.program).elimination.as_ref()?;
            limits.get_or_insert_with(|| Limits::new(elimination)).pass(bytes)?;
        } else {
            limits = None;
        }
        bytes.count(&mut limits_set)?;
        let ((chosen_for, mut is_in_order), mut changes) = (kkt.choice(), kkt.changes());
        let mut chosen_for = chosen_for.to_vec();
        bytes.list(&mut chosen_for)?;
        bytes.flag(&mut is_in_order)?;
        bytes.count(&mut changes)?;
        if let StateBytes::Read(_) = bytes {
            kkt = of.kkt.without_pivots();
            let mut group = of.newton.as_ref().to_vec();
            let serves = changes == 0 || kkt.choose_again((&chosen_for, is_in_order), changes, &mut group);
            if !serves || (self.is_pivoted && changes > 0 && self.matrix.len() != chosen_for.len()) {
                return None;
            }
            self.shared = Arc::new(Shared { kkt, limits, limits_set });
        }
        Some(())
    }

    /// Returns how often pivots or their bounds had been set.
    fn changes(&self) -> usize {
        self.shared.kkt.changes()
    }
}

impl<M: Functions> StepMatrix<M> {
    /// Takes a snapshot; `others` are those of the same run.
    pub fn save<'a>(&self, mut others: impl Iterator<Item = &'a MatrixSnapshot<M>>) -> MatrixSnapshot<M> {
        // the numbers of changes and of limits set so far identify the pivots and limits within one run
        let same = |other: &&MatrixSnapshot<M>| {
            other.changes() == self.kkt.changes() && other.shared.limits_set == self.limits_set
        };
        let shared = others.find(same).map(|other| Arc::clone(&other.shared));
        MatrixSnapshot {
            factors: self.factors.clone(),
            multipliers_per_acceleration: self.multipliers_per_acceleration,
            is_pivoted: self.is_pivoted,
            pause: self.pause,
            last_pause: self.last_pause,
            pivoted: self.pivoted,
            patience: self.kkt.patience(),
            matrix: if self.is_pivoted { self.kkt.matrix(self.newton.as_ref()) } else { Vec::new() },
            shared: shared.unwrap_or_else(|| {
                let (kkt, limits) = (self.kkt.clone(), self.limits.clone());
                Arc::new(Shared { kkt, limits, limits_set: self.limits_set })
            }),
        }
    }

    /// Returns to the state of the snapshot.
    pub fn restore(&mut self, snapshot: &MatrixSnapshot<M>) -> Result<(), Singular> {
        self.factors.as_mut().copy_from_slice(snapshot.factors.as_ref());
        self.multipliers_per_acceleration = snapshot.multipliers_per_acceleration;
        self.is_pivoted = snapshot.is_pivoted;
        self.pause = snapshot.pause;
        self.last_pause = snapshot.last_pause;
        self.pivoted = snapshot.pivoted;
        self.limits.clone_from(&snapshot.shared.limits);
        self.limits_set = snapshot.shared.limits_set;
        if snapshot.is_pivoted && snapshot.changes() > 0 {
            let matrix = (&snapshot.matrix[..], snapshot.patience);
            self.kkt.restore(&snapshot.shared.kkt, matrix, self.newton.as_mut())
        } else {
            self.kkt.clone_from(&snapshot.shared.kkt);
            self.kkt.set_patience(snapshot.patience);
            Ok(())
        }
    }
}
