//! The words of the command for what the library calls by the names of its reader's options.

use std::sync::atomic::{AtomicBool, Ordering};

/// True if records are read as a campaign file says.
static IS_OF_CAMPAIGN: AtomicBool = AtomicBool::new(false);

/// Names options of the reader as fields of a campaign file from now on.
pub fn speak_of_campaign() {
    IS_OF_CAMPAIGN.store(true, Ordering::Relaxed);
}

/// Writes options of the reader of records, such as ``the option `time_unit` ``, as those of the command,
/// `--time-unit`, or as fields of the campaign file that says how records are read.
pub fn of_command(text: &str) -> String {
    if IS_OF_CAMPAIGN.load(Ordering::Relaxed) {
        return of_campaign(text);
    }
    with_options(text, |option| format!("`--{}`", option.replace('_', "-")))
}

/// Writes options of the reader of records as fields of a campaign file.
pub fn of_campaign(text: &str) -> String {
    with_options(text, |option| format!("the field `{option}` of `reading`"))
}

/// Replaces the options in a text.
fn with_options(text: &str, worded: impl Fn(&str) -> String) -> String {
    const BEFORE: &str = "the option `";
    let mut parts = text.split(BEFORE);
    let mut all = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        match part.split_once('`') {
            Some((option, rest)) if is_option(option) => {
                let option = if option == "time_column" { "time" } else { option };
                all += &worded(option);
                all += rest;
            }
            _ => {
                all += BEFORE;
                all += part;
            }
        }
    }
    all
}

/// Checks whether this is the name of an option of the reader.
fn is_option(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'_')
}

#[cfg(test)]
mod tests {
    use super::{of_campaign, of_command};

    #[test]
    fn options_have_the_names_of_the_reader() {
        let text = "set the option `time_unit` to `ms`, or the option `time_column` (the option `--x` stays)";
        assert_eq!(of_command(text), "set `--time-unit` to `ms`, or `--time` (the option `--x` stays)");
        assert_eq!(of_campaign("the option `decimal` is wrong"), "the field `decimal` of `reading` is wrong");
        assert_eq!(of_command("plain"), "plain");
    }
}
