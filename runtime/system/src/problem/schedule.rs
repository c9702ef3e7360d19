//! The order in which steps are computed, and snapshots taken, to go through a run backward with bounded
//! memory.
//!
//! The run is cut into blocks whose states are stored together. With l blocks and c snapshots the schedule of
//! Griewank and Walther (Algorithm 799: revolve, ACM TOMS 26, 2000) recomputes the fewest blocks,
//!
//! ```text
//! t(l, c) = r l - beta(c + 1, r - 1),   beta(c, r) = (c + r)!/(c! r!),   beta(c, r - 1) < l <= beta(c, r)
//! ```
//!
//! With c = l - 1 snapshots, one at the start of every block but the last, t is l - 1: less than one further
//! run.

/// The next action. Steps are counted as their states: "at step i" means that x_i is known.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Action {
    /// Go back to the snapshot in this slot.
    Load {
        /// Position among the snapshots.
        slot: usize,
    },
    /// Compute the steps up to this one, and store nothing.
    Advance {
        /// The step.
        to: usize,
    },
    /// Take a snapshot of the current step.
    Save {
        /// Position among the snapshots.
        slot: usize,
    },
    /// The current step is `from`: compute the steps up to `to` and store all states, `from`'s included; then go
    /// backward through them.
    Reverse {
        /// The current step.
        from: usize,
        /// The last step that is computed.
        to: usize,
    },
}

/// Blocks `from..to` that are still to be gone through. The snapshot at `from` is in `slot`, unless there is
/// one block, which begins at the current step of the run.
#[derive(Debug, Clone, Copy)]
struct Interval {
    from: usize,
    to: usize,
    slot: usize,
}

/// The actions that take a run forward and then backward, from step N to step 0, beginning at step 0.
#[derive(Debug, Clone)]
pub struct Schedule {
    steps: usize,
    block: usize,
    blocks: usize,
    slots: usize,
    /// The block whose start is the current step.
    position: Option<usize>,
    /// True if a snapshot must be taken at the current step.
    unsaved: bool,
    /// The remaining intervals, the latest blocks last.
    left: Vec<Interval>,
}

impl Schedule {
    /// Creates the schedule for `steps` = N in blocks of `block` steps, the first one shorter, with snapshots
    /// in `slots` slots; at least one slot unless there is one block.
    pub fn new(steps: usize, block: usize, slots: usize) -> Self {
        let blocks = steps.div_ceil(block);
        let left = vec![Interval { from: 0, to: blocks, slot: 0 }];
        Self { steps, block, blocks, slots, position: Some(0), unsaved: blocks > 1, left }
    }

    /// Returns the step at which a block begins.
    fn step(&self, block: usize) -> usize {
        self.steps.saturating_sub((self.blocks - block) * self.block)
    }
}

impl Iterator for Schedule {
    type Item = Action;

    fn next(&mut self) -> Option<Action> {
        let Interval { from, to, slot } = *self.left.last()?;
        if std::mem::take(&mut self.unsaved) {
            return Some(Action::Save { slot });
        }
        if self.position != Some(from) {
            self.position = Some(from);
            return Some(Action::Load { slot });
        }
        self.left.pop();
        if to - from == 1 {
            self.position = None;
            return Some(Action::Reverse { from: self.step(from), to: self.step(to) });
        }
        let middle = from + split(to - from, self.slots - slot);
        self.left.push(Interval { from, to: middle, slot });
        self.left.push(Interval { from: middle, to, slot: slot + 1 });
        self.position = Some(middle);
        self.unsaved = to - middle > 1;
        Some(Action::Advance { to: self.step(middle) })
    }
}

/// Returns beta(c, r), or the largest number.
fn binomial(c: usize, r: usize) -> u64 {
    let mut value = 1u128;
    // the product of k consecutive numbers is a multiple of k!
    for k in 1..=c.min(r) as u128 {
        value = value * (c.max(r) as u128 + k) / k;
        if value > u64::MAX.into() {
            return u64::MAX;
        }
    }
    value as u64
}

/// Returns the largest number of times that a block is recomputed: the r of `blocks` blocks and `slots`
/// snapshots.
fn repetitions(blocks: usize, slots: usize) -> usize {
    // the smallest r with beta(slots, r) >= blocks, which is not above `enough`
    let (mut r, mut enough) = (0, 1);
    while binomial(slots, enough) < blocks as u64 {
        (r, enough) = (enough + 1, 2 * enough);
    }
    while r < enough {
        let middle = r.midpoint(enough);
        if binomial(slots, middle) < blocks as u64 {
            r = middle + 1;
        } else {
            enough = middle;
        }
    }
    r
}

/// Returns the block, counted from the first, before which the next of `slots` snapshots is best taken; one
/// of the snapshots is at the first of the `blocks` blocks.
fn split(blocks: usize, slots: usize) -> usize {
    if slots == 1 {
        return blocks - 1;
    }
    let r = repetitions(blocks, slots);
    let (before, after) = (binomial(slots, r - 1), binomial(slots - 1, r - 1));
    before.min(blocks as u64 - after) as usize
}

/// Returns t(l, c): the number of blocks that are recomputed until all are gone through, besides the run
/// itself.
fn repeated(blocks: usize, slots: usize) -> u64 {
    let r = repetitions(blocks, slots);
    match r {
        0 => 0,
        r => (r as u64 * blocks as u64).saturating_sub(binomial(slots + 1, r - 1)),
    }
}

/// Returns the number of steps that a [`Schedule`] with these arguments recomputes.
pub(super) fn repeated_steps(steps: usize, block: usize, slots: usize) -> u64 {
    let blocks = steps.div_ceil(block);
    // the first block, which is shorter, is repeated at every split of an interval that begins with it
    let (mut left, mut firsts) = (blocks, 0);
    while left > 1 {
        left = split(left, slots);
        firsts += 1;
    }
    let missing = (blocks * block - steps) as u64;
    repeated(blocks, slots).saturating_mul(block as u64).saturating_sub(firsts * missing)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Goes through a schedule as a run would; the steps computed.
    fn follow(steps: usize, block: usize, slots: usize) -> u64 {
        let mut snapshots = vec![None; slots];
        let (mut at, mut left, mut work) = (0, steps, 0);
        for action in Schedule::new(steps, block, slots) {
            match action {
                Action::Save { slot } => snapshots[slot] = Some(at),
                Action::Load { slot } => at = snapshots[slot].expect("a snapshot"),
                Action::Advance { to } => {
                    assert!(at < to && to < left, "nothing is computed that is not needed");
                    work += to - at;
                    at = to;
                }
                Action::Reverse { from, to } => {
                    assert_eq!((at, left), (from, to), "every step once, in reverse order");
                    assert!(0 < to - from && to - from <= block);
                    work += to - from;
                    (at, left) = (to, from);
                }
            }
        }
        assert_eq!(left, 0, "{steps} steps, blocks of {block}, {slots} slots");
        work as u64
    }

    /// The least t(l, c) by dynamic programming: every first split is tried.
    fn least(blocks: usize, slots: usize) -> Vec<Vec<u64>> {
        let mut all = vec![vec![0; slots + 1]; 2];
        for l in 2..=blocks {
            let with = |c: usize| {
                let after = |m: usize| match (l - m, c) {
                    (1, _) => Some(0),
                    (_, 1) => None,
                    (rest, _) => Some(all[rest][c - 1]),
                };
                let splits = (1..l).filter_map(|m| Some(m as u64 + after(m)? + all[m][c]));
                splits.min().expect("a split before the last block")
            };
            let row = std::iter::once(0).chain((1..=slots).map(with)).collect();
            all.push(row);
        }
        all
    }

    #[test]
    fn every_small_schedule_is_complete_and_the_shortest() {
        for (steps, least) in least(70, 12).into_iter().enumerate().skip(1) {
            for (slots, least) in least.into_iter().enumerate().skip(1) {
                assert_eq!(repeated(steps, slots), least, "{steps} steps, {slots} slots");
                assert_eq!(follow(steps, 1, slots), least + steps as u64, "{steps} steps, {slots} slots");
            }
        }
    }

    #[test]
    fn blocks_are_as_good_as_steps() {
        for steps in 1..=60usize {
            for block in 1..=steps {
                for slots in 1..=6 {
                    let work = follow(steps, block, slots);
                    let expected = repeated_steps(steps, block, slots);
                    assert_eq!(work, expected + steps as u64, "{steps} {block} {slots}");
                    assert!(expected <= repeated(steps.div_ceil(block), slots) * block as u64);
                }
            }
        }
    }

    #[test]
    fn enough_snapshots_repeat_less_than_one_run() {
        assert_eq!(follow(168_000, 800, 209), 2 * 168_000 - 800);
        assert_eq!(follow(1000, 30, 33), 2 * 1000 - 30);
        assert_eq!(follow(1000, 1000, 0), 1000);
    }

    #[test]
    fn numbers_by_hand() {
        // 10 = beta(3, 2) steps, twice each but for beta(4, 1) = 5
        assert_eq!(repeated(10, 3), 15);
        assert_eq!(repeated(100_000, 1), 100_000 * 99_999 / 2);
        assert_eq!(binomial(5, 3), 56);
        assert_eq!(binomial(200, 300), u64::MAX);
    }
}
