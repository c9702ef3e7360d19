//! Remedies in messages: lines of a campaign file, or options of a call.

use super::Campaign;
use super::place::Place;

impl Campaign {
    /// Says how a parameter gets a value.
    pub fn remedy_of_parameter(&self, parameter: &str) -> String {
        match self.model.place {
            Place::File { .. } => format!("a line `{} = 1.0` in `[parameters]`", key(parameter)),
            Place::Option(_) => format!("`--parameter {parameter}=1.0`"),
        }
    }

    /// Says how an input gets a signal.
    pub fn remedy_of_input(&self, input: &str) -> String {
        match self.model.place {
            Place::File { .. } => {
                format!(
                    "write `{0} = 0.0`, an expression of `t`, or `{0} = {{ channel = \"NAME\" }}` in `[inputs]`",
                    key(input)
                )
            }
            Place::Option(_) => {
                format!(
                    "give it one, e.g. `--input {input}=0`, `--input '{input}=sin(60*t)'` or `--input \
                         {input}=FILE.csv:CHANNEL`"
                )
            }
        }
    }

    /// Says how an output gets a channel.
    pub fn remedy_of_output(&self, output: &str) -> String {
        match self.model.place {
            Place::File { .. } => format!("`{} = {{ channel = \"NAME\" }}` in `[measured]`", key(output)),
            Place::Option(_) => format!("`--measured {output}=CHANNEL`"),
        }
    }
}

/// Writes a name as a key of TOML, in quotes where it needs them.
pub fn key(name: &str) -> String {
    let is_bare = |character: char| character.is_ascii_alphanumeric() || matches!(character, '_' | '-');
    if !name.is_empty() && name.chars().all(is_bare) { name.to_owned() } else { format!("\"{name}\"") }
}
