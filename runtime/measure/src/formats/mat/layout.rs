//! Which numbers of an array belong to one channel.

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

/// Largest number of channels of one array.
const MOST: u64 = 1 << 16;

impl Layout {
    /// `None` for an array of more values than can be counted, or of more channels than are sensible.
    pub fn of(dimensions: &[u64]) -> Option<Self> {
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
        (layout.channels() <= MOST).then_some(layout)
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
pub(super) enum Kind {
    Signed(u64),
    Unsigned(u64),
    Float(u64),
}

impl Kind {
    /// Bytes of a number.
    pub fn size(self) -> u64 {
        match self {
            Self::Signed(size) | Self::Unsigned(size) | Self::Float(size) => size,
        }
    }

    /// The number in these bytes, and whether it is exact.
    pub fn value(self, bytes: &[u8], is_little_endian: bool) -> (f64, bool) {
        let fold = |value: u64, byte: &u8| value << 8 | u64::from(*byte);
        let bits = if is_little_endian { bytes.iter().rev().fold(0, fold) } else { bytes.iter().fold(0, fold) };
        const LARGEST: u64 = 1 << 53;
        match self {
            Self::Float(4) => (f64::from(f32::from_bits(bits as u32)), true),
            Self::Float(_) => (f64::from_bits(bits), true),
            Self::Unsigned(_) => (bits as f64, bits <= LARGEST),
            Self::Signed(size) => {
                let unused = 64 - 8 * (size as u32).clamp(1, 8);
                let value = ((bits << unused) as i64) >> unused;
                (value as f64, value.unsigned_abs() <= LARGEST)
            }
        }
    }
}
