//! The way in which a fit follows its records.

use serde::{Deserialize, Serialize};

/// The way in which a fit follows its records in time, from the start values to those with which one simulation of a
/// whole record keeps the phase.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Approach {
    /// One simulation. Where it explains little of the records, as in a local minimum, pieces of these follow, and
    /// growing parts where no channel can be cut or pieces explain little as well. The best end is the result.
    #[default]
    Automatic,
    /// One simulation of every record in any case.
    Single,
    /// Growing parts of the records first.
    Growing,
    /// Pieces of every record first, of this number, each with a start of its own, which become continuous.
    Pieces(usize),
    /// Pieces of this many seconds first.
    PiecesOf(f64),
}

impl Approach {
    /// Returns true if the fit begins with pieces.
    pub(crate) fn is_in_pieces(self) -> bool {
        matches!(self, Self::Pieces(_) | Self::PiecesOf(_))
    }
}
