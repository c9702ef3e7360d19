//! Shares of parameters in the energies of a mode.

use costate_numerics::linalg::SparseMatrix;
use costate_system::identifiers::Parameter;
use costate_system::model::Model;
use costate_system::system::DualEquations;

use crate::error::VibrationError;
use crate::mode::{Mode, ModeKind, Modes};
use crate::sparse::{Vector, form};

/// The share of a parameter in the energies of a mode: of a stiffness in the potential energy, of a damping in the
/// power that is lost, of a mass in the kinetic energy.
///
/// The share is p phi^H K_p phi/(phi^H K phi) for the stiffness matrix, and alike for the others, at the equilibrium as
/// it is: the part of the energy that is proportional to the parameter. Shares of all springs add up to 1 where nothing
/// else, such as gravity or a preload, makes stiffness. A parameter of the geometry, such as a length, has the share by
/// which its relative change changes the energy, which is no part of it: it may be negative or more than 1. Where a
/// mode has no such energy but for rounding, all shares are 0.
#[derive(Debug, Clone, PartialEq)]
pub struct EnergyShares {
    /// Name of the parameter.
    pub parameter: &'static str,
    /// Share in the potential energy.
    pub potential: f64,
    /// Share in the power that is lost.
    pub lost: f64,
    /// Share in the kinetic energy.
    pub kinetic: f64,
}

impl Modes {
    /// Computes the shares of all parameters in the energies of a mode; parameters without a share are left out.
    ///
    /// The function is generic because derivatives of matrices need the model's functions in dual numbers, which are
    /// compiled where they are used.
    ///
    /// # Errors
    /// [`VibrationError::NoMode`].
    pub fn energy_shares<M: Model>(&self, index: usize) -> Result<Vec<EnergyShares>, VibrationError> {
        Parameter::<M>::all().next().map_or(Ok(()), |parameter| parameter.check_model(self.description()))?;
        self.energy_shares_by(M::dual_equations(), index)
    }

    /// [`energy_shares`](Self::energy_shares) by the functions of the same model in dual numbers.
    ///
    /// # Errors
    /// [`VibrationError::NoMode`].
    pub fn energy_shares_by(
        &self,
        dual: &dyn DualEquations,
        index: usize,
    ) -> Result<Vec<EnergyShares>, VibrationError> {
        let mode = self.mode(index)?;
        let model = &self.model;
        let shape = Vector::from_vec(mode.shape.clone());
        let form = |matrix: &SparseMatrix| form(matrix, &shape);
        let totals = self.energies(mode);
        let still = vec![0.0; model.description().state_length()];
        let parameters = model.description().parameters.iter().zip(&model.place.parameters).enumerate();
        let shares = parameters.filter_map(|(position, (quantity, value))| {
            let (matrices, _) = model.differentiated(dual, position, &still);
            let share = |matrix, total: f64| if total != 0.0 { value * form(matrix) / total } else { 0.0 };
            let potential = share(&matrices.stiffness, totals[0]);
            let (lost, kinetic) = (share(&matrices.damping, totals[1]), share(&matrices.mass, totals[2]));
            let has_share = [potential, lost, kinetic].iter().any(|share| share.abs() > 1e-12);
            has_share.then_some(EnergyShares { parameter: quantity.name, potential, lost, kinetic })
        });
        Ok(shares.collect())
    }

    /// Returns phi^H K phi, phi^H D phi and phi^H M phi of a mode; the first of them is 0 for a rigid motion, where it
    /// is rounding.
    pub(crate) fn energies(&self, mode: &Mode) -> [f64; 3] {
        let matrices = &self.model.matrices;
        let shape = Vector::from_vec(mode.shape.clone());
        let of = |matrix: &SparseMatrix| form(matrix, &shape);
        let potential = if mode.kind() == ModeKind::Rigid { 0.0 } else { of(&matrices.stiffness) };
        [potential, of(&matrices.damping), of(&matrices.mass)]
    }
}
