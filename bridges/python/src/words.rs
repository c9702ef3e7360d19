//! Words of Python for what the library says to programs: keywords and methods in place of calls of Rust.
//!
//! Each fragment is replaced wherever a message of the library is shown. A test reads all messages of the library, and
//! finds those that are not covered.

use costate::campaign::reworded::reworded;

/// Fragments of the library's messages, and what Python says in their place.
const WORDS: &[(&str, &str)] = &[
    (
        "keep checkpoints (`checkpoints`) or the outputs alone (`Problem::outputs`) in place of all states",
        "or give `memory_limit`",
    ),
    ("read it with `Record::read_csv`", "read it with `costate.read`"),
    ("take `Averaging::repetitions()` of the pieces", "average the pieces"),
    ("take `Estimator::H1`, or", "take"),
    ("take `Method::limited_memory_bfgs()`", "give `method=\"limited_memory_bfgs\"`"),
    (
        "set one with `.input(..)` of the simulation, `0.0` if the input is zero",
        "give it by `inputs={\"NAME\": ..}`, 0.0 if it is zero",
    ),
    (
        ", or let the record begin with it by `record.starting_at_zero()`",
        ", or let its times begin at 0, as `Record.starting_at_zero` does",
    ),
    ("only `.run()` with `.state_file(path)` can be continued", "only a fit with `state` can be continued"),
    ("with `.held(..)` (in the command `--hold`)", "by `hold`"),
    ("accept it with `.unstable()` (in the command `--unstable`)", "accept it by `unstable=True`"),
    ("the tolerance of `Steps::Adaptive` allows", "`tolerance` allows"),
    (
        "take `Scheme::GeneralizedAlpha { rho_inf }` with rho_inf < 1 or `Scheme::Hht { alpha }` with alpha < 0, or \
         `Scheme::Undamped` if this is what you want",
        "give `scheme=(\"alpha\", rho_inf)` with rho_inf < 1 or (\"hht\", alpha) with alpha < 0, or \"undamped\" \
         if this is what you want",
    ),
    ("take `Scheme::GeneralizedAlpha { rho_inf }`", "take `scheme=\"alpha\"`"),
    (
        "and `steps` is adaptive: set `Steps::Constant` and a `step` that is short enough",
        "and steps are adaptive: leave out `tolerance`, and give a `step` that is short enough",
    ),
    ("take order 4 (`.order(4)`)", "take order 4 (`order=4`)"),
    ("; order 4 with", "; `order=4` with"),
    ("set it in the simulation, as with `.step(h)` and `.until(T)`", "give `step` and `until`"),
    ("run the filter with `Storage::Gains`", "give `smooth=True`"),
    ("or take `Formula::USUAL`", "or take the usual ones"),
    ("give them with `.table(…)`, or name", "give them by `tables`, or name"),
    ("or give the values of all parameters to `Simulation::of`", "or give a value to the model"),
    ("linearise at `Equilibrium::of(&simulation)`", "linearise at a position of rest"),
    (", or take the first motion of each path by `.stability(false)`", ""),
    (
        "name an input by `.input(..)`, or an output and the input that moves it by `.controlled(..)`",
        "give `input`, or `output` and the input that moves it",
    ),
    ("name the parameter in `.sensitivities([..])`", "name the parameter in `sensitivities`"),
    ("raise `.harmonics(..)`", "raise `harmonics`"),
    ("lengthen the run with `.until(T)` of the simulation", "lengthen the run by `until`"),
    (", as `Record::samples` does with missing samples", ""),
    ("keep less (`Storage::Means`), or take", "take"),
    ("`.without(from, to)`", "`without=[(from, to)]` of a `Measurement`"),
    ("or allow its folder by `--allow-files FOLDER`", "or allow its folder by `allow_files`"),
    ("use `Loss::Squares`", "use `loss=\"squares\"`"),
    (
        "write `.input(input, 0.0)` in the simulation to identify the whole input, or `.input(input, \
         Sampled::from_record(&record, \"channel\")?)` to identify what is added to the record",
        "give 0.0 to identify the whole input, or a channel of a record to identify what is added to it",
    ),
    (
        "give it a record in the simulation, `.input(input, Sampled::from_record(&record, \"channel\")?)`",
        "give it (record, channel)",
    ),
    ("choose `ComplexForm::Magnitude` or `ComplexForm::Decibels`", "compare magnitudes or decibels"),
    ("write `predict_responses(…`, which predicts at s = …, or measure", "measure"),
    ("choose one with `Measurement::channel` (channels", "give (record, channel) (channels"),
    ("draw normal errors with `Resampling::Normal`", "draw of=\"normal\""),
    ("draw residuals with `Resampling::Residuals`", "draw of=\"residuals\""),
    ("with `.unknown([..])`", "by `unknown`"),
    ("name one with `.measured(output, &record)` or add a cost with `.cost(weight, cost)`", "name one in `measured`"),
    ("use `.smooth()` or `.smoothness(..)` instead", "give a smoothness instead"),
    ("remove `.validation()` from", "leave out `validation` of"),
    ("and `.weighting(..)`, or choose `Weighting::Likelihood`", "and `weighting`, or give `weighting=\"likelihood\"`"),
    ("set one with `.step(h)` of the simulation", "give `step`"),
    ("leave out `.…(..)` or identify from a single start with `.run()`", "leave it out, or leave out `starts`"),
    ("skip this check with `.ignore_check()`", "skip this check by `ignore_check=True`"),
    ("give bounds with `.within(lower, upper)`", "give `bounds`"),
];

/// Returns a message of the library as Python words it.
pub fn of_python(text: &str) -> String {
    reader_options(&reworded(text, WORDS))
}

/// Writes options of the reader of records, ``the option `every` ``, as arguments.
fn reader_options(text: &str) -> String {
    text.replace("the option `time_column`", "the option `time`").replace("the option `", "the argument `")
}
