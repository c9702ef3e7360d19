//! Base parameters as text.

use std::fmt;

use costate_identify::significant;

use super::BaseParameters;

impl BaseParameters {
    fn names(&self, places: &[usize]) -> String {
        places.iter().map(|&place| self.linear[place].name.as_str()).collect::<Vec<_>>().join(", ")
    }

    /// Writes a determined combination: `i_zz_1 + 0.25*m_2`.
    pub fn formula(&self, base: &super::BaseParameter) -> String {
        let mut text = self.linear[base.kept].name.clone();
        for &(other, coefficient) in &base.others {
            let sign = if coefficient < 0.0 { '-' } else { '+' };
            let factor = match plain(coefficient.abs()) {
                one if one == "1" => String::new(),
                factor => format!("{factor}*"),
            };
            let name = &self.linear[other].name;
            let name = if name.contains(' ') { format!("({name})") } else { name.clone() };
            text += &format!(" {sign} {factor}{name}");
        }
        text
    }
}

impl fmt::Display for BaseParameters {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{}: {} of {} combinations are determined", self.model, self.rank(), self.linear.len())?;
        for base in self.determined() {
            let unit = &self.linear[base.kept].unit;
            writeln!(f, "  {} = {} {unit}", self.formula(&base), significant(base.value, 6))?;
        }
        let lists = [
            ("hold fixed, the combinations have their part", self.names(&self.fixed())),
            ("without influence", self.names(&self.without_influence)),
            ("forces are not linear in these, combinations hold near their values", self.names(&self.curved)),
            ("left out, as constraints depend on them", self.geometric.join(", ")),
            ("drives, whose forces are taken as known", self.drives.join(", ")),
        ];
        for (words, names) in lists.iter().filter(|(_, names)| !names.is_empty()) {
            writeln!(f, "{words}: {names}")?;
        }
        Ok(())
    }
}

/// Returns a coefficient without zeros at its end.
fn plain(coefficient: f64) -> String {
    let text = significant(coefficient, 4);
    match text.contains('.') && !text.contains('e') {
        true => text.trim_end_matches('0').trim_end_matches('.').to_owned(),
        false => text,
    }
}
