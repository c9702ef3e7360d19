//! Fits over growing parts of the records.

use serde::{Deserialize, Serialize};

/// The choice whether a fit goes over growing parts of the records first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Growing {
    /// Growing parts where a fit of the whole records ends out of phase with them, as in a local minimum. The better
    /// one of both ends is the result.
    #[default]
    WherePhaseIsLost,
    /// Growing parts in any case.
    Always,
    /// Never.
    Never,
}
