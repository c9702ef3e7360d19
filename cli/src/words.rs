//! Words of the command for what the library says to programs: options and fields of a campaign in place of calls.
//!
//! The library's errors name the call that mends them, which a user of the command does not have. Each fragment below
//! is replaced wherever a message of the library is shown; the test at the end finds messages that are not covered.

use costate::campaign::reworded::reworded;

use crate::reader_words;

/// Fragments of the library's messages, and what the command says in their place.
const WORDS: &[(&str, &str)] = &[
    // runs
    (
        " or the outputs alone (`Problem::outputs`) in place of all states",
        " or the outputs alone in place of all states",
    ),
    (
        "set one with `.input(..)` of the simulation, `0.0` if the input is zero",
        "give it one with `--input NAME=SIGNAL`, or in `[inputs]` of a campaign, 0 if the input is zero",
    ),
    (
        ", or let the record begin with it by `record.starting_at_zero()`",
        ", or set the option `counting_from` to the time of its first sample if the run begins with that",
    ),
    ("set `error_limit` (it is", "set `error_limit` in `[run]` of a campaign (it is"),
    ("take a `step` of", "take a step (`--step`) of"),
    ("setting `end` is", "the end of the run (`--until`) is"),
    ("setting `step` is", "the step (`--step`) is"),
    ("setting `tolerance` is", "the tolerance (`--tolerance`) is"),
    ("build with the feature `…` (`cargo add costate --features …`)", "install the command with `--features formats`"),
    ("the tolerance of `Steps::Adaptive` allows", "the tolerance of adaptive steps allows"),
    (
        "take `Scheme::GeneralizedAlpha { rho_inf }` with rho_inf < 1 or `Scheme::Hht { alpha }` with alpha < 0, or \
             `Scheme::Undamped` if this is what you want",
        "take generalized alpha (`--scheme alpha:0.8`) or HHT (`--scheme hht:-0.1`) with damping",
    ),
    ("take `Scheme::GeneralizedAlpha { rho_inf }`", "take generalized alpha (`--scheme alpha:0.8`)"),
    (
        "and `steps` is adaptive: set `Steps::Constant` and a `step` that is short enough",
        "and steps are adaptive: leave out the tolerance, and give a step that is short enough",
    ),
    ("take order 4 (`.order(4)`)", "take order 4 (`--order 4`, `order = 4` in `[run]` of a campaign)"),
    ("; order 4 with", "; `--order 4` (`order = 4` in `[run]` of a campaign) with"),
    ("set order 2 and a `step` that is short enough", "leave the order out, and give a step that is short enough"),
    (
        "set it in the simulation, as with `.step(h)` and `.until(T)`",
        "give it with `--step` or `--until`, or in `[run]` of a campaign",
    ),
    ("`.step(h)` of the simulation", "`--step`, or `step` in `[run]` of a campaign"),
    ("`.until(T)` of the simulation", "`--until`, or `end` in `[run]` of a campaign"),
    ("give them with `.table(…)`, or name", "give their file in `[tables]` of a campaign, or name"),
    ("or give the values of all parameters to `Simulation::of`", "or give it a value with `--parameter NAME=VALUE`"),
    // equilibria
    ("`.held(..)` (in the command `--hold`)", "`--hold`, or `hold` in a campaign"),
    ("`.unstable()` (in the command `--unstable`)", "`--unstable`"),
    ("linearise at `Equilibrium::of(&simulation)`", "linearise at a position of rest"),
    // spectra
    (" with `until` or `since`, or bring it to one rate with `resampled(interval)`", ", or bring it to one rate"),
    (", or set `without_coherence()`", ""),
    ("`between(from, to)`", "`--between FROM TO`"),
    (
        "cut the record at the blows, and take `Averaging::repetitions()` of the pieces",
        "average whole blows with `--blows LEVEL`",
    ),
    ("`Estimator::H1`", "`--estimator h1`"),
    (", as `Record::samples` does with missing samples", ""),
    // filters
    ("`Storage::Gains`", "`--smooth`"),
    ("keep less (`Storage::Means`), or take", "take"),
    // restoring forces
    (": allow more steps (`most_steps`); where that does not help, the motion", ": the motion"),
    (", or allow more steps (`most_steps`)", ""),
    // fits
    (
        "after each turn: unwrap it",
        "after each turn: unwrap it by `--unwrap`, or `unwrap = true` of the channel in a campaign",
    ),
    ("or take `Formula::USUAL`", "or take the usual ones"),
    ("take `Method::limited_memory_bfgs()`", "write `method = { limited_memory_bfgs = 10 }` in `[optimizer]`"),
    ("only `.run()` with `.state_file(path)` can be continued", "its first iteration had not ended"),
    ("`.without(from, to)`", "`without = [[from, to]]`"),
    ("use `Loss::Squares`", "write `loss = \"squares\"`"),
    (
        "write `.input(input, 0.0)` in the simulation to identify the whole input, or `.input(input, \
             Sampled::from_record(&record, \"channel\")?)` to identify what is added to the record",
        "give it the value 0 to identify the whole input, or a channel of a record to identify what is added to it",
    ),
    (
        "give it a record in the simulation, `.input(input, Sampled::from_record(&record, \"channel\")?)`",
        "give it a channel of a record",
    ),
    (
        "choose `ComplexForm::Magnitude` or `ComplexForm::Decibels`",
        "write `form = \"magnitude\"` or `form = \"decibels\"`",
    ),
    ("write `predict_responses(…`, which predicts at s = …, or measure", "measure"),
    ("`Measurement::channel` (channels", "`--measured OUTPUT=CHANNEL` (channels"),
    ("draw normal errors with `Resampling::Normal`", "leave out `bootstrap`"),
    ("draw residuals with `Resampling::Residuals`", "write `of = \"residuals\"`"),
    ("`.unknown([..])`", "`--unknown`, or in `[unknowns]` of a campaign"),
    (
        "`.measured(output, &record)` or add a cost with `.cost(weight, cost)`",
        "`--measured`, or in `[measured]` of a campaign",
    ),
    ("use `.smooth()` or `.smoothness(..)` instead", "write `bend` instead"),
    ("`.validation()`", "`validation = true`"),
    (
        "and `.weighting(..)`, or choose `Weighting::Likelihood`",
        "and `weighting`, or write `weighting = \"likelihood\"`",
    ),
    ("leave out `.…(..)` or identify from a single start with `.run()`", "leave it out, or leave out `[multistart]`"),
    (
        "skip this check with `.ignore_check()`",
        "skip this check with `ignore_check = true` in `[optimizer]` of a campaign",
    ),
    ("`.within(lower, upper)`", "`--bounds NAME=LOWER..UPPER`, or `bounds` in a campaign"),
    // periodic responses
    (", or take the first motion of each path by `.stability(false)`", ""),
    (
        "name an input by `.input(..)`, or an output and the input that moves it by `.controlled(..)`",
        "name an input, or an output and the input that moves it",
    ),
    (" in `.sensitivities([..])`", ""),
    ("raise `.harmonics(..)`", "raise `harmonics`"),
];

/// Returns a message of the library as the command words it.
pub fn of_command(text: &str) -> String {
    reader_words::of_command(&reworded(text, WORDS))
}

/// Returns a message of the library about an entry of a campaign file.
pub fn of_campaign(text: &str) -> String {
    reader_words::of_campaign(&reworded(text, WORDS))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use std::fs;
    use std::path::{Path, PathBuf};

    use super::of_command;

    /// The sources whose messages the command shows. Those of records and of their files are worded there.
    const SOURCES: &[&str] = &[
        "macros/contract/src",
        "runtime/numerics/src",
        "runtime/view/src",
        "runtime/measure/src/signal",
        "runtime/ensemble/src",
        "runtime/optimize/src",
        "runtime/system/src",
        "runtime/kernel/src",
        "runtime/interpreter/src",
        "runtime/vibration/src",
        "runtime/cost/src",
        "runtime/filter/src",
        "runtime/identify/src",
    ];

    /// Files whose messages only programs cause: the command has nothing of what they are about.
    const OF_PROGRAMS: &[&str] = &[
        "runtime/filter/src/restoring_force/elements/",
        "runtime/identify/src/density.rs",
        "runtime/identify/src/input_noise.rs",
        "runtime/identify/src/distributed/",
        "runtime/identify/src/refinement/",
        "runtime/vibration/src/stiffness/",
    ];

    /// Messages that only programs cause, in files with others.
    const PARTS_OF_PROGRAMS: &[&str] = &[
        "make them with `Series::zeros",
        "`Problem::with_steps_for`",
        "`.table(StartingTable::curve(",
        "the workspace belongs to another function",
    ];

    fn sources(folder: &Path) -> Vec<PathBuf> {
        let mut all = Vec::new();
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() && !path.ends_with("tests") {
                all.extend(sources(&path));
            } else if path.extension().is_some_and(|ending| ending == "rs") && !path.ends_with("tests.rs") {
                all.push(path);
            }
        }
        all
    }

    /// Returns the texts in quotes of a source, as they are shown. Comments, and tests at the end, have none.
    fn texts(source: &str) -> Vec<String> {
        let source = source.split("#[cfg(test)]\nmod tests {").next().unwrap();
        let mut found = Vec::new();
        let mut rest = source;
        while let Some(at) = rest.find(['"', '/', '\'']) {
            let (sign, behind) = (rest.as_bytes()[at], &rest[at + 1..]);
            if sign == b'"' {
                let mut text = String::new();
                let mut characters = behind.char_indices();
                let mut end = behind.len();
                while let Some((position, character)) = characters.next() {
                    match character {
                        '"' => {
                            end = position + 1;
                            break;
                        }
                        '\\' => match characters.next().unwrap().1 {
                            '\n' => {
                                let blank = characters.as_str().chars().take_while(|c| c.is_whitespace()).count();
                                (0..blank).for_each(|_| _ = characters.next());
                            }
                            other => text.push(other),
                        },
                        other => text.push(other),
                    }
                }
                found.push(text.replace("{{", "{").replace("}}", "}"));
                rest = &behind[end..];
            } else if sign == b'/' && behind.starts_with('/') {
                rest = behind.split_once('\n').map_or("", |(_, rest)| rest);
            } else if sign == b'\'' && behind.starts_with("\\\"'") {
                rest = &behind[3..];
            } else if sign == b'\'' && behind.starts_with("\"'") {
                rest = &behind[2..];
            } else {
                rest = behind;
            }
        }
        found
    }

    /// Returns true for a text that names a call or a path of Rust.
    fn names_a_call(text: &str) -> bool {
        let is_word = |c: char| c.is_alphanumeric() || c == '_';
        let calls = text.match_indices('.').any(|(at, _)| {
            let name = text[at + 1..].trim_start_matches(is_word);
            name.len() < text.len() - at - 1 && name.starts_with('(')
        });
        let paths = text
            .match_indices("::")
            .any(|(at, _)| text[..at].ends_with(is_word) && text[at + 2..].starts_with(is_word));
        calls || paths
    }

    #[test]
    fn no_message_of_the_library_names_a_call() {
        let checkout = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
        let (mut calls, mut left) = (0, Vec::new());
        for source in SOURCES.iter().flat_map(|name| sources(&checkout.join(name))) {
            let name = source.strip_prefix(&checkout).unwrap().to_string_lossy().replace('\\', "/");
            if OF_PROGRAMS.iter().any(|own| name.starts_with(own)) {
                continue;
            }
            for text in texts(&fs::read_to_string(&source).unwrap()) {
                // attributes of serde are paths without a blank
                let is_message = text.contains(' ') && !PARTS_OF_PROGRAMS.iter().any(|own| text.contains(own));
                if is_message && names_a_call(&text) {
                    calls += 1;
                    let worded = of_command(&text);
                    if names_a_call(&worded) {
                        left.push(format!("{name}: {worded}"));
                    }
                }
            }
        }
        assert!(left.is_empty(), "words are missing in `{}`:\n{}", file!(), left.join("\n"));
        assert!(calls > 30, "{calls} messages were found, the search is broken");
    }

    #[test]
    fn fragments_are_replaced_wherever_they_stand() {
        let cases = [
            (
                "give them with `.table(Bearing::FORCE, ..)`, or name a CSV file",
                "give their file in `[tables]` of a campaign, or name a CSV file",
            ),
            (
                "a multistart has no state; leave out `.state_file(..)` or identify from a single start with `.run()`",
                "a multistart has no state; leave it out, or leave out `[multistart]`",
            ),
            (
                "with 3 1/s: write `predict_responses(..)?.added_decay(3.5)?`, which predicts at s = 3.5 + 2 pi i f, \
                     or measure otherwise",
                "with 3 1/s: measure otherwise",
            ),
            (
                "`.unknown([..])` and `.unknown([..])`",
                "`--unknown`, or in `[unknowns]` of a campaign and `--unknown`, or in `[unknowns]` of a campaign",
            ),
            ("`x.y` and N*m", "`x.y` and N*m"),
            (
                "too long; order 4 with steps of 0.01 s would do",
                "too long; `--order 4` (`order = 4` in `[run]` of a campaign) with steps of 0.01 s would do",
            ),
            (
                "take order 4 (`.order(4)`) with the same steps, or steps of 0.01 s",
                "take order 4 (`--order 4`, `order = 4` in `[run]` of a campaign) with the same steps, or steps of \
                 0.01 s",
            ),
            ("chosen steps: order 4 with steps of 0.01 s", "chosen steps: order 4 with steps of 0.01 s"),
        ];
        for (library, command) in cases {
            assert_eq!(of_command(library), command);
        }
    }
}
