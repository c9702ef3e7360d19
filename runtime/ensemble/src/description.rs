//! Description of the work that stored results belong to, in words, such that the error of a refused file can
//! name what has changed.

use std::fmt;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::fingerprint::{Fingerprint, fingerprint};

/// Description of the work that stored results belong to: named facts, in the order in which differences are reported.
///
/// ```
/// let mut description = costate_ensemble::Description::default();
/// description.text("the method", "bisection");
/// description.number("the tolerance", 1e-9);
/// description.values("the measured forces", &[1.0, 2.5, 3.0]);
/// ```
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct Description(Vec<Fact>);

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
struct Fact {
    what: String,
    /// The value as text.
    value: String,
    /// Fingerprint of a value that is too long for text; `None` if `value` is complete.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    fingerprint: Option<String>,
}

/// A difference between the description in a file and the given one.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct StateDifference {
    /// Name of the fact that differs, such as a setting, a parameter, or the values of a measurement.
    pub what: String,
    /// The value in the file; `None` if the file does not have this fact.
    pub stored: Option<String>,
    /// The given value; `None` if the fact was left out.
    pub given: Option<String>,
}

impl fmt::Display for StateDifference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let what = &self.what;
        match (&self.stored, &self.given) {
            (Some(stored), Some(given)) if stored == given => {
                write!(f, "{what}: not as in the file, though both are {given}")
            }
            (Some(stored), Some(given)) => write!(f, "{what}: {stored} in the file, now {given}"),
            (None, Some(given)) => write!(f, "{what}: not in the file, now {given}"),
            (Some(stored), None) => write!(f, "{what}: {stored} in the file, now left out"),
            (None, None) => write!(f, "{what}"),
        }
    }
}

impl Description {
    /// Adds a fact in words.
    pub fn text(&mut self, what: impl Into<String>, value: impl fmt::Display) {
        self.0.push(Fact { what: what.into(), value: value.to_string(), fingerprint: None });
    }

    /// Adds a number, with all of its digits.
    pub fn number(&mut self, what: impl Into<String>, value: f64) {
        self.text(what, format_args!("{value:?}"));
    }

    /// Adds a value that has a stable serialised form.
    pub fn serialised(&mut self, what: impl Into<String>, value: &impl Serialize) {
        self.text(what, serde_json::to_value(value).map_or_else(|error| error.to_string(), |value| plain(&value)));
    }

    /// Adds numbers that are too many to be written out, by their range and a fingerprint.
    pub fn values(&mut self, what: impl Into<String>, values: &[f64]) {
        let (least, largest) =
            values.iter().fold((f64::INFINITY, f64::NEG_INFINITY), |(a, b), value| (a.min(*value), b.max(*value)));
        let value = match values.len() {
            0 => "no values".to_owned(),
            1 => least.to_string(),
            count => format!("{count} values from {least} to {largest}"),
        };
        let fingerprint = Some(fingerprint(std::iter::once(values)));
        self.0.push(Fact { what: what.into(), value, fingerprint });
    }

    /// Adds a value whose debug text is too long to be written out, by its first word and a fingerprint of the text.
    pub fn printed(&mut self, what: impl Into<String>, value: &impl fmt::Debug) {
        let text = format!("{value:?}");
        let name = text.split(|c: char| !c.is_alphanumeric() && c != '_').next().unwrap_or_default();
        let mut fingerprint = Fingerprint::default();
        fingerprint.add(text.as_bytes());
        self.0.push(Fact { what: what.into(), value: name.to_owned(), fingerprint: Some(fingerprint.text()) });
    }

    /// Adds every setting `of` something except those that are `left_out`.
    pub fn settings(&mut self, of: &str, settings: &impl Serialize, left_out: &[&str]) {
        match serde_json::to_value(settings) {
            Ok(Value::Object(fields)) => {
                for (name, value) in fields.iter().filter(|(name, _)| !left_out.contains(&name.as_str())) {
                    self.setting(of, name, value);
                }
            }
            _ => self.serialised(of, settings),
        }
    }

    /// Appends the facts of another description.
    pub fn extend(&mut self, other: Self) {
        self.0.extend(other.0);
    }

    fn setting(&mut self, of: &str, name: &str, value: &Value) {
        match value {
            Value::Object(fields) => {
                for (field, value) in fields {
                    self.setting(of, &format!("{name}.{field}"), value);
                }
            }
            value => self.text(format!("`{name}` of {of}"), plain(value)),
        }
    }

    /// Returns the differences between this description, which was stored, and the `given` one.
    pub fn differences(&self, given: &Self) -> Vec<StateDifference> {
        let find = |facts: &Self, what: &str| facts.0.iter().find(|fact| fact.what == what).cloned();
        let mut differences = Vec::new();
        for fact in &given.0 {
            let stored = find(self, &fact.what);
            if stored.as_ref() != Some(fact) {
                differences.push(StateDifference {
                    what: fact.what.clone(),
                    stored: stored.map(|stored| stored.value),
                    given: Some(fact.value.clone()),
                });
            }
        }
        for fact in self.0.iter().filter(|fact| find(given, &fact.what).is_none()) {
            let (what, stored) = (fact.what.clone(), Some(fact.value.clone()));
            differences.push(StateDifference { what, stored, given: None });
        }
        differences
    }
}

/// Lists the first differences in a line, and how many more there are.
pub fn list_differences(differences: &[StateDifference]) -> String {
    /// Largest number of differences that a message names.
    const MAX_NAMED: usize = 3;
    let mut text: Vec<_> = differences.iter().take(MAX_NAMED).map(StateDifference::to_string).collect();
    if differences.len() > MAX_NAMED {
        text.push(format!("and {} more differences", differences.len() - MAX_NAMED));
    }
    text.join("; ")
}

/// Returns JSON text, without quotation marks if it is a single string.
fn plain(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Null => "none".to_owned(),
        other => other.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Serialize)]
    struct Settings {
        alpha: f64,
        newton: Newton,
        memory_limit: usize,
    }

    #[derive(Serialize)]
    struct Newton {
        tolerance: f64,
    }

    fn described(alpha: f64, values: &[f64]) -> Description {
        let mut description = Description::default();
        description.text("the model", "Cart");
        let settings = Settings { alpha, newton: Newton { tolerance: 1e-14 }, memory_limit: 3 };
        description.settings("the simulation", &settings, &["memory_limit"]);
        description.values("input `drive`", values);
        description
    }

    #[test]
    fn differences_are_told_in_words() {
        let texts = |stored: &Description, given: &Description| -> Vec<String> {
            stored.differences(given).iter().map(StateDifference::to_string).collect()
        };
        let stored = described(-0.1, &[1.0, 2.0, 3.0]);
        assert_eq!(texts(&stored, &stored), Vec::<String>::new());
        assert_eq!(
            texts(&stored, &described(-0.2, &[1.0, 2.5])),
            [
                "`alpha` of the simulation: -0.1 in the file, now -0.2",
                "input `drive`: 3 values from 1 to 3 in the file, now 2 values from 1 to 2.5",
            ]
        );
        assert_eq!(
            texts(&stored, &described(-0.1, &[1.0, 2.5, 3.0])),
            ["input `drive`: not as in the file, though both are 3 values from 1 to 3"]
        );
        let mut more = stored.clone();
        more.number("parameter `c`", 0.1 + 0.2);
        assert_eq!(texts(&stored, &more), ["parameter `c`: not in the file, now 0.30000000000000004"]);
        assert_eq!(texts(&more, &stored), ["parameter `c`: 0.30000000000000004 in the file, now left out"]);
    }

    #[test]
    fn settings_have_their_names() {
        let text = serde_json::to_string(&described(-0.1, &[])).unwrap();
        assert!(text.contains(r#"{"what":"`newton.tolerance` of the simulation","value":"1e-14"}"#), "{text}");
        assert!(!text.contains("memory_limit"));
        assert_eq!(serde_json::from_str::<Description>(&text).unwrap(), described(-0.1, &[]));
    }
}
