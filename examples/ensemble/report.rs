//! Text and JSON output of the results.

use costate::experiment::{Repetition, Repetitions};
use costate::identify::IdentificationError;
use costate_models::EngineMount;
use serde::Serialize;

/// Square of the radius that holds 95 % of a normal distribution of two variables.
pub const LEVEL_95: f64 = 5.991_464_547_107_98;

/// All results by their numbers. The summary depends on the results alone: not on the process that found them,
/// nor on the time.
#[derive(Serialize)]
pub struct Summary {
    tasks: usize,
    failed: usize,
    noise: f64,
    parameters: Vec<Estimated>,
    results: Vec<Member>,
}

/// Scatter of one parameter.
#[derive(Serialize)]
struct Estimated {
    name: &'static str,
    #[serde(rename = "true")]
    truth: f64,
    mean: f64,
    std: f64,
    cramer_rao: f64,
}

/// One identification.
#[derive(Serialize)]
struct Member {
    number: usize,
    found: Option<Vec<f64>>,
    error: Option<String>,
}

impl Summary {
    pub fn new(repeated: &Repetitions<EngineMount>, noise: f64) -> Self {
        let (means, deviations) = (repeated.means(), repeated.standard_deviations());
        let bounds = repeated.information().standard_deviations();
        let parameters = repeated.information().parameters().iter().enumerate();
        let estimated = |(k, known): (usize, &costate::experiment::InformedParameter<EngineMount>)| Estimated {
            name: known.name(),
            truth: known.value,
            mean: means[k],
            std: deviations[k],
            cramer_rao: bounds[k],
        };
        Self {
            tasks: repeated.members().len(),
            failed: repeated.failures().count(),
            noise,
            parameters: parameters.map(estimated).collect(),
            results: repeated.members().iter().map(member).collect(),
        }
    }
}

fn member(repetition: &Repetition) -> Member {
    let text = |error: &IdentificationError| {
        let causes = std::iter::successors(std::error::Error::source(error), |cause| cause.source());
        causes.fold(error.to_string(), |text, cause| format!("{text}: {cause}"))
    };
    Member {
        number: repetition.number,
        found: repetition.outcome.as_ref().ok().cloned(),
        error: repetition.outcome.as_ref().err().map(text),
    }
}

/// Computes the part of the estimates of two parameters within the ellipse that should contain 95 % of them.
pub fn within(repeated: &Repetitions<EngineMount>, (j, k): (usize, usize)) -> f64 {
    let known = repeated.information();
    let (bounds, correlation) = (known.standard_deviations(), known.correlation()[(j, k)]);
    let inside = |estimate: &&[f64]| {
        let score = |k: usize| (estimate[k] - known.parameters()[k].value) / bounds[k];
        let (a, b) = (score(j), score(k));
        (a * a - 2.0 * correlation * a * b + b * b) / (1.0 - correlation * correlation) <= LEVEL_95
    };
    repeated.estimates().filter(inside).count() as f64 / repeated.estimates().count() as f64
}

/// Describes how many of the pairs of estimates are in the ellipses where the Cramer-Rao bound expects 95 % of them.
pub fn ellipses(repeated: &Repetitions<EngineMount>) -> String {
    let parameters = repeated.information().parameters();
    let mut text = "part of the estimates within the 95 % ellipses of the Cramér-Rao bound:".to_owned();
    for j in 0..parameters.len() {
        for k in j + 1..parameters.len() {
            let part = 100.0 * within(repeated, (j, k));
            text += &format!("\n  {:5} and {:5} {part:5.1} %", parameters[j].name(), parameters[k].name());
        }
    }
    text
}
