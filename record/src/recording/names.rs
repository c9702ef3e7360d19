//! Names of channels and patterns of them.

/// Checks whether a name is that of a pattern, in which `*` stands for any text and `?` for one character. A name that is written as it stands
/// always fits, whatever characters it has.
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

/// Checks whether a channel of this name holds times.
pub(super) fn is_time(name: &str) -> bool {
    let name = name.trim().to_lowercase();
    let name = name.split(['[', '(']).next().unwrap_or_default().trim();
    matches!(
        name,
        "t" | "time"
            | "times"
            | "zeit"
            | "timestamp"
            | "timestamps"
            | "time_s"
            | "t_s"
            | "elapsed time"
            | "temps"
            | "tiempo"
    )
}

/// Checks whether a variable of one value may be a rate.
pub(super) fn may_be_rate(name: &str) -> bool {
    let name = name.to_lowercase();
    let last = name.rsplit('.').next().unwrap_or_default();
    matches!(last, "fs" | "f_s" | "sr") || name.contains("rate") || name.contains("freq")
}

/// Checks whether a variable of one value is a sampling interval by its name.
pub(super) fn is_interval(name: &str) -> bool {
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
    let mut shown: Vec<String> = sorted
        .into_iter()
        .take(MOST)
        .map(|name| format!("`{}`", costate_contract::shown::plain(name)))
        .collect();
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
    fn times_have_several_names() {
        assert!(["t", "Time", " time [s]", "Zeit (ms)", "TIMESTAMP"].iter().all(|name| is_time(name)));
        assert!(!["tt", "timer", "rate", ""].iter().any(|name| is_time(name)));
    }
}
