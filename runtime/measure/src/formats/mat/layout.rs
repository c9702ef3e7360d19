//! The numbers of an array that belong to one channel.

use crate::formats::numbers::NumberKind;

/// The channels of an array.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Layout {
    /// A vector or a number.
    Vector {
        length: u64,
    },
    Columns {
        rows: u64,
        columns: u64,
    },
    Rows {
        rows: u64,
        columns: u64,
    },
}

impl Layout {
    /// `None` for an array of more values than can be counted, or of more channels than are sensible.
    pub fn of(dimensions: &[u64]) -> Option<Self> {
        /// Largest number of channels of one array: no recorder has as many.
        const MAX_CHANNELS: u64 = 1 << 16;
        let rows = dimensions.first().copied().unwrap_or(1);
        let columns = dimensions
            .get(1..)
            .unwrap_or_default()
            .iter()
            .try_fold(1_u64, |product, size| product.checked_mul(*size))?;
        rows.checked_mul(columns)?;
        let layout = match (rows, columns) {
            (1, length) | (length, 1) => Self::Vector { length },
            _ if rows >= columns || dimensions.len() > 2 => Self::Columns { rows, columns },
            _ => Self::Rows { rows, columns },
        };
        (layout.channels() <= MAX_CHANNELS).then_some(layout)
    }

    pub fn values(self) -> u64 {
        match self {
            Self::Vector { length } => length,
            Self::Columns { rows, columns } | Self::Rows { rows, columns } => rows.saturating_mul(columns),
        }
    }

    pub fn channels(self) -> u64 {
        match self {
            Self::Vector { .. } => 1,
            Self::Columns { columns, .. } => columns,
            Self::Rows { rows, .. } => rows,
        }
    }

    /// Index of the channel of a value, of which columns stand one after the other.
    pub fn channel(self, index: u64) -> usize {
        (match self {
            Self::Vector { .. } => 0,
            Self::Columns { rows, .. } => index / rows.max(1),
            Self::Rows { rows, .. } => index % rows.max(1),
        }) as usize
    }

    pub fn name(self, variable: &str, channel: usize) -> String {
        match self {
            Self::Vector { .. } => variable.to_owned(),
            Self::Columns { .. } => format!("{variable}(:,{})", channel + 1),
            Self::Rows { .. } => format!("{variable}({},:)", channel + 1),
        }
    }
}

/// The numbers of an array, channel by channel.
#[derive(Debug)]
pub(super) struct Numbers {
    pub layout: Layout,
    pub real: Vec<Vec<f64>>,
    /// Empty for real arrays.
    pub imaginary: Vec<Vec<f64>>,
    /// Marks whole numbers that have more digits than a floating-point number.
    pub lost_digits: bool,
}

/// A kind of numbers in a file.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Kind {
    pub number: NumberKind,
    /// Bytes of a number.
    pub size: u64,
}
