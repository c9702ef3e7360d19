//! HDF5, and MAT of version 7.3: the data sets of numbers, of which each is a channel or a table of channels.
//!
//! A table is a channel for each column, `name[:,1]`, or for each row, `name[1,:]`, where rows are longer, counted from
//! 0; of MAT 7.3, names are those of MATLAB, `name(:,2)`. Attributes called `unit` or `units` are units. No data set is
//! known to be the time.

mod links;
mod numbers;

use std::io::{Read, Seek};

use costate_contract::machine::Room;
use hdf5_pure::{Dataset, Datatype, File, Group as Folder, Layout};

use crate::formats::input::{Input, most_expanded};
use crate::formats::numbers::MAX_EXACT;
use crate::formats::{Channel, Format, FormatError, Group, Recording};
use links::{Links, joined};
use numbers::Kind;

/// Largest depth of groups, which may contain each other: more would fill the stack.
const MAX_DEPTH: usize = 32;

/// Largest number of data sets, of entries of groups and of channels of a table: no recorder has as many.
const MAX_ITEMS: usize = 1 << 16;

pub(crate) fn read<S: Read + Seek>(source: &mut S, name: &str, format: Format) -> Result<Recording, FormatError> {
    let mut input = Input::new(source, name, format)?;
    let mut bytes = input.bytes(input.length())?;
    let links = links::find(&mut bytes);
    let file = File::from_bytes(bytes).map_err(|error| input.broken(error.to_string()))?;
    let mut reader = Reader {
        recording: Recording::new(format),
        is_matlab: format == Format::Mat73,
        length: input.length(),
        expandable: most_expanded(input.length()),
        links,
        seen: 0,
    };
    for (name, reason) in std::mem::take(&mut reader.links.left_out) {
        reader.recording.leave_out(name, reason);
    }
    reader.folder(&file.root(), "", 0).map_err(|reason| input.broken(reason))?;
    Ok(reader.recording)
}

struct Reader {
    recording: Recording,
    is_matlab: bool,
    /// Bytes of the file.
    length: u64,
    /// Bytes of numbers that may still be read.
    expandable: u64,
    links: Links,
    seen: usize,
}

impl Reader {
    fn folder(&mut self, folder: &Folder, path: &str, depth: usize) -> Result<(), String> {
        let mut names = folder.datasets().map_err(|error| error.to_string())?;
        names.sort();
        let mut group = Group::new(path);
        for name in names {
            self.seen += 1;
            if self.seen > MAX_ITEMS {
                return Err(format!("it has more than {MAX_ITEMS} data sets"));
            }
            let full = joined(path, &name);
            let read =
                folder.dataset(&name).map_err(|error| error.to_string()).and_then(|set| self.channels(&set, &name));
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
            let full = joined(path, &name);
            if self.links.again.contains(&full) {
                continue;
            }
            if depth >= MAX_DEPTH {
                self.recording.leave_out(full, format!("it is nested more than {MAX_DEPTH} deep"));
                continue;
            }
            let read = folder.group(&name).map_err(|error| error.to_string());
            if let Err(reason) = read.and_then(|inner| self.folder(&inner, &full, depth + 1)) {
                self.recording.leave_out(full, reason);
            }
        }
        Ok(())
    }

    /// Channels of a data set, or the reason why it has none.
    fn channels(&mut self, set: &Dataset, name: &str) -> Result<Vec<Channel>, String> {
        let said = |error: hdf5_pure::Error| error.to_string();
        let attributes = set.attrs().unwrap_or_default();
        // the same attribute is written with small and large letters
        let texts = |wanted: &str| {
            let mut found: Vec<_> = attributes.iter().filter(|(name, _)| name.eq_ignore_ascii_case(wanted)).collect();
            found.sort_by_key(|(name, _)| name.as_str());
            let texts = found.into_iter().find_map(|(_, value)| value.as_strings()).unwrap_or_default();
            texts.iter().map(|text| text.trim_matches(['\0', ' ']).to_owned()).collect::<Vec<String>>()
        };
        let text = |name: &str| match texts(name).as_slice() {
            [text] if !text.is_empty() => Some(text.clone()),
            _ => None,
        };
        let class = text("MATLAB_class");
        if attributes.contains_key("MATLAB_empty") {
            return Err("it is empty".to_owned());
        }
        let shape = set.shape().map_err(said)?;
        let count = shape
            .iter()
            .try_fold(1_u64, |product, size| product.checked_mul(*size))
            .ok_or("it has more values than can be counted")?;
        let size = set.element_size().map_err(said)?;
        if count == 0 {
            return Err("it is empty".to_owned());
        }
        let datatype = set.datatype().map_err(said)?;
        let is_long = matches!(datatype, Datatype::FixedPoint { size: 8, .. });
        let kind = Kind::of(datatype)?;
        self.check_stored(set, count, size)?;
        let (real, imaginary) = kind.read(set, count)?;
        if class.as_deref() == Some("char") {
            let letters = real.iter().map(|code| char::from_u32(*code as u32).unwrap_or('\u{fffd}')).collect();
            self.recording.texts.push((name.to_owned(), letters));
            return Err("it is a text".to_owned());
        }
        if is_long && real.iter().any(|value| value.abs() > MAX_EXACT as f64) {
            self.recording.note_rounded(name);
        }
        let units = ["unit", "units", "unit_string"].iter().map(|name| texts(name)).find(|units| !units.is_empty());
        let units = units.unwrap_or_default();
        let comment = ["description", "comment"].iter().find_map(|name| text(name));
        let tables = split(name, &shape, self.is_matlab, real)?;
        let mut imaginary = match imaginary.is_empty() {
            true => Vec::new(),
            false => split(name, &shape, self.is_matlab, imaginary)?,
        }
        .into_iter();
        let count = tables.len();
        // a unit for all columns, or one for each
        let unit = |index: usize| match units.as_slice() {
            [unit] => Some(unit.clone()),
            units if units.len() == count => units.get(index).cloned(),
            _ => None,
        };
        let channel = |(index, (name, values)): (usize, (String, Vec<f64>))| Channel {
            unit: unit(index).filter(|unit| !unit.is_empty()),
            comment: comment.clone(),
            imaginary: imaginary.next().map(|(_, values)| values).unwrap_or_default(),
            ..Channel::new(name, values)
        };
        Ok(tables.into_iter().enumerate().map(channel).collect())
    }

    /// Checks that the file has all values that are announced: those that were never written are no numbers.
    fn check_stored(&mut self, set: &Dataset, count: u64, size: u64) -> Result<(), String> {
        let said = |error: hdf5_pure::Error| error.to_string();
        let bytes = count.saturating_mul(size);
        let missing = |found: u64| format!("{count} values are announced, of which at most {found} were ever written");
        match set.layout().map_err(said)? {
            Layout::Contiguous { address: None, .. } => return Err(missing(0)),
            Layout::Chunked { chunk_shape, .. } => {
                let chunk = chunk_shape.iter().fold(1_u64, |product, size| product.saturating_mul(*size));
                let chunks = set.chunks().map_err(said)?.len() as u64;
                if chunks.saturating_mul(chunk) < count {
                    return Err(missing(chunks.saturating_mul(chunk)));
                }
                // values of at most eight bytes become numbers of eight
                let bytes = chunk.saturating_mul(size).max(count.saturating_mul(8));
                self.expandable = self.expandable.checked_sub(bytes).ok_or_else(|| {
                    format!(
                        "its {count} values are too many for a file of {} bytes; write it without compression",
                        self.length
                    )
                })?;
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
fn split(name: &str, shape: &[u64], is_matlab: bool, values: Vec<f64>) -> Result<Vec<(String, Vec<f64>)>, String> {
    let long: Vec<u64> = shape.iter().copied().filter(|size| *size != 1).collect();
    if long.len() <= 1 {
        return Ok(vec![(name.to_owned(), values)]);
    }
    // the numbers of MATLAB stand column by column
    let (first, last) = (shape.first().copied().unwrap_or(1) as usize, shape.last().copied().unwrap_or(1) as usize);
    let (outer, inner) = match is_matlab {
        true => (values.len() / last.max(1), last),
        false => (first, values.len() / first.max(1)),
    };
    let is_inner_long = if is_matlab { inner >= outer || shape.len() > 2 } else { inner > outer && shape.len() == 2 };
    let count = if is_inner_long { outer } else { inner };
    if count > MAX_ITEMS {
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
