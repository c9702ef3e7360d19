//! Comparison of several models of the same data.

use std::fmt;

use costate_cost::residuals::InformationCriteria;
use serde::Serialize;

use super::columns::write_columns;
use super::summary::FitSummary;
use crate::definition::digits::significant;

/// Differences of BIC above which evidence is positive, strong and very strong (Kass, Raftery, Bayes Factors, J. Am.
/// Stat. Assoc. 90, 1995).
const EVIDENCE: [(f64, &str); 3] = [(10.0, "very strong"), (6.0, "strong"), (2.0, "positive")];

/// Fits of different models, or of one with other unknowns, to the same data, the best one first;
/// [`Display`](std::fmt::Display) prints them as a table.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[non_exhaustive]
pub struct ModelComparison {
    /// The fits by increasing BIC.
    pub models: Vec<ComparedModel>,
}

/// One of the fits that are compared.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[non_exhaustive]
pub struct ComparedModel {
    /// The name given to the fit.
    pub name: String,
    /// Information criteria of the fit.
    pub criteria: InformationCriteria,
    /// BIC minus that of the best fit.
    pub behind: f64,
}

/// Fits that cannot be compared.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum ModelComparisonError {
    /// Fewer than two fits.
    #[error("{fits} fits cannot be compared; give two or more")]
    TooFew {
        /// Number of fits.
        fits: usize,
    },
    /// A fit without a likelihood.
    #[error("the fit `{name}` has no likelihood; fit measured outputs without further costs, with squares as the loss")]
    NoLikelihood {
        /// Name of the fit.
        name: String,
    },
    /// Fits of other data.
    #[error("`{name}` is fitted to other data than `{first}`; only likelihoods of the same samples can be compared")]
    OtherData {
        /// The fit's name.
        name: String,
        /// The name of the first one.
        first: String,
    },
}

impl ModelComparison {
    /// Compares fits under given names.
    ///
    /// # Errors
    /// [`ModelComparisonError`].
    pub fn new<'f>(fits: impl IntoIterator<Item = (&'f str, &'f FitSummary)>) -> Result<Self, ModelComparisonError> {
        let fits: Vec<_> = fits.into_iter().collect();
        let [(first, first_fit), _, ..] = fits[..] else {
            return Err(ModelComparisonError::TooFew { fits: fits.len() });
        };
        let mut models = Vec::with_capacity(fits.len());
        for (name, fit) in &fits {
            let name = (*name).to_owned();
            if fit.data != first_fit.data {
                return Err(ModelComparisonError::OtherData { name, first: first.to_owned() });
            }
            match fit.criteria {
                None => return Err(ModelComparisonError::NoLikelihood { name }),
                Some(criteria) => models.push(ComparedModel { name, criteria, behind: 0.0 }),
            }
        }
        models.sort_by(|a, b| a.criteria.bic.total_cmp(&b.criteria.bic));
        let best = models.first().map_or(0.0, |model| model.criteria.bic);
        models.iter_mut().for_each(|model| model.behind = model.criteria.bic - best);
        Ok(Self { models })
    }
}

impl fmt::Display for ModelComparison {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let headings = ["unknowns", "log likelihood", "AIC", "BIC", "BIC - least", "model"];
        let mut lines = vec![headings.map(str::to_owned).to_vec()];
        for ComparedModel { name, criteria, behind } in &self.models {
            lines.push(vec![
                criteria.unknowns.to_string(),
                significant(criteria.log_likelihood, 8),
                significant(criteria.aic, 8),
                significant(criteria.bic, 8),
                significant(*behind, 3),
                name.clone(),
            ]);
        }
        write_columns(f, &lines)?;
        let [best, second, ..] = &self.models[..] else { return Ok(()) };
        let evidence = EVIDENCE.iter().find(|(least, _)| second.behind >= *least);
        match evidence {
            Some((_, strength)) => {
                write!(f, "\n{strength} evidence for `{}` against `{}`", best.name, second.name)
            }
            None => write!(f, "\nthe data do not distinguish `{}` from `{}`", best.name, second.name),
        }
    }
}
