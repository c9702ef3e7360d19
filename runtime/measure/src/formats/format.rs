//! Formats, and which of them a file has.

use std::fmt;
use std::path::Path;

/// A format of files.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Format {
    /// Text in columns; `record` reads it.
    Csv,
    /// Universal file format, of which the data sets 58 and 58b are read.
    Uff,
    /// Waveform audio.
    Wav,
    /// MATLAB's files up to version 7, before 7.3.
    Mat,
    /// MATLAB's files of version 7.3, which are HDF5.
    Mat73,
    /// LabVIEW's measurements.
    Tdms,
    /// Hierarchical data format 5.
    Hdf5,
    /// Apache Parquet.
    Parquet,
    /// Measurement data format 4 of ASAM.
    Mdf,
    /// Arrays of NumPy, one (`.npy`) or several in an archive (`.npz`).
    Npy,
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Csv => "CSV",
            Self::Uff => "UFF58",
            Self::Wav => "WAV",
            Self::Mat => "MAT",
            Self::Mat73 => "MAT 7.3",
            Self::Tdms => "TDMS",
            Self::Hdf5 => "HDF5",
            Self::Parquet => "Parquet",
            Self::Mdf => "MDF4",
            Self::Npy => "NumPy",
        })
    }
}

impl Format {
    /// The feature of `formats` that reads this format; empty for text.
    pub fn feature(self) -> &'static str {
        match self {
            Self::Csv => "",
            Self::Uff => "uff",
            Self::Wav => "wav",
            Self::Mat => "mat",
            Self::Tdms => "tdms",
            Self::Mat73 | Self::Hdf5 => "hdf5",
            Self::Parquet => "parquet",
            Self::Mdf => "mdf",
            Self::Npy => "npy",
        }
    }

    /// Checks whether this build has the feature.
    pub fn is_built(self) -> bool {
        match self {
            Self::Csv => true,
            Self::Uff => cfg!(feature = "uff"),
            Self::Wav => cfg!(feature = "wav"),
            Self::Mat => cfg!(feature = "mat"),
            Self::Tdms => cfg!(feature = "tdms"),
            Self::Mat73 | Self::Hdf5 => cfg!(feature = "hdf5"),
            Self::Parquet => cfg!(feature = "parquet"),
            Self::Mdf => cfg!(feature = "mdf"),
            Self::Npy => cfg!(feature = "npy"),
        }
    }

    /// Finds the format by the first bytes of a file, at least 4096 of them if it has as many, and by the extension of
    /// its name where the bytes do not determine it. `None` for bytes that are neither a known format nor text.
    pub fn of(first: &[u8], path: &Path) -> Option<Self> {
        let begins = |magic: &[u8]| first.starts_with(magic);
        if (begins(b"RIFF") || begins(b"RIFX") || begins(b"RF64")) && first.get(8..12) == Some(b"WAVE") {
            return Some(Self::Wav);
        }
        let known: [(&[u8], Self); 7] = [
            (b"\x93NUMPY", Self::Npy),
            (b"TDSm", Self::Tdms),
            (b"MDF     ", Self::Mdf),
            (b"UnFinMF ", Self::Mdf),
            (b"PAR1", Self::Parquet),
            (b"MATLAB 7.3 MAT-file", Self::Mat73),
            (HDF5, Self::Hdf5),
        ];
        if let Some((_, format)) = known.iter().find(|(magic, _)| begins(magic)) {
            return Some(*format);
        }
        if matches!(first.get(124..128), Some([0, 1, b'I', b'M'] | [1, 0, b'M', b'I'])) {
            return Some(Self::Mat);
        }
        if [512, 1024, 2048].iter().any(|at| first.get(*at..).is_some_and(|rest| rest.starts_with(HDF5))) {
            return Some(Self::Hdf5);
        }
        if begins_as_arrays(first, path) {
            return Some(Self::Npy);
        }
        if begins_as_uff(first) {
            return Some(Self::Uff);
        }
        let extension = path.extension().and_then(|text| text.to_str()).unwrap_or_default().to_ascii_lowercase();
        match extension.as_str() {
            // files of version 4 have no mark
            "mat" => Some(Self::Mat),
            "uff" | "unv" | "uf" => Some(Self::Uff),
            _ if is_text(first) => Some(Self::Csv),
            _ => None,
        }
    }
}

const HDF5: &[u8] = b"\x89HDF\r\n\x1a\n";

/// Checks for a line of `-1` alone before a line that begins with the number of a data set.
fn begins_as_uff(first: &[u8]) -> bool {
    let mut lines = first.split(|byte| *byte == b'\n').map(<[u8]>::trim_ascii).filter(|line| !line.is_empty());
    lines.next() == Some(b"-1") && lines.next().is_some_and(|line| line.first().is_some_and(u8::is_ascii_digit))
}

/// Checks for an archive whose first member is an array, or whose name says so.
fn begins_as_arrays(first: &[u8], path: &Path) -> bool {
    let is_archive = first.starts_with(b"PK\x03\x04") || first.starts_with(b"PK\x05\x06");
    let size = match first.get(26..28) {
        Some([low, high]) => usize::from(u16::from_le_bytes([*low, *high])),
        _ => 0,
    };
    let is_array = first.get(30..30 + size).is_some_and(|name| name.ends_with(b".npy"));
    let is_called_so = path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("npz"));
    is_archive && (is_array || is_called_so)
}

/// Text in UTF-8, Latin-1 or UTF-16: no control characters but those of text.
fn is_text(first: &[u8]) -> bool {
    if first.starts_with(&[0xff, 0xfe]) || first.starts_with(&[0xfe, 0xff]) {
        return true;
    }
    !first.iter().any(|byte| matches!(byte, 0..=8 | 14..=25 | 27..=31))
}
