//! Errors of fits: options that do not go together, and mistakes in campaigns.

use costate::campaign::error::{CampaignError, with_causes};
use costate::campaign::place::Place;

use std::path::PathBuf;

use crate::diagnostics::Mark;
use crate::error::{CommandError, command_errors};
use crate::exit::Exit;
use crate::words;

/// Options of a fit that do not go together.
#[derive(Debug, thiserror::Error)]
pub enum FitError {
    /// A fit of a model without a record.
    #[error(
        "a fit needs a record; give one with `--record FILE.csv`, or describe the fit in a campaign file, which \
         `costate fit --template {}` writes", .0.display()
    )]
    NoRecord(PathBuf),
    /// A fit without unknowns.
    #[error("nothing is to be found; name the unknown parameters with `--unknown NAME,..`")]
    NoUnknowns,
    /// Growing parts or pieces with a multistart.
    #[error(
        "a multistart has neither growing parts nor pieces; leave out `approach` with `--growing` and \
         `--pieces`, or `[multistart]`"
    )]
    PartsOfStarts,
    /// A fit by prediction errors with what belongs to other fits.
    #[error("a fit by prediction errors has no {0}; leave it out")]
    BesidePredictionErrors(&'static str),
    /// An option that belongs to a model, with a campaign.
    #[error("`--{option}` cannot stand beside the campaign `{}`; write it into the campaign, whose fields `costate fit \
         --template MODEL` shows", file.display())]
    InCampaign { option: String, file: PathBuf },
    /// A file of profiles whose ending is no format.
    #[error("`{}` has an ending that is no format here; write `.html` or `.svg`", .0.display())]
    NoPicture(PathBuf),
    /// A template of what is a campaign already.
    #[error("`{}` is a campaign; give the file of a model to `--template`", .0.display())]
    TemplateOfCampaign(PathBuf),
}

/// Results that are no JSON.
#[derive(Debug, thiserror::Error)]
#[error("the results cannot be written as JSON")]
pub struct JsonError(#[source] pub serde_json::Error);

command_errors!(Arguments: FitError);
command_errors!(Wrong: JsonError);

impl From<CampaignError> for CommandError {
    fn from(error: CampaignError) -> Self {
        let mut marks = Vec::new();
        if let Place::File { file, range } = &error.place {
            let message = words::of_campaign(&with_causes(error.fault.as_ref()));
            let mark = Mark::new(&file.path, file.text.clone(), range.clone(), message);
            marks.push(mark.of_field(error.place.field()));
        }
        Self::new(error, Exit::Wrong).marked(marks)
    }
}
