//! Spectra and other costs that contradict the channels beside them. A fit without them tells whether the model is
//! incomplete.

use costate_cost::residuals::{Cause, Suspicion};

use super::definition::Definition;
use super::definition::approach::Approach;
use super::refits::Steps;
use super::result::explanation::Explanation;

impl Definition {
    /// Returns the channels that tests of the residuals contradict, if a fit without further costs leaves nothing but
    /// noise of them: the costs are the reason, and not the model.
    pub(super) fn contradicting_costs(&self, explanation: &Explanation) -> Vec<Suspicion> {
        let is_asked = self.approach == Approach::Automatic && self.has_costs() && self.can_grow();
        if !is_asked || !explanation.is_insufficient() {
            return Vec::new();
        }
        let mut without = self.clone();
        without.experiments.iter_mut().chain([&mut without.own]).for_each(|one| one.costs.clear());
        let Some((estimation, last)) =
            without.refit_from(&[], "the channels without spectra and other costs", Steps::Fine)
        else {
            return Vec::new();
        };
        let unknowns = last.round.state.parameters();
        if Explanation::of(&estimation, &last.found, &last.rows, &unknowns).is_insufficient() {
            return Vec::new();
        }
        let contradicted = explanation.compared.iter().flatten().filter(|one| one.is_unexplained());
        contradicted.map(|one| one.suspicion(false, Cause::Costs)).collect()
    }
}
