//! Files of Vicon: sections of devices and trajectories, each with a rate in its second line and frames in place of
//! times.

use super::{CsvReader, Rewritten, cells, heading, merged, sum};

/// Names of sections.
const SECTIONS: [&str; 5] = ["Devices", "Trajectories", "Joints", "Model Outputs", "Segments"];

/// One section.
struct Section {
    rate: f64,
    headings: Vec<String>,
    /// Number of each row from the first frame on, and its cells after those of frames.
    rows: Vec<(usize, Vec<String>)>,
}

/// Recognises the name of a section, a rate, and frames.
pub fn is_vicon(head: &str) -> bool {
    let mut lines = head.lines().map(|line| cells(line, ','));
    let is_section = lines.next().is_some_and(|line| line.first().is_some_and(|name| SECTIONS.contains(name)));
    let has_rate = lines.next().is_some_and(|line| line.first().is_some_and(|rate| rate.parse::<f64>().is_ok()));
    is_section && has_rate && lines.take(3).any(|line| line.first() == Some(&"Frame"))
}

/// Gives the frames times; channels of all sections stand in one table.
pub fn rewrite(text: &str, reader: CsvReader) -> Option<Rewritten> {
    let mut sections: Vec<Section> = Vec::new();
    let mut lines = text.lines();
    while let Some(line) = lines.next() {
        if !SECTIONS.contains(cells(line, ',').first()?) {
            continue;
        }
        let rate = cells(lines.next()?, ',').first()?.parse::<f64>().ok().filter(|rate| *rate > 0.0)?;
        let (groups, names, units) = (cells(lines.next()?, ','), cells(lines.next()?, ','), cells(lines.next()?, ','));
        if names.first() != Some(&"Frame") {
            return None;
        }
        let mut group = "";
        let mut headings = Vec::new();
        for at in 2..names.len().max(units.len()) {
            group = groups.get(at).copied().filter(|name| !name.is_empty()).unwrap_or(group);
            let own = names.get(at).copied().unwrap_or_default();
            // the subject before the name of a marker
            let short = group.rsplit(':').next().unwrap_or(group);
            headings.push(heading(&format!("{short}.{own}"), units.get(at).unwrap_or(&"")));
        }
        let mut rows: Vec<(usize, Vec<String>)> = Vec::new();
        for line in lines.by_ref() {
            let cells = cells(line, ',');
            if cells.iter().all(|cell| cell.is_empty()) {
                break;
            }
            let number = rows.last().map_or(0, |(number, _)| number + 1);
            rows.push((number, cells.get(2..).unwrap_or_default().iter().map(|cell| (*cell).to_owned()).collect()));
        }
        sections.push(Section { rate, headings, rows });
    }
    let headings: Vec<String> = sections.iter().flat_map(|section| section.headings.clone()).collect();
    let mut samples = Vec::new();
    let mut first = 0;
    for section in sections {
        for (number, row) in section.rows {
            let time = sum(0.0, number, 1.0 / section.rate);
            let known = row.into_iter().take(section.headings.len()).enumerate();
            samples.extend(known.map(|(at, cell)| (time, first + at, cell)));
        }
        first += section.headings.len();
    }
    let text = format!("time [s],{}\n{}", headings.join(","), merged(samples, headings.len(), ','));
    Some(Rewritten { text, reader: reader.separator(super::super::Separator::Comma), samples: None, anew: None })
}
