//! Structures in which tools save signals, each with its name and unit in fields next to its numbers.
//!
//! ControlDesk of dSPACE has `rec.X.Data` and `rec.Y(2).Data` with `Name` and `Unit`; Simulink has
//! `out.signals(2).values` with `label`.

use std::collections::HashMap;

use crate::formats::{Group, Recording};

/// Field of the numbers, and that of the name.
const FIELDS: [(&str, &str); 2] = [("Data", "Name"), ("values", "label")];

/// Gives signals the names and units that are next to them.
pub(super) fn name(recording: &mut Recording) {
    let texts: HashMap<&str, &str> = recording.texts.iter().map(|(name, text)| (name.as_str(), text.trim())).collect();
    for group in &mut recording.groups {
        for (field, label) in FIELDS {
            let Some(name) = texts.get(format!("{}.{label}", group.name).as_str()) else { continue };
            let unit = ["Unit", "unit", "Units", "units"]
                .iter()
                .find_map(|unit| texts.get(format!("{}.{unit}", group.name).as_str()))
                .filter(|unit| !unit.is_empty());
            rename(group, field, name, unit.copied());
        }
    }
}

fn rename(group: &mut Group, field: &str, name: &str, unit: Option<&str>) {
    let is_axis = is_axis(&group.name);
    for channel in &mut group.channels {
        // a column of a matrix keeps its index
        let Some(index) = channel.name.strip_prefix(field) else { continue };
        if !index.is_empty() && !index.starts_with('(') {
            continue;
        }
        channel.is_time = is_axis;
        channel.unit = unit.map(str::to_owned).or(channel.unit.take());
        if !name.is_empty() {
            channel.path = Some(format!("{}.{}", group.name, channel.name));
            channel.name = format!("{name}{index}");
        }
    }
}

/// Checks for the axis of a recording of dSPACE: `rec.X` or `rec.X(1)`.
fn is_axis(group: &str) -> bool {
    let last = group.rsplit('.').next().unwrap_or_default();
    group.contains('.') && (last == "X" || last.starts_with("X("))
}
