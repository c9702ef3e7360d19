//! Types of the values of an array.

use super::literal::Literal;
use crate::formats::numbers::{NumberKind, signed};

/// A type of values of a fixed number of bytes.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Kind {
    pub code: Code,
    /// Bytes of a value.
    pub size: u64,
    is_big_endian: bool,
}

#[derive(Debug, Clone, PartialEq)]
pub(super) enum Code {
    Signed,
    Unsigned,
    Float,
    /// Times of the clock, of so many nanoseconds each.
    Stamp(i128),
    /// Durations, of so many nanoseconds each.
    Span(i128),
    /// A type that is no number, with the reason.
    Other(String),
}

/// A field of a structured array, or the one of a plain one.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Field {
    /// Empty for a plain array.
    pub name: String,
    /// Bytes before it in an element.
    pub offset: u64,
    pub kind: Kind,
    /// Values of the field in an element.
    pub count: u64,
}

/// Fields of a type, and the bytes of an element; `None` for other descriptions.
pub(super) fn fields(description: &Literal) -> Option<(Vec<Field>, u64)> {
    let mut found = Vec::new();
    let size = add(description, "", 0, 1, 0, &mut found)?;
    Some((found, size))
}

/// Adds the fields of a type after so many bytes, and returns its bytes.
fn add(
    description: &Literal,
    name: &str,
    offset: u64,
    count: u64,
    depth: usize,
    found: &mut Vec<Field>,
) -> Option<u64> {
    /// Largest depth of structures within structures: no recorder writes deeper ones.
    const MAX_DEPTH: usize = 8;
    /// Largest number of fields of an element: no recorder has as many.
    const MAX_FIELDS: usize = 1 << 12;
    if depth > MAX_DEPTH || found.len() >= MAX_FIELDS {
        return None;
    }
    if let Some(text) = description.text() {
        let kind = Kind::of(text)?;
        let size = kind.size.checked_mul(count)?;
        // bytes that fill a structure have no name
        if depth == 0 || !name.is_empty() {
            found.push(Field { name: name.to_owned(), offset, kind, count });
        }
        return Some(size);
    }
    let mut inside = 0_u64;
    for field in description.list()? {
        let [own, kind, rest @ ..] = field.list()? else { return None };
        // a title may stand before the name
        let own = own.text().or_else(|| own.list()?.last()?.text())?;
        let full = match (name.is_empty(), own.is_empty()) {
            (true, _) | (_, true) => own.to_owned(),
            (false, false) => format!("{name}.{own}"),
        };
        let values = match rest.first() {
            Some(shape) => shape.numbers()?.iter().try_fold(1_u64, |product, size| product.checked_mul(*size))?,
            None => 1,
        };
        inside = inside.checked_add(add(kind, &full, offset.checked_add(inside)?, values, depth + 1, found)?)?;
    }
    // values of several structures in one element are not distinguished
    if count != 1 {
        let from = found.iter().position(|field| field.offset >= offset).unwrap_or(found.len());
        for field in found.iter_mut().skip(from) {
            field.kind.code = Code::Other("its values are arrays of structures".to_owned());
        }
    }
    inside.checked_mul(count)
}

impl Kind {
    /// The type with this description, such as `<f8`; `None` for other texts.
    fn of(text: &str) -> Option<Self> {
        let (is_big_endian, rest) = match text.split_at_checked(1)? {
            (">", rest) => (true, rest),
            ("<" | "|" | "=", rest) => (false, rest),
            _ => (false, text),
        };
        let (code, rest) = rest.split_at_checked(1)?;
        let end = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
        let (digits, unit) = rest.split_at_checked(end)?;
        let size = if digits.is_empty() { 0 } else { digits.parse::<u64>().ok()? };
        let other = |reason: &str| Code::Other(reason.to_owned());
        let (code, size) = match (code, size) {
            ("i", 1 | 2 | 4 | 8) => (Code::Signed, size),
            ("u", 1 | 2 | 4 | 8) | ("b", 1) => (Code::Unsigned, size),
            ("?", 0 | 1) => (Code::Unsigned, 1),
            ("f", 2 | 4 | 8) => (Code::Float, size),
            ("f", _) => (other("its numbers have more digits than double precision; save them in it"), size),
            ("c", _) => (other("it has complex values, which no signal over time has"), size),
            ("M", 8) => (time(unit, Code::Stamp), 8),
            ("m", 8) => (time(unit, Code::Span), 8),
            ("O", _) => (other("its values are objects of Python; save its numbers as arrays"), 8),
            ("S" | "a", _) => (other("its values are texts"), size),
            ("U", _) => (other("its values are texts"), size.checked_mul(4)?),
            _ => (Code::Other(format!("its values are of the type `{text}`, and no numbers")), size),
        };
        Some(Self { code, size, is_big_endian })
    }

    /// The whole number in these bytes; `None` for one that stands for no time.
    pub fn whole(&self, bytes: &[u8]) -> Option<i64> {
        Some(signed(bytes, !self.is_big_endian)).filter(|value| *value != i64::MIN)
    }

    /// The number in these bytes, and whether it is exact.
    pub fn value(&self, bytes: &[u8]) -> (f64, bool) {
        let number = match self.code {
            Code::Float => NumberKind::Float,
            Code::Unsigned => NumberKind::Unsigned,
            _ => NumberKind::Signed,
        };
        number.value(bytes, !self.is_big_endian)
    }
}

/// Times in a unit such as `[ms]` or `[10us]`.
fn time(unit: &str, of: impl Fn(i128) -> Code) -> Code {
    let inside = unit.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')).unwrap_or_default();
    let digits = inside.len() - inside.trim_start_matches(|c: char| c.is_ascii_digit()).len();
    let (count, name) = inside.split_at_checked(digits).unwrap_or_default();
    let count = count.parse::<u32>().map_or(1, i128::from);
    let nanoseconds = match name {
        "ns" => 1,
        "us" => 1_000,
        "ms" => 1_000_000,
        "s" => 1_000_000_000,
        "m" => 60_000_000_000,
        "h" => 3_600_000_000_000,
        "D" => 86_400_000_000_000,
        "W" => 604_800_000_000_000,
        _ => {
            return Code::Other(format!("its values are times in `{inside}`, which is no fixed number of seconds"));
        }
    };
    of(count * nanoseconds)
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    fn kind(text: &str) -> Kind {
        Kind::of(text).unwrap()
    }

    #[test]
    fn numbers() {
        assert_eq!(kind(">i2").value(&[0xff, 0xfe]), (-2.0, true));
        assert_eq!(kind("<u2").value(&[0xff, 0xfe]), (65279.0, true));
        assert_eq!(kind("<f2").value(&[0, 0x3c]), (1.0, true));
        assert_eq!(kind(">f8").value(&1.5_f64.to_be_bytes()), (1.5, true));
        assert_eq!(kind("<i8").value(&i64::MAX.to_le_bytes()), (2_f64.powi(63), false));
        assert_eq!(kind("|b1").value(&[1]), (1.0, true));
        assert_eq!(kind("<m8[10us]").code, Code::Span(10_000));
        assert_eq!(kind("<M8[ns]").whole(&i64::MIN.to_le_bytes()), None);
        for other in ["<c16", "|O", "<U8", "|S3", "<M8[M]", "<m8", "<f16", "|V4"] {
            assert!(matches!(kind(other).code, Code::Other(_)), "{other}");
        }
        assert_eq!((kind("<U8").size, Kind::of(""), Kind::of("<")), (32, None, None));
    }

    #[test]
    fn fields_of_structures() {
        let description =
            Literal::parse("[('t', '<f8'), ('', '|V4'), (('title', 'a'), '>i2', (3,)), ('s', [('x', '<f4')])]");
        let (found, size) = fields(&description.unwrap()).unwrap();
        let found: Vec<(&str, u64, u64)> =
            found.iter().map(|field| (field.name.as_str(), field.offset, field.count)).collect();
        assert_eq!((found, size), (vec![("t", 0, 1), ("a", 12, 3), ("s.x", 18, 1)], 22));
    }
}
