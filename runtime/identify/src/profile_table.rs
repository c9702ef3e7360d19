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

impl fmt::Display for ProfileEnd {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::At(value) => f.write_str(&significant(*value, 5)),
            Self::Bound(value) => write!(f, "bound {}", significant(*value, 5)),
            Self::Open(value) => write!(f, "beyond {}", significant(*value, 5)),
        }
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
        let [lower, upper] = &self.interval;
        let [linear_lower, linear_upper] = self.linear_interval.map(|value| significant(value, 5));
        vec![self.name.clone(), lower.to_string(), upper.to_string(), linear_lower, linear_upper, remark]
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
