//! The number of snapshots of a run, and of the states that it stores at once, within a number of bytes.

use super::schedule::{Schedule, repeated_steps};

/// Smallest number of snapshots: with fewer, the number of repeated steps grows with the square of the number
/// of blocks.
const MIN_SNAPSHOTS: u64 = 2;

/// The memory of one snapshot and of one state.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Sizes {
    /// Bytes of a snapshot.
    pub snapshot: u64,
    /// Bytes of a state.
    pub state: u64,
}

impl Sizes {
    /// Returns the fewest bytes with which a run of `steps` steps can be gone through backward.
    pub fn least(self, steps: usize) -> u64 {
        let all = (steps as u64 + 1).saturating_mul(self.state);
        all.min(MIN_SNAPSHOTS * self.snapshot + 2 * self.state)
    }
}

/// Snapshots and the states of one block of steps, instead of all states.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Plan {
    steps: usize,
    /// Steps whose states are stored at once.
    block: usize,
    /// Snapshots at once.
    snapshots: usize,
}

impl Plan {
    /// Returns the plan for N = `steps` within `bytes` that repeats the fewest steps; `None` if there is
    /// none.
    ///
    /// Every number of snapshots leaves room for blocks of a largest length. Numbers are tried up to the one
    /// with which no block is computed more than twice: shorter blocks with more snapshots repeat more steps.
    pub fn within(bytes: u64, steps: usize, sizes: Sizes) -> Option<Self> {
        let mut best: Option<(u64, Self)> = None;
        for snapshots in 1.. {
            let Some(left) = bytes.checked_sub(snapshots * sizes.snapshot) else { break };
            let states = left / sizes.state;
            if states < 2 {
                break;
            }
            // the state at the beginning of a block is stored too
            let longest = usize::try_from(states - 1).unwrap_or(steps).min(steps);
            let blocks = steps.div_ceil(longest);
            let enough = snapshots + 1 >= blocks as u64;
            if !enough && snapshots < MIN_SNAPSHOTS {
                continue;
            }
            // the first block is the shorter one: long blocks are best for one repetition, equal ones for
            // many
            for block in [longest, steps.div_ceil(blocks)] {
                let plan = Self { steps, block, snapshots: snapshots as usize };
                let work = plan.repeated_steps();
                if best.is_none_or(|(least, _)| work < least) {
                    best = Some((work, plan));
                }
            }
            if enough {
                break;
            }
        }
        best.map(|(_, plan)| plan)
    }

    /// Returns N.
    pub fn steps(&self) -> usize {
        self.steps
    }

    /// Returns the number of snapshots at once.
    pub fn snapshots(&self) -> usize {
        self.snapshots
    }

    /// Returns the number of states at once.
    pub fn states(&self) -> usize {
        self.block + 1
    }

    /// Returns the schedule of the plan.
    pub fn schedule(&self) -> Schedule {
        Schedule::new(self.steps, self.block, self.snapshots)
    }

    /// Returns the number of steps that are recomputed.
    pub fn repeated_steps(&self) -> u64 {
        repeated_steps(self.steps, self.block, self.snapshots)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SIZES: Sizes = Sizes { snapshot: 30, state: 8 };

    #[test]
    fn plans_keep_within_their_bytes() {
        for steps in [1, 2, 3, 10, 97, 1000] {
            let least = SIZES.least(steps);
            let all = (steps as u64 + 1) * SIZES.state;
            for bytes in 0..all {
                let Some(plan) = Plan::within(bytes, steps, SIZES) else {
                    assert!(bytes < least, "{steps} steps in {bytes} bytes");
                    continue;
                };
                assert!(bytes >= least);
                let needed = plan.snapshots() as u64 * SIZES.snapshot + plan.states() as u64 * SIZES.state;
                assert!(needed <= bytes, "{plan:?} needs {needed} of {bytes} bytes");
            }
        }
    }

    #[test]
    fn more_memory_never_means_more_work() {
        let mut before = u64::MAX;
        for bytes in SIZES.least(1000)..1001 * SIZES.state {
            let work = Plan::within(bytes, 1000, SIZES).expect("enough").repeated_steps();
            // but for what is not a whole number of blocks
            assert!(work as f64 <= 1.02 * before as f64, "{work} steps in {bytes} bytes, {before} in less");
            before = before.min(work);
        }
        assert!(before < 50);
    }

    #[test]
    fn one_run_more_at_most_where_a_square_root_fits() {
        // 2 sqrt(N C s) and a little for what is not a whole number
        let (steps, sizes) = (168_000, Sizes { snapshot: 2500, state: 752 });
        let root = 2.0 * (steps as f64 * 2500.0 * 752.0).sqrt();
        let plan = Plan::within((1.01 * root) as u64, steps, sizes).expect("enough");
        assert!(plan.repeated_steps() < steps as u64, "{plan:?}");
        let less = Plan::within((0.9 * root) as u64, steps, sizes).expect("enough");
        assert!(less.repeated_steps() > steps as u64, "{less:?}");
        assert!(less.repeated_steps() < 2 * steps as u64, "{less:?}");
    }

    #[test]
    fn long_runs_are_planned_too() {
        let (steps, sizes) = (1_000_000_000, Sizes { snapshot: 2500, state: 752 });
        for bytes in [sizes.least(steps), 1 << 20, 1 << 30] {
            let plan = Plan::within(bytes, steps, sizes).expect("enough");
            assert!(plan.repeated_steps() > steps as u64 / 2, "{plan:?}");
        }
    }
}
