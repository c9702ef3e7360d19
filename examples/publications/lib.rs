//! Programs that see everyday methods beside those of `costate-publications`: `yardsticks` and `optimal_input_single_mass`.
