//! Lines of spectra that an experiment compares.

use costate_cost::{FourierLine, SpectrumCost, SpectrumForm};
use costate_system::simulation::RunDescription;

use super::{Builder, names};
use crate::ExperimentEntry;
use crate::error::{CampaignError, Fault};
use crate::values::{Frequency, Pair, Time};
use crate::words::Word;

impl Builder<'_> {
    /// Makes one cost of every spectrum of an experiment.
    ///
    /// # Errors
    /// A run whose step or end is not given; names, units and lines that do not fit.
    pub fn spectra(
        &mut self,
        entry: &ExperimentEntry,
        run: &RunDescription,
    ) -> Result<Vec<SpectrumCost>, CampaignError> {
        let mut costs = Vec::new();
        for spectrum in &entry.spectra {
            let missing = |field, example| CampaignError::new(&spectrum.place, Fault::MissingOfRun { field, example });
            let step = run.step.ok_or_else(|| missing("step", "1e-3"))?;
            let end = run.end.ok_or_else(|| missing("end", "1.0"))?;
            let output = names::output(self.loaded, &spectrum.output)?;
            let measured = spectrum.channel();
            let name = measured.channel.as_ref().map_or(output.name(), |channel| &channel.value);
            let place = measured.place().unwrap_or(&spectrum.place);
            let record = self.records.of_channel(&measured, entry.record.as_ref(), name, place)?;
            let channel = record.channel(name).map_err(|error| CampaignError::new(place, error))?;
            let Pair(Time(from), Time(to)) = spectrum.interval.unwrap_or(Pair(Time(0.0), Time(end)));
            let refused = |error| CampaignError::new(&spectrum.place, Fault::Spectrum(error));
            let Word(window) = spectrum.window;
            let single = |frequency: &Frequency| FourierLine::new(frequency.0, from, to, window);
            let mut lines: Vec<FourierLine> = spectrum.frequencies.iter().map(single).collect();
            if let Some(Pair(low, high)) = spectrum.band {
                lines.extend(FourierLine::band((low.0, high.0), from, to, window).map_err(refused)?);
            }
            let samples = (end / step).round() as usize + 1;
            let form = spectrum.form.map_or(SpectrumForm::Decibels, |Word(form)| form);
            let cost = SpectrumCost::new(step, samples, form);
            costs.push(
                cost.with_record(output, &lines, &record, channel, spectrum.weight.map_or(1.0, f64::from))
                    .map_err(refused)?,
            );
        }
        Ok(costs)
    }
}
