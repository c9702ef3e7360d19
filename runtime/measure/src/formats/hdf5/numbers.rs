//! Numbers of a data set, by its type: those that `hdf5-pure` has no name for are read from their bytes.

use hdf5_pure::{Dataset, Datatype, DatatypeByteOrder, FixedPointLayout, FloatingPointLayout};

use crate::formats::numbers::{NumberKind, bits};

/// A kind of numbers that is read.
pub(super) enum Kind {
    /// Numbers that the crate reads.
    Real(Datatype),
    /// Truth values, which are an enumeration.
    Truth(Datatype),
    /// Real and imaginary parts, one after the other.
    Complex(Datatype),
}

const BINARY16: FloatingPointLayout = FloatingPointLayout {
    bit_offset: 0,
    bit_precision: 16,
    exponent_location: 10,
    exponent_size: 5,
    mantissa_location: 0,
    mantissa_size: 10,
    exponent_bias: 15,
};

impl Kind {
    /// The kind of a type, or the reason why its values are no numbers.
    pub fn of(kind: Datatype) -> Result<Self, String> {
        match &kind {
            Datatype::FixedPoint { .. } | Datatype::FloatingPoint { .. } => {
                check(&kind)?;
                Ok(Self::Real(kind))
            }
            Datatype::Enumeration { base_type, members, .. } => {
                let mut names: Vec<String> = members.iter().map(|member| member.name.to_lowercase()).collect();
                names.sort();
                if names != ["false", "true"] {
                    return Err("its values are names of an enumeration".to_owned());
                }
                check(base_type)?;
                Ok(Self::Truth((**base_type).clone()))
            }
            Datatype::Compound { size, members } => match members.as_slice() {
                [re, im]
                    if re.datatype == im.datatype
                        && matches!(re.datatype, Datatype::FloatingPoint { .. })
                        && re.byte_offset == 0
                        && im.byte_offset * 2 == u64::from(*size)
                        && is_complex(&re.name, &im.name) =>
                {
                    check(&re.datatype)?;
                    Ok(Self::Complex(re.datatype.clone()))
                }
                _ => Err("its values are structures; write each part as a data set".to_owned()),
            },
            Datatype::String { .. } | Datatype::VariableLength { is_string: true, .. } => {
                Err("its values are texts".to_owned())
            }
            other => Err(format!("its values are of the type {other}, and no numbers")),
        }
    }

    /// Reads real and imaginary parts of so many values.
    pub fn read(&self, set: &Dataset, count: u64) -> Result<(Vec<f64>, Vec<f64>), String> {
        let said = |error: hdf5_pure::Error| error.to_string();
        let (kind, parts) = match self {
            Self::Real(kind) | Self::Truth(kind) => (kind, 1),
            Self::Complex(kind) => (kind, 2),
        };
        if let (Self::Real(Datatype::FixedPoint { size, .. } | Datatype::FloatingPoint { size, .. }), true) =
            (self, is_standard(kind))
            && *size > 0
        {
            let real = set.read_f64().map_err(said)?;
            return all(real, Vec::new(), count);
        }
        let raw = set.read_raw().map_err(said)?;
        let width = kind.type_size() as usize;
        let (mut real, mut imaginary) = (Vec::new(), Vec::new());
        for bytes in raw.chunks_exact((width * parts).max(1)) {
            let (re, im) = bytes.split_at_checked(width).unwrap_or_default();
            real.push(number(kind, re)?);
            if parts == 2 {
                imaginary.push(number(kind, im)?);
            }
        }
        all(real, imaginary, count)
    }
}

fn is_complex(re: &str, im: &str) -> bool {
    let (re, im) = (re.to_lowercase(), im.to_lowercase());
    ["r", "re", "real"].contains(&re.as_str()) && ["i", "im", "imag", "imaginary"].contains(&im.as_str())
}

/// Checks that no value is lost, as some readers do with types that they do not know.
fn all(real: Vec<f64>, imaginary: Vec<f64>, count: u64) -> Result<(Vec<f64>, Vec<f64>), String> {
    match real.len() as u64 == count {
        true => Ok((real, imaginary)),
        false => Err(format!("{count} values are announced, and {} are there", real.len())),
    }
}

/// Checks for numbers of a whole number of bytes in the layout of the processor, but for the order of bytes.
fn is_standard(kind: &Datatype) -> bool {
    match kind {
        Datatype::FixedPoint { size, layout: FixedPointLayout { bit_offset, bit_precision, .. }, .. } => {
            *bit_offset == 0 && u32::from(*bit_precision) == 8 * size && matches!(size, 1 | 2 | 4 | 8)
        }
        Datatype::FloatingPoint { size, layout, .. } => {
            (*size == 4 && *layout == FloatingPointLayout::IEEE754_BINARY32)
                || (*size == 8 && *layout == FloatingPointLayout::IEEE754_BINARY64)
        }
        _ => false,
    }
}

/// Checks whether such numbers are read.
fn check(kind: &Datatype) -> Result<(), String> {
    match kind {
        Datatype::FixedPoint { byte_order: DatatypeByteOrder::Vax, .. }
        | Datatype::FloatingPoint { byte_order: DatatypeByteOrder::Vax, .. } => {
            Err("its numbers are those of a VAX; write them in double precision".to_owned())
        }
        Datatype::FixedPoint { size, layout, .. } => {
            let bits = u32::from(layout.bit_offset) + u32::from(layout.bit_precision);
            match (1..=8).contains(size) && layout.bit_precision > 0 && bits <= 8 * size {
                true => Ok(()),
                false => Err(format!("its whole numbers have {} bits in {size} bytes", layout.bit_precision)),
            }
        }
        Datatype::FloatingPoint { size, layout, .. } => {
            match is_standard(kind) || (*size == 2 && *layout == BINARY16) {
                true => Ok(()),
                false => {
                    let bits = layout.bit_precision;
                    Err(format!(
                        "its floating-point numbers have {bits} bits in a layout of their own; write them in double \
                             precision"
                    ))
                }
            }
        }
        other => Err(format!("its values are of the type {other}, and no numbers")),
    }
}

/// The number in the bytes of a value.
fn number(kind: &Datatype, bytes: &[u8]) -> Result<f64, String> {
    let (Datatype::FixedPoint { byte_order, .. } | Datatype::FloatingPoint { byte_order, .. }) = kind else {
        return Err("its values are no numbers".to_owned());
    };
    let is_little_endian = !matches!(byte_order, DatatypeByteOrder::BigEndian);
    Ok(match kind {
        Datatype::FixedPoint { layout, .. } => {
            let unused = 64 - u32::from(layout.bit_precision);
            let bits = bits(bytes, is_little_endian) >> layout.bit_offset << unused;
            if layout.signed { (bits as i64 >> unused) as f64 } else { (bits >> unused) as f64 }
        }
        _ => NumberKind::Float.value(bytes, is_little_endian).0,
    })
}
