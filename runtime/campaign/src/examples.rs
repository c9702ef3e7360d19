//! The text of the template, whose fields are the examples of messages as well.

/// The text with names in braces.
pub const TEXT: &str = include_str!("campaign.toml");

/// Returns a section with the texts for names in braces.
pub fn filled(section: &str, names: &[(&str, &str)]) -> String {
    names.iter().fold(section.to_owned(), |text, (name, value)| text.replace(name, value))
}

/// Returns an example of a field, or of a section, in the section with this name.
pub fn example(section: &str, field: &str) -> String {
    let path: Vec<&str> = section.split('.').filter(|name| !name.is_empty()).collect();
    let of_field = fields(&path).into_iter().find(|(name, _)| *name == field).map(|(_, value)| value.to_owned());
    let of_section = || {
        let (name, value) = fields(&[&path[..], &[field]].concat()).into_iter().next()?;
        Some(format!("{{ {name} = {value} }}"))
    };
    // numbers of a measurement have no section of their own
    let text = of_field.or_else(of_section).unwrap_or_else(|| "0.0".to_owned());
    let names = [("{file}", "model.rs"), ("{record}", "bench.csv"), ("{input}", "INPUT"), ("{output}", "OUTPUT")];
    filled(&text, &names)
}

/// Returns the fields of a section with their examples.
fn fields(path: &[&str]) -> Vec<(&'static str, &'static str)> {
    let is_field = |line: &&str| !line.is_empty() && !line.starts_with("# ");
    for section in TEXT.split("\n\n") {
        let mut lines = section.lines().filter(is_field).map(|line| line.trim_start_matches('#'));
        let heading = lines.next().unwrap_or_default().trim_matches(['[', ']']);
        let names: Vec<&str> = heading.split('.').collect();
        let is_same = |(one, other): (&&str, &&str)| one == other || one.starts_with('{');
        if names.len() == path.len() && names.iter().zip(path).all(is_same) {
            return lines.filter_map(|line| line.split_once(" = ")).collect();
        }
    }
    Vec::new()
}
