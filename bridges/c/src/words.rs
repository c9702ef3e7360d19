//! Texts of errors in the words of the header.

/// Words of texts about calls in Rust, with those of the header in their place.
const WORDS: [(&str, &str); 12] = [
    (
        "set one with `.input(..)` of the simulation, `0.0` if the input is zero",
        "give it by costate_simulation_set_input",
    ),
    ("set it in the simulation, as with `.step(h)` and `.until(T)`", "give it by costate_simulation_set_time"),
    ("set one with `.step(h)` of the simulation", "give it by costate_simulation_set_time"),
    ("lengthen the run with `.until(T)` of the simulation", "lengthen the run by costate_simulation_set_time"),
    (", or let the record begin with it by `record.starting_at_zero()`", ""),
    (", as `Record::samples` does with missing samples", ""),
    ("give them with `.table(…)`, or name", "give them by costate_simulation_set_curve or _set_surface, or name"),
    ("or give the values of all parameters to `Simulation::of`", "or give it by costate_simulation_set_parameter"),
    ("`.error_limit(None)`", "costate_simulation_set_error_limit with 0"),
    ("`.error_limit(..)`", "costate_simulation_set_error_limit"),
    ("`.adaptive(tolerance)`", "costate_simulation_set_adaptive"),
    ("`.step(h)`", "costate_simulation_set_time"),
];

/// Returns a text of the library in the words of the header.
pub fn of_c(text: &str) -> String {
    WORDS.iter().fold(text.to_owned(), |text, (rust, c)| text.replace(rust, c))
}
