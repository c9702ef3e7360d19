//! MAT of the versions 4, 5 and 7: the variables of MATLAB.
//!
//! A vector is one channel. A matrix is one channel for each column, `name(:,2)`, or for each row, `name(2,:)`, where
//! rows are longer; arrays of more dimensions are taken as matrices with the rows of the first. Fields of structures
//! and cells have names such as `run.acc` and `runs{3}`, and the channels of a structure are a group. No variable is
//! known to be the time: all axes are unknown.

mod element;
mod layout;
mod level5;
mod structured;
mod version4;

use std::io::{Read, Seek};

use crate::formats::input::Input;
use crate::formats::{Channel, Format, FormatError, Recording};
use layout::Numbers;

pub(crate) fn read<S: Read + Seek>(source: &mut S, name: &str) -> Result<Recording, FormatError> {
    let mut input = Input::new(source, name, Format::Mat)?;
    let mut recording = Recording::new(Format::Mat);
    let is_level5 = input.length() >= 128 && {
        input.go_to(124)?;
        matches!(&input.array::<4>()?, [0, 1, b'I', b'M'] | [1, 0, b'M', b'I'])
    };
    input.go_to(0)?;
    match is_level5 {
        true => level5::read(&mut input, &mut recording)?,
        false => version4::read(&mut input, &mut recording)?,
    }
    structured::name(&mut recording);
    Ok(recording)
}

/// Adds the channels of a variable.
fn add(recording: &mut Recording, path: &Path, numbers: Numbers) {
    if numbers.lost_digits {
        recording.note_rounded(&path.full());
    }
    let Numbers { layout, real, imaginary, .. } = numbers;
    let mut imaginary = imaginary.into_iter();
    let channel = |(index, values): (usize, Vec<f64>)| {
        let name = layout.name(&path.name, index);
        Channel { imaginary: imaginary.next().unwrap_or_default(), ..Channel::new(name, values) }
    };
    recording.add_channels(&path.group, real.into_iter().enumerate().map(channel));
}

/// Place of a variable: the structures around it, and its own name.
#[derive(Debug, Clone, Default)]
struct Path {
    group: String,
    name: String,
}

impl Path {
    fn variable(name: String) -> Self {
        Self { group: String::new(), name }
    }

    fn full(&self) -> String {
        if self.group.is_empty() { self.name.clone() } else { format!("{}.{}", self.group, self.name) }
    }

    fn field(&self, field: &str, element: Option<usize>) -> Self {
        let group = match element {
            Some(index) => format!("{}({})", self.full(), index + 1),
            None => self.full(),
        };
        Self { group, name: field.to_owned() }
    }

    fn cell(&self, index: usize) -> Self {
        Self { group: self.group.clone(), name: format!("{}{{{}}}", self.name, index + 1) }
    }
}
