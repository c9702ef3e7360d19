//! Entries of an experiment, completed by those of all experiments.

use super::{MeasuredEntry, RunSettings};

/// Defines how the fields of an entry that are not given are taken from another one.
macro_rules! completed {
    ($entry:ty: $($field:ident),+) => {
        impl $entry {
            /// Completes the entry of an experiment by that of all experiments.
            #[must_use]
            pub fn over(self, common: &Self) -> Self {
                let common = common.clone();
                Self { $($field: self.$field.or(common.$field)),+ }
            }
        }
    };
}

completed!(MeasuredEntry: record, channel, unit, unwrap, deviation, weight, gain, offset, delay, windows, without,
weights, noise);
completed!(RunSettings: step, end, scheme, order, tolerance, error_limit, judge, newton_tolerance, newton_iterations,
newton_reuse,
    newton_estimate, memory_limit, checkpoints);
