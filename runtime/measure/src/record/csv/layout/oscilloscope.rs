//! Tables of oscilloscopes: settings in columns next to the samples, and times by their start and increment.

use super::super::stated::samples;
use super::{CsvReader, Rewritten, cells, heading, sum};

/// Number of cells before those of time and value in files with settings in the same lines.
const SETTING_CELLS: usize = 3;

/// Recognises settings of Tektronix in the first three columns, and times and values in the next two.
pub fn has_settings_beside(head: &str) -> bool {
    let Some(first) = head.lines().next() else { return false };
    let cells = cells(first, ',');
    let is_number = |at: usize| cells.get(at).is_some_and(|cell| cell.parse::<f64>().is_ok());
    cells.first() == Some(&"Record Length") && is_number(SETTING_CELLS) && is_number(SETTING_CELLS + 1)
}

/// Takes the times and values; names and units are those of the settings.
pub fn without_settings(text: &str, reader: CsvReader) -> Option<Rewritten> {
    let setting = |name: &str| {
        let line = text.lines().take(64).map(|line| cells(line, ',')).find(|line| line.first() == Some(&name));
        line.and_then(|line| line.get(1).map(|cell| (*cell).to_owned())).filter(|cell| !cell.is_empty())
    };
    let source = setting("Source").unwrap_or_else(|| "CH1".to_owned());
    let unit = setting("Vertical Units").unwrap_or_default();
    let line = |line: &str| {
        let cells = cells(line, ',');
        let samples = cells.get(SETTING_CELLS..).unwrap_or_default();
        samples.iter().take(2).copied().collect::<Vec<_>>().join(",") + "\n"
    };
    let time = heading("time", &setting("Horizontal Units").unwrap_or_else(|| "s".to_owned()));
    let reader = reader.no_heading().names([time, heading(&source, &unit)]);
    let stated = setting("Record Length").and_then(|length| samples(&format!("samples={length}")));
    let samples = stated.map(|stated| [text.lines().filter(|line| !line.trim().is_empty()).count(), stated]);
    Some(Rewritten { text: text.lines().map(line).collect(), reader, samples, anew: None })
}

/// Recognises settings of Siglent and Tektronix above the samples, with a line for each, and their line of names, of
/// which that of Siglent has the units of the samples.
pub fn has_settings_above(head: &str) -> bool {
    let is_setting = |line: &str| cells(line, ',').first().is_some_and(|cell| cell.starts_with("Vertical "));
    head.lines().any(is_setting) && head.lines().any(|line| is_named(&cells(line, ',')))
}

fn is_named(cells: &[&str]) -> bool {
    matches!(cells, ["TIME" | "Second", names @ ..] if names.iter().any(|name| !name.is_empty()))
}

/// Writes names and units in the line above the samples.
pub fn with_names(text: &str, reader: CsvReader) -> Option<Rewritten> {
    let mut lines: Vec<&str> = text.lines().collect();
    let at = lines.iter().position(|line| is_named(&cells(line, ',')))?;
    let setting = |name: &str| lines[..at].iter().map(|line| cells(line, ',')).find(|line| line.first() == Some(&name));
    let (names, units, sources) = (cells(lines[at], ','), setting("Vertical Units"), setting("Source"));
    // `CH1:V`, the channel and its setting
    let (scales, of) = (setting("Vertical Scale"), |line: &Option<Vec<&'_ str>>, column: usize| {
        line.as_ref().and_then(|line| line.get(column)).map(|cell| (*cell).to_owned()).filter(|cell| !cell.is_empty())
    });
    let columns = names.iter().rposition(|name| !name.is_empty()).unwrap_or(0);
    let of_column = |column: usize| {
        let unit = of(&units, column).map(|cell| cell.rsplit(':').next().unwrap_or_default().to_owned());
        if names[0] == "TIME" {
            return heading(names[column], &unit.unwrap_or_default());
        }
        let scale = of(&scales, column).and_then(|cell| cell.split_once(':').map(|(name, _)| name.to_owned()));
        let name = of(&sources, column).or(scale).unwrap_or_else(|| format!("CH{column}"));
        let own = if names[column] == "Value" { "" } else { names[column] };
        heading(&name, &unit.unwrap_or_else(|| own.to_owned()))
    };
    let time = heading("time", &of(&setting("Horizontal Units"), 1).unwrap_or_else(|| "s".to_owned()));
    let all = std::iter::once(time).chain((1..=columns).map(of_column));
    let line = all.collect::<Vec<_>>().join(",");
    lines[at] = &line;
    Some(Rewritten { text: lines.join("\n") + "\n", reader, samples: None, anew: None })
}

/// Recognises the columns `Start` and `Increment` of Rigol, whose first column numbers the samples.
pub fn has_start_and_increment(head: &str) -> bool {
    head.lines().next().is_some_and(|first| places(&cells(first, ',')).is_some())
}

/// The columns of the start and the increment.
fn places(names: &[&str]) -> Option<(usize, usize)> {
    let place = |name: &str| names.iter().position(|cell| cell.eq_ignore_ascii_case(name));
    names.first().filter(|first| first.eq_ignore_ascii_case("x"))?;
    Some((place("start")?, place("increment")?))
}

/// Replaces the numbers of the samples by times.
pub fn with_times(text: &str, reader: CsvReader) -> Option<Rewritten> {
    let mut lines = text.lines();
    let (names, second) = (cells(lines.next()?, ','), cells(lines.next()?, ','));
    let (start, increment) = places(&names)?;
    let number = |at: usize| second.get(at).and_then(|cell| cell.parse::<f64>().ok());
    let (channels, start, increment) = (start.min(increment), number(start)?, number(increment)?);
    let head = (1..channels).map(|at| heading(names.get(at).unwrap_or(&""), second.get(at).unwrap_or(&"")));
    let mut all = format!("time [s],{}\n\n", head.collect::<Vec<_>>().join(","));
    for line in lines {
        let cells = cells(line, ',');
        match cells.first().and_then(|number| number.parse::<usize>().ok()) {
            Some(number) => {
                let values = cells.get(1..channels.min(cells.len())).unwrap_or_default();
                all += &format!("{:?},{}\n", sum(start, number, increment), values.join(","));
            }
            // refused by the reader, with its line
            None => all += &format!("{line}\n"),
        }
    }
    Some(Rewritten { text: all, reader, samples: None, anew: None })
}
