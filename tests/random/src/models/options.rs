//! The seeds of the random models that are tried.

/// The variables of the environment that are read.
pub const NAMES: [&str; 2] = ["COSTATE_RANDOM_MODELS", "COSTATE_RANDOM_SEED"];

/// The seeds of a test: `COSTATE_RANDOM_MODELS` of them, by default `count`, from `COSTATE_RANDOM_SEED` on, by default
/// 0.
pub fn seeds(count: u64) -> impl Iterator<Item = u64> {
    let number = |name: &str| std::env::var(name).ok().and_then(|text| text.parse::<u64>().ok());
    let first = number(NAMES[1]).unwrap_or(0);
    first..first + number(NAMES[0]).unwrap_or(count)
}
