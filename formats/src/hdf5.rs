//! HDF5, and MAT of version 7.3: the data sets of numbers, of which each is a channel or a table of channels.
//!
//! A table is a channel for each column, `name[:,1]`, or for each row, `name[1,:]`, where rows are longer, counted from 0; of MAT 7.3, names
//! are those of MATLAB, `name(:,2)`. Attributes called `unit` or `units` are units. No data set is known to be the time.

use std::io::{Read, Seek};

use costate_machine::Room;
use hdf5_pure::{AttrValue, DType, Dataset, File, Group as Folder, Layout};

use crate::input::Input;
use crate::{Channel, Format, FormatError, Group, Recording};

/// Depth of groups, which may contain each other.
const DEEPEST: usize = 32;

/// Data sets of a file.
const MOST: usize = 1 << 16;

pub(crate) fn read<S: Read + Seek>(
    source: &mut S,
    name: &str,
    format: Format,
) -> Result<Recording, FormatError> {
    let mut input = Input::new(source, name, format)?;
    let bytes = input.bytes(input.length())?;
    let file = File::from_bytes(bytes).map_err(|error| input.broken(error.to_string()))?;
    let mut reader = Reader {
        recording: Recording::new(format),
        is_matlab: format == Format::Mat73,
        length: input.length(),
        seen: 0,
    };
    reader.folder(&file.root(), "", 0).map_err(|reason| input.broken(reason))?;
    Ok(reader.recording)
}

struct Reader {
    recording: Recording,
    is_matlab: bool,
    /// Bytes of the file.
    length: u64,
    seen: usize,
}

impl Reader {
    fn folder(&mut self, folder: &Folder, path: &str, depth: usize) -> Result<(), String> {
        let mut names = folder.datasets().map_err(|error| error.to_string())?;
        names.sort();
        let mut group = Group::new(path);
        for name in names {
            self.seen += 1;
            if self.seen > MOST {
                return Err(format!("it has more than {MOST} data sets"));
            }
            let full = if path.is_empty() { name.clone() } else { format!("{path}.{name}") };
            let read = folder
                .dataset(&name)
                .map_err(|error| error.to_string())
                .and_then(|set| self.channels(&set, &name));
            match read {
                Ok(channels) => group.channels.extend(channels),
                Err(reason) => self.recording.leave_out(full, reason),
            }
        }
        if !group.channels.is_empty() {
            self.recording.groups.push(group);
        }
        let mut inner = folder.groups().map_err(|error| error.to_string())?;
        inner.sort();
        for name in inner {
            // cells of MATLAB, which are referred to from elsewhere
            if self.is_matlab && name.starts_with('#') {
                continue;
            }
            let full = if path.is_empty() { name.clone() } else { format!("{path}.{name}") };
            if depth >= DEEPEST {
                return Err(format!("`{full}` is nested more than {DEEPEST} deep"));
            }
            match folder.group(&name) {
                Ok(inner) => self.folder(&inner, &full, depth + 1)?,
                Err(error) => self.recording.leave_out(full, error.to_string()),
            }
        }
        Ok(())
    }

    /// Channels of a data set, or the reason why it has none.
    fn channels(&mut self, set: &Dataset, name: &str) -> Result<Vec<Channel>, String> {
        let said = |error: hdf5_pure::Error| error.to_string();
        let attributes = set.attrs().unwrap_or_default();
        let text = |name: &str| match attributes.get(name) {
            Some(AttrValue::String(text) | AttrValue::AsciiString(text)) => {
                Some(text.trim_matches(['\0', ' ']).to_owned())
            }
            _ => None,
        };
        let class = text("MATLAB_class");
        if attributes.contains_key("MATLAB_empty") {
            return Err("it is empty".to_owned());
        }
        let kind = set.dtype().map_err(said)?;
        let is_complex = match &kind {
            DType::F32
            | DType::F64
            | DType::I8
            | DType::I16
            | DType::I32
            | DType::I64
            | DType::U8
            | DType::U16
            | DType::U32
            | DType::U64 => false,
            DType::Compound(fields) => match fields.as_slice() {
                [(_, DType::F64), (_, DType::F64)] => true,
                _ => return Err("its values are structures; write each part as a data set".to_owned()),
            },
            other => return Err(format!("its values are of the type {other}, and no numbers")),
        };
        let shape = set.shape().map_err(said)?;
        let count = shape
            .iter()
            .try_fold(1_u64, |product, size| product.checked_mul(*size))
            .ok_or("it has more values than can be counted")?;
        let size = set.element_size().map_err(said)?;
        self.check_stored(set, count, size)?;
        if count == 0 {
            return Err("it is empty".to_owned());
        }
        let (mut real, mut imaginary) = (Vec::new(), Vec::new());
        if is_complex {
            let raw = set.read_raw().map_err(said)?;
            let float = |bytes: &[u8]| bytes.try_into().map_or(f64::NAN, f64::from_le_bytes);
            for pair in raw.chunks_exact(16) {
                let (re, im) = pair.split_at_checked(8).unwrap_or_default();
                real.push(float(re));
                imaginary.push(float(im));
            }
        } else {
            real = set.read_f64().map_err(said)?;
        }
        if class.as_deref() == Some("char") {
            let letters =
                real.iter().map(|code| char::from_u32(*code as u32).unwrap_or('\u{fffd}')).collect();
            self.recording.texts.push((name.to_owned(), letters));
            return Err("it is a text".to_owned());
        }
        if matches!(kind, DType::I64 | DType::U64)
            && real.iter().any(|value| value.abs() > 9_007_199_254_740_992.0)
        {
            self.recording.notes.push(format!("`{name}` has whole numbers beyond 2^53, which are rounded"));
        }
        let unit = ["unit", "units", "Unit", "Units", "unit_string"]
            .iter()
            .find_map(|name| text(name))
            .filter(|unit| !unit.is_empty());
        let comment = ["description", "comment"]
            .iter()
            .find_map(|name| text(name))
            .filter(|comment| !comment.is_empty());
        let tables = split(name, &shape, self.is_matlab, real)?;
        let mut imaginary = match imaginary.is_empty() {
            true => Vec::new(),
            false => split(name, &shape, self.is_matlab, imaginary)?,
        }
        .into_iter();
        let channel = |(name, values): (String, Vec<f64>)| Channel {
            unit: unit.clone(),
            comment: comment.clone(),
            imaginary: imaginary.next().map(|(_, values)| values).unwrap_or_default(),
            ..Channel::new(name, values)
        };
        Ok(tables.into_iter().map(channel).collect())
    }

    /// Checks that the file has all values that are announced: those that were never written are no numbers.
    fn check_stored(&self, set: &Dataset, count: u64, size: u64) -> Result<(), String> {
        let said = |error: hdf5_pure::Error| error.to_string();
        let bytes = count.saturating_mul(size);
        let missing =
            |found: u64| format!("{count} values are announced, of which at most {found} were ever written");
        match set.layout().map_err(said)? {
            Layout::Contiguous { address: None, .. } => return Err(missing(0)),
            Layout::Chunked { chunk_shape, .. } => {
                let chunk = chunk_shape.iter().fold(1_u64, |product, size| product.saturating_mul(*size));
                let chunks = set.chunks().map_err(said)?.len() as u64;
                if chunks.saturating_mul(chunk) < count {
                    return Err(missing(chunks.saturating_mul(chunk)));
                }
                // measured values are not compressed further
                if chunk.saturating_mul(size) > self.length.saturating_mul(1 << 10) {
                    return Err(format!("pieces of {chunk} values in a file of {} bytes", self.length));
                }
            }
            Layout::Virtual => return Err("its values stand in other files".to_owned()),
            _ if bytes > self.length => return Err(missing(self.length / size.max(1))),
            _ => {}
        }
        let room = Room {
            what: "a data set",
            count: count as usize,
            counted: "values",
            remedy: "split the file, or use a machine with more memory",
        };
        room.check(count.saturating_mul(16)).map_err(|error| error.to_string())
    }
}

/// Splits values, of which those of the last dimension stand one after the other.
fn split(
    name: &str,
    shape: &[u64],
    is_matlab: bool,
    values: Vec<f64>,
) -> Result<Vec<(String, Vec<f64>)>, String> {
    const MOST_CHANNELS: usize = 1 << 16;
    let long: Vec<u64> = shape.iter().copied().filter(|size| *size != 1).collect();
    if long.len() <= 1 {
        return Ok(vec![(name.to_owned(), values)]);
    }
    // the numbers of MATLAB stand column by column
    let (first, last) =
        (shape.first().copied().unwrap_or(1) as usize, shape.last().copied().unwrap_or(1) as usize);
    let (outer, inner) = match is_matlab {
        true => (values.len() / last.max(1), last),
        false => (first, values.len() / first.max(1)),
    };
    let is_inner_long =
        if is_matlab { inner >= outer || shape.len() > 2 } else { inner > outer && shape.len() == 2 };
    let count = if is_inner_long { outer } else { inner };
    if count > MOST_CHANNELS {
        return Err(format!("it is an array of {shape:?} numbers, which are no signals"));
    }
    let label = |index: usize| match (is_matlab, is_inner_long) {
        (true, true) => format!("{name}(:,{})", index + 1),
        (true, false) => format!("{name}({},:)", index + 1),
        (false, true) => format!("{name}[{index},:]"),
        (false, false) => format!("{name}[:,{index}]"),
    };
    let part = |index: usize| match is_inner_long {
        true => values.iter().skip(index * inner).take(inner).copied().collect(),
        false => values.iter().skip(index).step_by(inner.max(1)).copied().collect(),
    };
    Ok((0..count).map(|index| (label(index), part(index))).collect())
}
