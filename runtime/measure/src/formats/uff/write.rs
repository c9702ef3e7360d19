//! Writing of data sets 58 and 58b.

use std::io::Write;

use crate::formats::{Axis, Channel, Dof, Format, FormatError, Recording, Spectrum, SpectrumKind};

/// Coding of the numbers of a data set.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Encoding {
    /// Text: values of up to 13 digits keep all of them, others are rounded to 13 digits.
    Text,
    /// Binary numbers of double precision (58b), which keep every bit.
    Binary,
}

/// A function as record 6 to 12 have it.
struct Function<'a> {
    kind: u8,
    id: &'a str,
    comment: Option<&'a str>,
    response: Dof,
    reference: Dof,
    abscissa_kind: u8,
    abscissa_unit: &'a str,
    axis: &'a Axis,
    unit: Option<&'a str>,
    reference_unit: Option<&'a str>,
    real: &'a [f64],
    imaginary: &'a [f64],
}

/// Writes all channels and spectra of a recording, one data set each; error messages call the file `name`.
///
/// Even times are written as their first one and the interval where 13 columns hold both exactly, other times one by
/// one. Of a source, a degree of freedom is written, such as `12:+Z`.
///
/// # Errors
/// [`FormatError::Unwritable`] for times that the 13 columns of the text do not hold exactly (binary data sets do),
/// names of more than 80 characters, units of more than 20, channels without times and values without a channel;
/// [`FormatError::File`].
pub fn write(recording: &Recording, encoding: Encoding, name: &str, mut out: impl Write) -> Result<(), FormatError> {
    let channels = recording.groups.iter().flat_map(|group| &group.channels).map(Function::of_channel);
    for function in channels.chain(recording.spectra.iter().map(Function::of_spectrum)) {
        let refused = |what: &str, instead: &str| FormatError::Unwritable {
            file: name.to_owned(),
            format: Format::Uff,
            what: format!("`{}`: {what}", function.id),
            instead: instead.to_owned(),
        };
        let text = function.data_set(encoding, &refused)?;
        out.write_all(&text).map_err(|source| FormatError::file(name, source))?;
    }
    out.flush().map_err(|source| FormatError::file(name, source))
}

type Refused<'a> = dyn Fn(&str, &str) -> FormatError + 'a;

impl<'a> Function<'a> {
    fn of_channel(channel: &'a Channel) -> Self {
        Self {
            kind: 1,
            id: &channel.name,
            comment: channel.comment.as_deref(),
            response: channel.source.as_deref().and_then(dof).unwrap_or_default(),
            reference: Dof::default(),
            abscissa_kind: 17,
            abscissa_unit: "s",
            axis: &channel.axis,
            unit: channel.unit.as_deref(),
            reference_unit: None,
            real: &channel.values,
            imaginary: &channel.imaginary,
        }
    }

    fn of_spectrum(spectrum: &'a Spectrum) -> Self {
        let kind = match spectrum.kind {
            SpectrumKind::Auto => 2,
            SpectrumKind::Cross => 3,
            SpectrumKind::FrequencyResponse => 4,
            SpectrumKind::Transmissibility => 5,
            SpectrumKind::Coherence => 6,
            SpectrumKind::PowerDensity => 9,
            SpectrumKind::EnergyDensity => 10,
            SpectrumKind::Linear => 12,
            SpectrumKind::MultipleCoherence => 26,
        };
        Self {
            kind,
            id: &spectrum.name,
            comment: spectrum.comment.as_deref(),
            response: spectrum.response.clone(),
            reference: spectrum.reference.clone().unwrap_or_default(),
            abscissa_kind: 18,
            abscissa_unit: &spectrum.frequency_unit,
            axis: &spectrum.axis,
            unit: spectrum.unit.as_deref(),
            reference_unit: spectrum.reference_unit.as_deref(),
            real: &spectrum.real,
            imaginary: &spectrum.imaginary,
        }
    }

    fn data_set(&self, encoding: Encoding, refused: &Refused) -> Result<Vec<u8>, FormatError> {
        let is_complex = !self.imaginary.is_empty();
        if is_complex && self.imaginary.len() != self.real.len() {
            return Err(refused("real and imaginary parts of different number", "give as many of both"));
        }
        let stamps: Vec<f64> = (0..self.real.len()).map_while(|index| self.axis.at(index)).collect();
        if stamps.len() != self.real.len() {
            return Err(refused("values without times or frequencies", "give it an axis"));
        }
        let even = match self.axis {
            Axis::Even { start, step } => columns13(*start).zip(columns13(*step)).filter(|_| *step > 0.0),
            _ => None,
        };
        if encoding == Encoding::Text && even.is_none() && stamps.iter().any(|stamp| columns13(*stamp).is_none()) {
            let instead = "write it in binary (`write_uff_binary`), or as Parquet or CSV";
            return Err(refused("times of more digits than the 13 columns of the text hold", instead));
        }
        let mut text = String::new();
        self.head(&mut text, encoding, is_complex, even.as_ref(), refused)?;
        let mut bytes = text.into_bytes();
        let rows = stamps.iter().zip(self.real).enumerate().map(|(index, (stamp, real))| {
            let stamp = even.is_none().then_some(*stamp);
            (stamp, [Some(*real), self.imaginary.get(index).copied()])
        });
        match encoding {
            Encoding::Binary => {
                for (stamp, values) in rows {
                    stamp
                        .into_iter()
                        .chain(values.into_iter().flatten())
                        .for_each(|value| bytes.extend_from_slice(&value.to_le_bytes()));
                }
            }
            Encoding::Text => {
                // four numbers in a line, or one complex value with its abscissa
                let per_line = if is_complex && even.is_none() { 3 } else { 4 };
                let mut in_line = 0;
                let mut push = |cell: String| {
                    bytes.extend_from_slice(cell.as_bytes());
                    in_line = (in_line + 1) % per_line;
                    if in_line == 0 {
                        bytes.push(b'\n');
                    }
                };
                for (stamp, values) in rows {
                    stamp.into_iter().for_each(|stamp| push(format!("{:>13}", columns13(stamp).unwrap_or_default())));
                    values.into_iter().flatten().for_each(|value| push(format!("{:>20}", columns20(value))));
                }
                if in_line != 0 {
                    bytes.push(b'\n');
                }
            }
        }
        bytes.extend_from_slice(b"    -1\n");
        Ok(bytes)
    }

    /// Writes what stands before the numbers.
    fn head(
        &self,
        text: &mut String,
        encoding: Encoding,
        is_complex: bool,
        even: Option<&(String, String)>,
        refused: &Refused,
    ) -> Result<(), FormatError> {
        use std::fmt::Write as _;
        let fits = |text: &str, width: usize, what: &str| match text.chars().count() <= width
            && !text.contains(['\n', '\r'])
        {
            true => Ok(()),
            false => {
                Err(refused(&format!("{what} `{text}` of several lines or more than {width} characters"), "shorten it"))
            }
        };
        let shown = |text: &'a str| if text.is_empty() { "NONE" } else { text };
        let _ = writeln!(text, "    -1");
        let per_value = 1 + usize::from(is_complex) + usize::from(even.is_none());
        let _ = match encoding {
            Encoding::Text => writeln!(text, "    58"),
            Encoding::Binary => {
                let bytes = self.real.len() * per_value * 8;
                writeln!(text, "    58b{:6}{:6}{:12}{bytes:12}{:6}{:6}{:12}{:12}", 1, 2, 11, 0, 0, 0, 0)
            }
        };
        fits(self.id, 80, "the name")?;
        if self.id.eq_ignore_ascii_case("none") {
            return Err(refused("a name that stands for none", "rename it"));
        }
        let comment: String = self.comment.unwrap_or_default().chars().filter(|c| !c.is_control()).take(80).collect();
        let _ = writeln!(
            text,
            "{}\n{}\nNONE\nNONE\nNONE",
            shown(self.id),
            if comment.is_empty() { "NONE" } else { &comment }
        );
        let mut dofs = String::new();
        for dof in [&self.response, &self.reference] {
            fits(&dof.entity, 10, "the entity")?;
            let entity = if dof.entity.is_empty() { "NONE" } else { &dof.entity };
            let _ = write!(dofs, " {entity:<10}{:10}{:4}", dof.node, dof.direction);
        }
        let _ = writeln!(text, "{:5}{:10}{:5}{:10}{dofs}", self.kind, 0, 0, 0);
        let (start, step) = even.map_or(("0.0", "0.0"), |(start, step)| (start, step));
        let data = if is_complex { 6 } else { 4 };
        let _ = writeln!(
            text,
            "{data:10}{:10}{:10}{start:>13}{step:>13}{:>13}",
            self.real.len(),
            u8::from(even.is_some()),
            "0.0"
        );
        let units = [
            (self.abscissa_kind, self.abscissa_unit),
            (kind_of(self.unit), self.unit.unwrap_or_default()),
            (kind_of(self.reference_unit), self.reference_unit.unwrap_or_default()),
            (0, ""),
        ];
        for (kind, unit) in units {
            fits(unit, 20, "the unit")?;
            let _ = writeln!(text, "{kind:10}{:5}{:5}{:5} {:<20} {:<20}", 0, 0, 0, "NONE", shown(unit));
        }
        Ok(())
    }
}

/// Specific data type of a unit.
fn kind_of(unit: Option<&str>) -> u8 {
    match unit {
        Some("m" | "mm") => 8,
        Some("m/s" | "mm/s") => 11,
        Some("m/s^2" | "m/s2" | "m/s\u{b2}" | "g") => 12,
        Some("N" | "kN") => 13,
        Some("Pa" | "N/m^2") => 15,
        Some("kg") => 16,
        _ => 0,
    }
}

/// The degree of freedom with this text.
fn dof(text: &str) -> Option<Dof> {
    let (place, direction) = match text.rsplit_once(':') {
        Some((place, direction)) if direction.starts_with(['+', '-']) => (place, direction),
        _ => (text, "+"),
    };
    let (entity, node) = place.rsplit_once(':').unwrap_or(("", place));
    let (sign, name) = direction.split_at_checked(1)?;
    let axis: i8 = match name {
        "" => 0,
        "X" => 1,
        "Y" => 2,
        "Z" => 3,
        "RX" => 4,
        "RY" => 5,
        "RZ" => 6,
        _ => return None,
    };
    Some(Dof::new(entity, node.parse().ok()?, if sign == "-" { -axis } else { axis }))
}

/// A number with at most so many characters, if they give the same bits.
fn exact(value: f64, width: usize) -> Option<String> {
    [format!("{value:?}"), format!("{value:e}")].into_iter().filter(|text| text.len() <= width).min_by_key(String::len)
}

/// A number in 13 columns, of which the first is blank.
fn columns13(value: f64) -> Option<String> {
    exact(value, 12).filter(|_| value.is_finite())
}

/// A number in 20 columns, rounded to 13 digits where they do not hold all of it.
fn columns20(value: f64) -> String {
    exact(value, 19).unwrap_or_else(|| format!("{value:.12e}"))
}
