//! Checks that every output follows one measurement, and that names are those of the model.

use costate_system::model::{Description, OtherModel};
use costate_system::simulation::RunDescription;

use crate::definition::error::{IdentificationError, SpecificationError};
use crate::definition::experiment::ExperimentDefinition;

impl ExperimentDefinition {
    /// Checks that all names are those of the model.
    pub(crate) fn check_names(&self, model: &'static Description) -> Result<(), OtherModel> {
        self.run.iter().try_for_each(RunDescription::check_names)?;
        self.measurements.iter().try_for_each(|measurement| measurement.output.check_model(model))?;
        self.input_delays.iter().try_for_each(|(input, _)| input.check_model(model))?;
        self.unknown_inputs.iter().try_for_each(|unknown| unknown.input.check_model(model))
    }

    /// Checks that no two measurements, or further costs, compare the same output in time: these would belong to
    /// different runs, or count one run twice. Costs in frequency may follow an output as well.
    pub(crate) fn check_outputs(&self, model: &Description) -> Result<(), IdentificationError> {
        let mut all: Vec<(usize, String)> = Vec::new();
        for measurement in &self.measurements {
            let (channel, record) = (measurement.chosen()?.name(), measurement.data.record.name());
            all.push((measurement.output.index(), format!("the channel `{channel}` of `{record}`")));
        }
        for (number, (_, cost)) in self.costs.iter().enumerate() {
            let name = format!("the cost {number} (counted from 0)");
            all.extend(cost.outputs_in_time().into_iter().map(|output| (output, name.clone())));
        }
        for (at, (index, second)) in all.iter().enumerate() {
            let first = all[..at].iter().find(|(other, _)| other == index);
            let output = model.outputs.get(*index);
            if let (Some((_, first)), Some(output)) = (first, output) {
                let (first, second) = (first.clone(), second.clone());
                return Err(SpecificationError::RepeatedOutput { output: output.name, first, second }.into());
            }
        }
        Ok(())
    }
}
