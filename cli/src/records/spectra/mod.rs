//! `costate spectra`: frequency responses, densities, spectrograms and maps of orders of a file of measured data.

mod density;
mod map;
mod response;

use std::path::{Path, PathBuf};

use clap::{ArgGroup, Args};
use costate::signal::{Averaging, Estimator, Window};

use super::{File, RecordFileError};
use crate::answer::Answer;
use crate::doubts;
use crate::error::CommandError;
use crate::options::{RecordOptions, Word, extension, given};
use crate::output;
use crate::written::Written;

/// The file, what is computed of it, and the files to write.
#[derive(Debug, Args)]
#[command(group(ArgGroup::new("kind").required(true).args(["response", "density", "map"])))]
pub struct SpectraOptions {
    /// The file of a measuring device: CSV, UFF58, MDF4, MAT, TDMS, HDF5, Parquet, NumPy or WAV.
    file: File,
    #[command(flatten)]
    records: RecordOptions,
    /// Computes the frequency responses of this channel to the inputs. May be given several times.
    #[arg(long, value_name = "CHANNEL", requires = "input")]
    response: Vec<String>,
    /// The channel of an input of responses. May be given several times.
    #[arg(long, value_name = "CHANNEL", conflicts_with_all = ["density", "map"])]
    input: Vec<String>,
    /// Computes the spectral density of this channel. May be given several times.
    #[arg(long, value_name = "CHANNEL", conflicts_with = "map")]
    density: Vec<String>,
    /// Computes the spectrogram of this channel; with `--tacho`, its spectra over the speed.
    #[arg(long, value_name = "CHANNEL")]
    map: Option<String>,
    #[command(flatten)]
    segments: Segments,
    #[command(flatten)]
    blows: Blows,
    #[command(flatten)]
    shaft: map::Shaft,
    /// Shows levels in dB above this reference, in the unit of the channel.
    #[arg(long, value_name = "REFERENCE", requires = "map")]
    level: Option<f64>,
    /// A file to write: `.svg` a picture, `.csv` the numbers, of responses also `.uff` or `.unv` (UFF58b). May be given
    /// several times.
    #[arg(short, long, value_name = "FILE")]
    output: Vec<PathBuf>,
}

/// Segments of a record and their lines.
#[derive(Debug, Args)]
struct Segments {
    /// Samples of a segment; without, a power of 2 that makes some 16 segments, or as many segments as lines in a
    /// spectrogram.
    #[arg(long, value_name = "SAMPLES")]
    length: Option<usize>,
    /// The window of segments, which is Hann's, and one with a flat top for the amplitudes of a map.
    #[arg(long, value_name = "WINDOW")]
    window: Option<Word<Window>>,
    /// The part of a segment that the next one has as well.
    #[arg(long, value_name = "PART")]
    overlap: Option<f64>,
    /// Keeps the lines from FROM to TO Hz.
    #[arg(long, num_args = 2, value_names = ["FROM", "TO"], conflicts_with = "map")]
    between: Option<Vec<f64>>,
    /// The estimator of responses: noise on the output (h1), on the input (h2) or of the same part in both (hv).
    #[arg(long, value_name = "ESTIMATOR", requires = "response")]
    estimator: Option<Word<Estimator>>,
}

/// Repetitions in a record.
#[derive(Debug, Args)]
struct Blows {
    /// Averages blows in place of segments: the first input rises to this level, in its unit.
    #[arg(long, value_name = "LEVEL", requires = "response", conflicts_with_all = ["length", "window", "overlap"])]
    blows: Option<f64>,
    /// Seconds before each blow.
    #[arg(long, value_name = "SECONDS", default_value_t = 0.01, requires = "blows")]
    before: f64,
    /// Seconds after each blow.
    #[arg(long, value_name = "SECONDS", default_value_t = 1.0, requires = "blows")]
    after: f64,
    /// Time constant in s of an exponential window.
    #[arg(long, value_name = "SECONDS", requires = "blows")]
    time_constant: Option<f64>,
}

impl Segments {
    /// The averaging over segments of a record of so many samples.
    fn averaging(&self, samples: usize) -> Averaging {
        let mut averaging = self.length.map_or_else(|| Averaging::usual_segments(samples), Averaging::segments);
        if let Some(Word(window)) = self.window {
            averaging = averaging.window(window);
        }
        if let Some(overlap) = self.overlap {
            averaging = averaging.overlap(overlap);
        }
        self.lines(averaging)
    }

    /// Adds the band and the estimator.
    fn lines(&self, mut averaging: Averaging) -> Averaging {
        if let Some([from, to]) = self.between.as_deref() {
            averaging = averaging.between(*from, *to);
        }
        given(averaging, self.estimator, |averaging, Word(estimator)| averaging.estimator(estimator))
    }
}

/// Computes spectra and writes the files.
pub fn spectra(options: &SpectraOptions) -> Result<Answer, CommandError> {
    // a file that cannot be written is told before anything is computed
    for path in &options.output {
        let known = if options.response.is_empty() { &["svg", "csv"][..] } else { &["svg", "csv", "uff", "unv"] };
        if !known.contains(&extension(path).as_str()) {
            return Err(RecordFileError::SpectraExtension(path.clone()).into());
        }
    }
    let record = options.records.reader().open(&options.file)?.record()?;
    doubts::of_record(&record);
    options.density.iter().chain(&options.map).for_each(|channel| doubts::of_turns(&record, channel, None));
    output::check(options.output.iter().map(PathBuf::as_path))?;
    match (&options.map, options.density.as_slice()) {
        (Some(channel), _) => map::answer(options, &record, channel),
        (None, []) => response::answer(options, &record),
        (None, channels) => density::answer(options, &record, channels),
    }
}

/// Six digits.
fn shown(value: f64) -> String {
    costate::command::shown::Shown(value).to_string()
}

/// Writes the files by a function of the path and its extension, with lines about them.
fn written(
    options: &SpectraOptions,
    text: &mut String,
    mut write: impl FnMut(&Path, &str) -> Result<(), CommandError>,
) -> Vec<CommandError> {
    let mut written = Written::default();
    for path in &options.output {
        written.add(path, write(path, &extension(path)));
    }
    *text += &written.files.iter().map(|path| format!("written: {}\n", path.display())).collect::<String>();
    written.failed
}

/// The file for the entry with this number, where a format holds one in each: `a.csv`, `a_2.csv`.
fn numbered(path: &Path, number: usize) -> PathBuf {
    if number == 0 {
        return path.to_owned();
    }
    let stem = path.file_stem().and_then(|text| text.to_str()).unwrap_or_default();
    path.with_file_name(format!("{stem}_{}.{}", number + 1, extension(path)))
}
