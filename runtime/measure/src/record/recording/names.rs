//! Names of channels and patterns of them.

use crate::formats::Channel;
use crate::record::csv::{Heading, foreign_time, time_unit};

/// Checks whether a name is that of a pattern, in which `*` stands for any text and `?` for one character. A name that
/// is written as it stands always fits, whatever characters it has.
pub(super) fn matches(pattern: &str, name: &str) -> bool {
    if pattern == name {
        return true;
    }
    let (pattern, name): (Vec<char>, Vec<char>) = (pattern.chars().collect(), name.chars().collect());
    let (mut p, mut n) = (0, 0);
    // the last star, and what it stands for so far
    let mut star = None;
    while n < name.len() {
        match pattern.get(p) {
            Some('*') => {
                star = Some((p, n));
                p += 1;
            }
            Some(c) if *c == '?' || name.get(n) == Some(c) => {
                p += 1;
                n += 1;
            }
            _ => match star {
                Some((at, taken)) => {
                    star = Some((at, taken + 1));
                    p = at + 1;
                    n = taken + 1;
                }
                None => return false,
            },
        }
    }
    pattern.get(p..).unwrap_or_default().iter().all(|c| *c == '*')
}

/// Checks whether a channel of this name holds times, and says the unit that the name has: that of `time_ms`, `t [ms]`
/// or `Zeit (ms)`; `None` for other names.
pub(super) fn time_name(name: &str) -> Option<Option<&str>> {
    let (Heading { name: plain, unit }, _) = Heading::parse(name);
    let lower = plain.to_lowercase();
    // the times of a run of Simulink, and more than one
    if matches!(lower.as_str(), "tout" | "times") {
        return Some(unit);
    }
    foreign_time(plain).map(|own| unit.or(own))
}

/// Returns the unit of time at the end of a name that was said to be that of times, such as `clock_ms`.
fn time_suffix(name: &str) -> Option<&'static str> {
    let (_, last) = name.rsplit_once(['_', '.', '/', ' '])?;
    // a single letter may mean anything
    time_unit(last).filter(|_| last.len() > 1)
}

/// Splits the unit off the name of a rate or an interval: `dt_ms`, `fs_kHz`.
pub(super) fn rate_suffix(name: &str) -> Option<(&str, &'static str)> {
    let (front, last) = name.rsplit_once(['_', '.', '/', ' '])?;
    let unit = match last.to_lowercase().as_str() {
        "hz" => "Hz",
        "khz" => "kHz",
        "mhz" => "MHz",
        _ => time_unit(last).filter(|_| last.len() > 1 || is_interval(front))?,
    };
    Some((front, unit))
}

/// Checks whether what stands in brackets is the place of a column, as in `table[:,1]`, and a part of the name.
pub(super) fn is_place(text: &str) -> bool {
    text.chars().all(|c| c.is_ascii_digit() || matches!(c, ':' | ',' | ' '))
}

/// Splits the name of a channel from a unit behind it, which the place of a column is not.
pub(super) fn heading(name: &str) -> Heading<'_> {
    let (heading, _) = Heading::parse(name);
    match heading.unit {
        Some(unit) if is_place(unit) => Heading { name: name.trim(), unit: None },
        _ => heading,
    }
}

/// Returns the name of the matrix of which a channel of this name is a column, as `M` of `M(:,1)` or `data[:,0]`.
pub(super) fn matrix_of(name: &str) -> Option<&str> {
    let inner = name.strip_suffix([']', ')'])?;
    let (matrix, place) = inner.rsplit_once(['[', '('])?;
    (place.contains(':') && is_place(place)).then_some(matrix)
}

/// The unit of a channel of times: the given one, its own, or that of its name; `None` where none of them says it.
pub(super) fn unit_of_time<'a>(channel: &'a Channel, given: Option<&'a str>) -> Option<&'a str> {
    let heading = heading(&channel.name);
    let own = channel.unit.as_deref().filter(|unit| !unit.trim().is_empty());
    let of_name = || time_name(&channel.name).flatten().or(heading.unit);
    given.or(own).or_else(of_name).or_else(|| time_suffix(heading.name))
}

/// A name with that of its group.
pub(super) fn full(group: &str, channel: &str) -> String {
    if group.is_empty() { channel.to_owned() } else { format!("{group}.{channel}") }
}

/// Names by which a channel is found: its own, that with its group, and those of its place in the file.
pub(super) fn names_of(group: &str, channel: &Channel) -> Vec<String> {
    let mut names = vec![channel.name.clone(), full(group, &channel.name)];
    if let Some(path) = &channel.path {
        names.push(path.clone());
        let field = path.strip_prefix(group).and_then(|rest| rest.strip_prefix('.'));
        names.extend(field.map(str::to_owned));
    }
    // a record has the place of a column in parentheses
    if matrix_of(&channel.name).is_some() {
        names.push(channel.name.replace('[', "(").replace(']', ")"));
    }
    names.dedup();
    names
}

/// Checks whether a variable of one value may be a rate.
pub(super) fn may_be_rate(name: &str) -> bool {
    let name = rate_suffix(name).map_or(name, |(front, _)| front);
    let name = name.to_lowercase();
    let last = name.rsplit('.').next().unwrap_or_default();
    matches!(last, "fs" | "f_s" | "sr") || name.contains("rate") || name.contains("freq")
}

/// Checks whether a variable of one value is a sampling interval by its name.
pub(super) fn is_interval(name: &str) -> bool {
    let name = rate_suffix(name).map_or(name, |(front, _)| front);
    let name = name.to_lowercase();
    let last = name.rsplit('.').next().unwrap_or_default();
    let plain: String = last.chars().filter(|c| c.is_alphanumeric()).collect();
    let is_one = matches!(
        plain.as_str(),
        "dt" | "ts"
            | "deltat"
            | "tdelta"
            | "deltax"
            | "h"
            | "step"
            | "timestep"
            | "tstep"
            | "sampletime"
            | "samplingtime"
            | "tsample"
            | "tsampling"
            | "abtastzeit"
            | "increment"
            | "timeincrement"
            | "xincrement"
    );
    !may_be_rate(&name) && (is_one || plain.contains("interval") || plain.contains("period"))
}

/// Names for a message: those that have letters in common with what was wanted first.
pub(super) fn nearest(wanted: &str, names: &[&str]) -> Vec<String> {
    const MOST: usize = 20;
    let letters: Vec<char> = wanted.to_lowercase().chars().filter(|c| c.is_alphanumeric()).collect();
    let common = |name: &str| letters.iter().filter(|c| name.to_lowercase().contains(**c)).count();
    let mut sorted: Vec<&str> = names.to_vec();
    sorted.sort_by_key(|name| std::cmp::Reverse(common(name)));
    let more = names.len().saturating_sub(MOST);
    let mut shown: Vec<String> =
        sorted.into_iter().take(MOST).map(|name| format!("`{}`", costate_contract::shown::plain(name))).collect();
    if more > 0 {
        shown.push(format!("and {more} others"));
    }
    shown
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns() {
        for (pattern, name, fits) in [
            ("Acc*", "Acc front", true),
            ("Acc*", "acc", false),
            ("*front*", "Acc front left", true),
            ("a?c", "abc", true),
            ("a?c", "ac", false),
            ("*", "", true),
            ("x[1]", "x[1]", true),
            ("*a*b", "aab", true),
            ("*a*b", "aabc", false),
            ("", "a", false),
        ] {
            assert_eq!(matches(pattern, name), fits, "{pattern} {name}");
        }
    }

    #[test]
    fn columns_of_matrices() {
        for (name, matrix) in
            [("M(:,1)", Some("M")), ("data[:,0]", Some("data")), ("x[1]", None), ("x [m]", None), ("F (N)", None)]
        {
            assert_eq!(matrix_of(name), matrix, "{name}");
        }
        assert_eq!((heading("m[:,0]").unit, heading("t [ms]").unit), (None, Some("ms")));
    }

    #[test]
    fn times_have_several_names() {
        for (name, unit) in [
            ("t", None),
            ("Time", None),
            (" time [s]", Some("s")),
            ("Zeit (ms)", Some("ms")),
            ("TIMESTAMP", None),
            ("time_ms", Some("ms")),
            ("time_us", Some("us")),
            ("t [ms]", Some("ms")),
            ("Time (elapsed)", None),
            ("Time (msec)", Some("ms")),
            ("Time (usec)", Some("us")),
            ("Time (minutes)", Some("min")),
            ("time (milliseconds since start)", Some("ms")),
            ("Zeit (msek)", Some("ms")),
            ("Time (h:mm:ss)", None),
            ("Time - ms", Some("ms")),
            ("Time  1 - default sample rate", None),
            ("tout", None),
        ] {
            assert_eq!(time_name(name), Some(unit), "{name}");
        }
        assert!(["tt", "timer", "rate", ""].iter().all(|name| time_name(name).is_none()));
        assert_eq!((time_suffix("clock_ms"), time_suffix("clock_s"), time_suffix("ms")), (Some("ms"), None, None));
    }
}
