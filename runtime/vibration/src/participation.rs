//! Shares of elements and bodies in a mode, and how much inputs and outputs have to do with it.

use nalgebra::Complex;

use costate_contract::units::conversion;
use costate_numerics::linalg::SparseMatrix;
use costate_system::identifiers::{Input, Output};

use crate::error::VibrationError;
use crate::mode::Modes;
use crate::sparse::{Vector, dot, real_times};

/// The share of an element in the energies of a mode, by its force and its deflection.
///
/// Of the force F and the deflection w, both outputs, the share in the potential energy is Re(w^H F_q phi)/(phi^H K
/// phi), and that in the power that is lost Re(w^H F_v phi)/(phi^H D phi), with w = w_q phi. Shares of all elements add
/// up to 1 where nothing else makes stiffness: weights, preloads and reactions at large deflections have a share that
/// belongs to no element.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ElementShares {
    /// Share in the potential energy.
    pub potential: f64,
    /// Share in the power that is lost.
    pub lost: f64,
}

impl Modes {
    /// Computes the share of an element in the energies of a mode, by outputs for its force and its deflection, such as
    /// `strut.force` and `strut.length`: any spring or damper, also one that has its stiffness in common with others or
    /// as a number. The force is positive where it acts against a positive deflection.
    ///
    /// # Errors
    /// [`VibrationError::NoMode`], [`VibrationError::OtherModel`]; [`VibrationError::Element`] for outputs whose
    /// product is no energy, a deflection that depends on more than coordinates, or a force that depends on more than
    /// coordinates and velocities.
    pub fn element_shares<M>(
        &self,
        index: usize,
        force: Output<M>,
        deflection: Output<M>,
    ) -> Result<ElementShares, VibrationError> {
        force.check_model(self.description())?;
        deflection.check_model(self.description())?;
        let mode = self.mode(index)?;
        let scale = self.energy_unit(force.index(), deflection.index())?;
        let outputs = &self.model.outputs;
        let shape = Vector::from_vec(mode.shape.clone());
        let along = |matrix: &SparseMatrix, output: usize| -> Complex<f64> {
            let terms = matrix.iter().filter(|(row, _, _)| *row == output);
            terms.map(|(_, column, value)| shape[column] * value).sum()
        };
        let way = along(&outputs.by_coordinates, deflection.index()).conj();
        let [potential, lost, _] = self.energies(mode);
        let share = |of_force: &SparseMatrix, whole: f64| {
            let energy = scale * (way * along(of_force, force.index())).re;
            if whole != 0.0 { energy / whole } else { 0.0 }
        };
        Ok(ElementShares {
            potential: share(&outputs.by_coordinates, potential),
            lost: share(&outputs.by_velocities, lost),
        })
    }

    /// Returns the factor to J of a force times a deflection, after a check of what both depend on.
    fn energy_unit(&self, force: usize, deflection: usize) -> Result<f64, VibrationError> {
        let (model, outputs) = (self.description(), &self.model.outputs);
        let [force_quantity, way_quantity] = [force, deflection].map(|output| model.outputs.get(output));
        let name = |quantity: Option<&costate_contract::Quantity>| quantity.map_or("?", |of| of.name);
        let error = |reason| VibrationError::Element {
            force: name(force_quantity),
            deflection: name(way_quantity),
            model: model.name,
            reason,
        };
        let depends =
            |matrix: &SparseMatrix, output: usize| matrix.iter().any(|(row, _, value)| row == output && value != 0.0);
        let by_others =
            |output: usize| depends(&outputs.by_accelerations, output) || depends(&outputs.by_multipliers, output);
        if by_others(deflection) || depends(&outputs.by_velocities, deflection) {
            return Err(error("the deflection must depend on coordinates alone"));
        }
        if by_others(force) {
            return Err(error("the force must depend on coordinates and velocities alone"));
        }
        let unit = |quantity: Option<&costate_contract::Quantity>| quantity.map_or("1", |of| of.unit);
        let product = format!("({})*({})", unit(force_quantity), unit(way_quantity));
        let scale =
            conversion(&product, "J").map_err(|_| error("their product must be an energy, such as N times m"))?;
        Ok(scale.apply(1.0))
    }

    /// Returns the share of every body in the kinetic energy of a mode, with its name, and those of coordinates that
    /// belong to no body. The sum is 1, or 0 for a mode without mass.
    ///
    /// # Errors
    /// [`VibrationError::NoMode`].
    pub fn body_shares(&self, index: usize) -> Result<Vec<(&'static str, f64)>, VibrationError> {
        let (mode, model) = (self.mode(index)?, self.description());
        let shares = mode.kinetic_shares();
        let mut owned = vec![false; shares.len()];
        let mut of_bodies: Vec<(&'static str, f64)> = Vec::new();
        for body in model.scene.bodies.iter() {
            let (first, count) = (body.first as usize, if body.spatial { 7 } else { 3 });
            let range = first..(first + count).min(shares.len());
            owned.get_mut(range.clone()).into_iter().flatten().for_each(|owned| *owned = true);
            of_bodies.push((&*body.name, shares.get(range).into_iter().flatten().sum()));
        }
        let others = model.coordinates.iter().zip(shares).zip(owned);
        of_bodies.extend(others.filter(|(_, owned)| !owned).map(|((of, share), _)| (of.name, *share)));
        Ok(of_bodies)
    }

    /// Computes the residue R of a mode in the response of an output to an input, in the unit of the response over s:
    /// how strongly the input excites the mode and the output shows it.
    ///
    /// The response is the sum of R/(i omega - s) over all eigenvalues s, with those that are conjugate, and of what
    /// follows at once. At the resonance of a mode with little damping, its term is about |R|/|Re s|.
    ///
    /// # Errors
    /// [`VibrationError::NoMode`], [`VibrationError::OtherModel`]; [`VibrationError::Repeated`] for a rigid motion or
    /// modes that have the same eigenvalue; [`VibrationError::Reactions`].
    pub fn residue<M>(&self, index: usize, input: Input<M>, output: Output<M>) -> Result<Complex<f64>, VibrationError> {
        input.check_model(self.description())?;
        output.check_model(self.description())?;
        let mode = self.check_single(index)?;
        let model = &self.model;
        model.check_reactions(&[output.index()])?;
        let (pair, minimal) = (&mode.pair, &model.minimal);
        let momentum = real_times(&minimal.mass, &pair.right) * (pair.value * 2.0);
        let slope = dot(&pair.left, &(momentum + real_times(&minimal.damping, &pair.right)));
        let driven = model.driven.column_iter().nth(input.index());
        let pushed: Complex<f64> =
            driven.iter().flat_map(|column| column.iter()).zip(pair.left.iter()).map(|(b, y)| y * *b).sum();
        let seen = mode.outputs.get(output.index()).copied().unwrap_or_default();
        Ok(seen * pushed / slope)
    }
}
