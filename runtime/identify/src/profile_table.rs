//! Profiles as a table.

use std::fmt;

use super::definition::digits::significant;
use super::profile::{Identifiability, Profile, Profiles};
use super::profile_side::ProfileEnd;
use super::result::columns::write_columns;

impl fmt::Display for Identifiability {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Identifiable => "identifiable",
            Self::PracticallyNot => "practically not identifiable with these data",
            Self::StructurallyNot => "structurally not identifiable with these inputs and outputs",
        })
    }
}

/// Fewest digits of the ends of an interval.
const DIGITS: usize = 5;

/// Digits with which the ends of an interval differ in two digits at least.
fn digits_of([lower, upper]: [f64; 2]) -> usize {
    /// Most digits, which doubles have.
    const MOST: usize = 15;
    let needed = (lower.abs().max(upper.abs()) / (upper - lower).abs()).log10().ceil() + 2.0;
    // as a number of digits, infinity and NaN are not numbers of digits
    if needed.is_finite() { (needed.max(0.0) as usize).clamp(DIGITS, MOST) } else { DIGITS }
}

impl ProfileEnd {
    fn text(&self, digits: usize) -> String {
        match self {
            Self::At(value) => significant(*value, digits),
            Self::Bound(value) => format!("bound {}", significant(*value, digits)),
            Self::Open(value) => format!("beyond {}", significant(*value, digits)),
        }
    }
}

impl fmt::Display for ProfileEnd {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text(DIGITS))
    }
}

impl Profile {
    fn cells(&self) -> Vec<String> {
        let mut remark = self.identifiability.to_string();
        if self.identifiability != Identifiability::Identifiable && !self.combination.is_empty() {
            let units = self.combined_units.iter().map(|unit| if *unit == "1" { "" } else { *unit });
            let parts = self.combination.iter().zip(units).map(|((name, change), unit)| {
                let sign = if *change < 0.0 { "-" } else { "+" };
                format!("{name} by {sign}{} {unit}", significant(change.abs(), 3)).trim_end().to_owned()
            });
            let own = if self.unit == "1" { "" } else { self.unit };
            let parts = parts.collect::<Vec<_>>().join(" and ");
            remark += format!(": for +1 {own}").trim_end();
            remark += &format!(", {parts}");
        }
        for (end, names) in ["lower", "upper"].iter().zip(&self.others_at_bound) {
            if !names.is_empty() {
                let bounds = if names.len() == 1 { "the bound" } else { "the bounds" };
                remark += &format!("; its {end} end is due to {bounds} of {}", names.join(", "));
            }
        }
        if self.lower_cost_found {
            remark += "; a lower cost was found along the profile, identify again from there";
        }
        let ends = self.interval.map(|end| match end {
            ProfileEnd::At(value) | ProfileEnd::Bound(value) | ProfileEnd::Open(value) => value,
        });
        let digits = digits_of(ends);
        let [lower, upper] = self.interval.map(|end| end.text(digits));
        let digits = digits_of(self.linear_interval);
        let [linear_lower, linear_upper] = self.linear_interval.map(|value| significant(value, digits));
        vec![self.name.clone(), lower, upper, linear_lower, linear_upper, remark]
    }
}

impl fmt::Display for Profiles {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let headings = ["unknown", "profile from", "to", "linear from", "to", "identifiability"];
        let mut lines = vec![headings.map(str::to_owned).to_vec()];
        lines.extend(self.profiles.iter().map(Profile::cells));
        write_columns(f, &lines)
    }
}
