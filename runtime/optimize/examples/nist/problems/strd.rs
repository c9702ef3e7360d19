//! Files of nonlinear regression problems of the Statistical Reference Datasets.

use std::path::{Path, PathBuf};

/// A row of the data.
#[derive(Debug, Clone, PartialEq)]
pub struct Observation {
    /// y.
    pub response: f64,
    /// x, or x1 and x2.
    pub predictors: Vec<f64>,
}

/// A parameter with its starts and its certified results.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Certified {
    /// Start 1 and start 2.
    pub starts: [f64; 2],
    /// The certified value.
    pub value: f64,
    /// The certified standard deviation.
    pub deviation: f64,
}

/// Contents of a file.
#[derive(Debug, Clone, PartialEq)]
pub struct Dataset {
    /// Name of the problem, such as `Misra1a`.
    pub name: String,
    /// b1, b2 ...
    pub parameters: Vec<Certified>,
    /// The certified residual sum of squares.
    pub sum_of_squares: f64,
    /// The data.
    pub observations: Vec<Observation>,
}

/// A file that cannot be read.
#[derive(Debug, thiserror::Error)]
#[allow(missing_docs, reason = "messages say what the fields are")]
pub enum FileError {
    /// The file cannot be opened.
    #[error("{} cannot be read", path.display())]
    Read {
        path: PathBuf,
        #[source]
        source: std::io::Error,
    },
    /// The text does not have the form of the files of NIST.
    #[error("{} is not a file of the nonlinear regression problems of NIST", path.display())]
    Format {
        path: PathBuf,
        #[source]
        source: FormatError,
    },
}

/// Text that does not describe a problem.
///
/// `line` is counted from 1.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[allow(missing_docs, reason = "messages say what the fields are")]
pub enum FormatError {
    /// A part is missing.
    #[error("the text has no `{part}`")]
    Missing { part: &'static str },
    /// A word in place of a number is not a finite number.
    #[error("`{text}` in line {line} is not a finite number")]
    Number { line: usize, text: String },
    /// A line has too few or too many numbers.
    #[error("line {line} has {found} numbers; expected {expected}")]
    Columns { line: usize, found: usize, expected: usize },
    /// A parameter is missing or out of order.
    #[error("line {line} has the parameter `{found}`; expected `b{expected}`")]
    Parameter { line: usize, found: String, expected: usize },
    /// There are too few or too many observations.
    #[error("the data have {found} observations, but the head of the file says {expected}")]
    Observations { found: usize, expected: f64 },
}

const NAME: &str = "Dataset Name:";
const SQUARES: &str = "Residual Sum of Squares:";
const COUNT: &str = "Number of Observations:";
const DATA: &str = "Data:";

impl Dataset {
    /// Reads a file.
    ///
    /// # Errors
    /// [`FileError`].
    pub fn read(path: &Path) -> Result<Self, FileError> {
        let text =
            std::fs::read_to_string(path).map_err(|source| FileError::Read { path: path.to_path_buf(), source })?;
        Self::parse(&text).map_err(|source| FileError::Format { path: path.to_path_buf(), source })
    }

    /// Parses the text of a file.
    ///
    /// # Errors
    /// [`FormatError`] for the first part that is missing or wrong.
    pub fn parse(text: &str) -> Result<Self, FormatError> {
        let lines: Vec<Line> = text.lines().enumerate().map(|(k, text)| Line { number: k + 1, text }).collect();
        let name = rest(&lines, NAME)?.text.split_whitespace().next();
        // the last line that begins with this word is the head of the columns; the earlier ones describe the data
        let head = lines.iter().rposition(|line| line.text.trim_start().starts_with(DATA));
        let head = head.ok_or(FormatError::Missing { part: DATA })?;
        let (above, below) = lines.split_at(head + 1);
        let columns = above.last().map_or(0, |line| line.text.split_whitespace().count().saturating_sub(1));
        let observations = observations(below, columns)?;
        let expected = rest(above, COUNT)?.single()?;
        if observations.len() as f64 != expected {
            return Err(FormatError::Observations { found: observations.len(), expected });
        }
        Ok(Self {
            name: name.ok_or(FormatError::Missing { part: NAME })?.to_owned(),
            parameters: parameters(above)?,
            sum_of_squares: rest(above, SQUARES)?.single()?,
            observations,
        })
    }
}

/// A line, or the end of one.
#[derive(Debug, Clone, Copy)]
struct Line<'a> {
    number: usize,
    text: &'a str,
}

impl Line<'_> {
    fn numbers(self, expected: usize) -> Result<Vec<f64>, FormatError> {
        let number = |text: &str| {
            let value = text.parse().ok().filter(|value: &f64| value.is_finite());
            value.ok_or_else(|| FormatError::Number { line: self.number, text: text.to_owned() })
        };
        let numbers: Vec<f64> = self.text.split_whitespace().map(number).collect::<Result<_, _>>()?;
        if numbers.len() == expected {
            Ok(numbers)
        } else {
            Err(FormatError::Columns { line: self.number, found: numbers.len(), expected })
        }
    }

    fn single(self) -> Result<f64, FormatError> {
        Ok(self.numbers(1)?.iter().sum())
    }
}

/// Returns the rest of the first line that begins with `part`.
fn rest<'a>(lines: &[Line<'a>], part: &'static str) -> Result<Line<'a>, FormatError> {
    let after = |line: &Line<'a>| {
        let text = line.text.trim_start().strip_prefix(part)?;
        Some(Line { text, ..*line })
    };
    lines.iter().find_map(after).ok_or(FormatError::Missing { part })
}

/// Parses the lines `b1 = start 1, start 2, certified value, standard deviation`.
fn parameters(lines: &[Line]) -> Result<Vec<Certified>, FormatError> {
    let mut parameters = Vec::new();
    for line in lines {
        let Some((name, text)) = line.text.split_once('=') else { continue };
        let name = name.trim();
        let is_parameter = name.strip_prefix('b').is_some_and(|number| number.parse::<usize>().is_ok());
        if !is_parameter {
            continue;
        }
        let expected = parameters.len() + 1;
        if name != format!("b{expected}") {
            return Err(FormatError::Parameter { line: line.number, found: name.to_owned(), expected });
        }
        let line = Line { text, ..*line };
        if let [first, second, value, deviation] = line.numbers(4)?[..] {
            parameters.push(Certified { starts: [first, second], value, deviation });
        }
    }
    if parameters.is_empty() { Err(FormatError::Missing { part: "b1 =" }) } else { Ok(parameters) }
}

/// Parses the rows below the last head, y first.
fn observations(lines: &[Line], columns: usize) -> Result<Vec<Observation>, FormatError> {
    let rows = lines.iter().filter(|line| !line.text.trim().is_empty());
    let observation = |line: &Line| {
        let numbers = line.numbers(columns)?;
        let (response, predictors) =
            numbers.split_first().ok_or(FormatError::Columns { line: line.number, found: 0, expected: 2 })?;
        Ok(Observation { response: *response, predictors: predictors.to_vec() })
    };
    rows.map(observation).collect()
}
