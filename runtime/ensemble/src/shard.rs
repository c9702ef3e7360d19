//! The part of all tasks that a process does.

use std::fmt;
use std::str::FromStr;

/// One of several processes that share tasks: number `k` of `n`, from 1.
///
/// ```
/// use costate_ensemble::Shard;
///
/// let shard: Shard = "2/3".parse()?;
/// let tasks: Vec<usize> = (0..8).filter(|&task| shard.has(task)).collect();
/// assert_eq!(tasks, [1, 4, 7]);
/// # Ok::<(), costate_ensemble::ShardError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Shard {
    number: usize,
    count: usize,
}

/// Reason why there is no such shard.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
#[allow(missing_docs, reason = "messages say what the fields are")]
pub enum ShardError {
    /// The text does not name a shard.
    #[error(
        "`{text}` is no shard; write `k/n`, as in `2/3` for the second of three, or `array` in a job array of Slurm, \
             PBS or LSF"
    )]
    Text { text: String },
    /// The number is not from 1 to the number of shards.
    #[error("there is no shard {number} of {count}; shards are numbered from 1 to {count}")]
    Number { number: usize, count: usize },
    /// The job is not part of an array.
    #[error("this is no job of an array: none of {variables} is set; submit one, or write the shard as `k/n`")]
    NoArray { variables: &'static str },
    /// A variable of the scheduler is not a number.
    #[error("the scheduler's variable {variable} is `{value}`, not a number; write the shard as `k/n`")]
    Variable { variable: &'static str, value: String },
    /// A job array of unknown size: only the index of the job is known.
    #[error("the job array does not say how many jobs it has; write `array/n` for n of them, numbered from 1")]
    NoCount,
    /// The jobs of the array are not evenly numbered.
    #[error(
        "job {index} is not one of {count} evenly numbered jobs from {first} to {last}; submit an array such as \
             1-{count}"
    )]
    Uneven { index: usize, first: usize, last: usize, count: usize },
}

/// Variables in which schedulers store the index of a job in its array.
const INDICES: &str = "SLURM_ARRAY_TASK_ID, PBS_ARRAY_INDEX, PBS_ARRAYID, LSB_JOBINDEX";

impl Shard {
    /// The shard that has all tasks.
    pub const ALL: Self = Self { number: 1, count: 1 };

    /// Makes shard `number` of `count`, from 1.
    ///
    /// # Errors
    /// [`ShardError::Number`].
    pub fn new(number: usize, count: usize) -> Result<Self, ShardError> {
        match (1..=count).contains(&number) {
            true => Ok(Self { number, count }),
            false => Err(ShardError::Number { number, count }),
        }
    }

    /// Finds the shard of this job of an array of Slurm, PBS or LSF. PBS does not store the number of jobs, so
    /// that `count` has to be given; a given `count` replaces that of the scheduler.
    ///
    /// # Errors
    /// [`ShardError`].
    pub fn of_job_array(count: Option<usize>) -> Result<Self, ShardError> {
        Self::of_variables(|name| std::env::var(name).ok(), count)
    }

    fn of_variables(
        variable: impl Fn(&'static str) -> Option<String>,
        count: Option<usize>,
    ) -> Result<Self, ShardError> {
        let number = |name: &'static str| -> Result<Option<usize>, ShardError> {
            let Some(value) = variable(name).filter(|value| !value.trim().is_empty()) else {
                return Ok(None);
            };
            let found = value.trim().parse().map_err(|_| ShardError::Variable { variable: name, value });
            found.map(Some)
        };
        if let Some(index) = number("SLURM_ARRAY_TASK_ID")? {
            let first = number("SLURM_ARRAY_TASK_MIN")?;
            let last = number("SLURM_ARRAY_TASK_MAX")?;
            let of_all = number("SLURM_ARRAY_TASK_COUNT")?;
            return match (first, last, count.or(of_all)) {
                (Some(first), Some(last), Some(count)) => Self::even(index, first, last, count),
                (_, _, Some(count)) => Self::new(index, count),
                _ => Err(ShardError::NoCount),
            };
        }
        for name in ["PBS_ARRAY_INDEX", "PBS_ARRAYID"] {
            if let Some(index) = number(name)? {
                return Self::new(index, count.ok_or(ShardError::NoCount)?);
            }
        }
        // 0 is the index of a job that is not in an array
        if let Some(index) = number("LSB_JOBINDEX")?.filter(|index| *index > 0) {
            let last = number("LSB_JOBINDEX_END")?;
            let step = number("LSB_JOBINDEX_STEP")?.unwrap_or(1).max(1);
            return match (last, count) {
                (Some(last), None) if step == 1 => Self::new(index, last),
                (_, Some(count)) => Self::new(index, count),
                _ => Err(ShardError::NoCount),
            };
        }
        Err(ShardError::NoArray { variables: INDICES })
    }

    /// Finds the shard of a job whose array is numbered evenly from `first` to `last`.
    fn even(index: usize, first: usize, last: usize, count: usize) -> Result<Self, ShardError> {
        let uneven = ShardError::Uneven { index, first, last, count };
        let (Some(place), Some(range)) = (index.checked_sub(first), last.checked_sub(first)) else {
            return Err(uneven);
        };
        let gaps = count.saturating_sub(1).max(1);
        let step = (range / gaps).max(1);
        let is_even = count > 0 && (count == 1) == (range == 0) && range % gaps == 0 && place % step == 0;
        if !is_even || place > range {
            return Err(uneven);
        }
        Self::new(place / step + 1, count)
    }

    /// Checks whether a task is part of the shard.
    pub fn has(self, task: usize) -> bool {
        task % self.count == self.number - 1
    }

    /// Returns the number of the shard, from 1.
    pub fn number(self) -> usize {
        self.number
    }

    /// Returns the number of shards.
    pub fn count(self) -> usize {
        self.count
    }

    /// Checks whether the shard has all tasks.
    pub fn is_all(self) -> bool {
        self.count == 1
    }
}

impl Default for Shard {
    fn default() -> Self {
        Self::ALL
    }
}

impl fmt::Display for Shard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.number, self.count)
    }
}

impl FromStr for Shard {
    type Err = ShardError;

    /// Reads `k/n`, `array` or `array/n`.
    fn from_str(text: &str) -> Result<Self, ShardError> {
        let wrong = || ShardError::Text { text: text.to_owned() };
        let number = |part: &str| part.trim().parse::<usize>().map_err(|_| wrong());
        match text.split_once('/') {
            None if text == "array" => Self::of_job_array(None),
            Some(("array", count)) => Self::of_job_array(Some(number(count)?)),
            Some((k, n)) => Self::new(number(k)?, number(n)?),
            None => Err(wrong()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(variables: &[(&str, &str)], count: Option<usize>) -> Result<Shard, ShardError> {
        let find = |name: &str| variables.iter().find(|(other, _)| *other == name);
        Shard::of_variables(|name| find(name).map(|(_, value)| (*value).to_owned()), count)
    }

    #[test]
    fn shards_have_every_task_once() {
        for count in 1..6 {
            let shards: Vec<_> = (1..=count).map(|k| Shard::new(k, count).unwrap()).collect();
            for task in 0..20 {
                assert_eq!(shards.iter().filter(|shard| shard.has(task)).count(), 1);
            }
        }
        assert_eq!("3/2".parse::<Shard>(), Err(ShardError::Number { number: 3, count: 2 }));
        assert_eq!("0/0".parse::<Shard>(), Err(ShardError::Number { number: 0, count: 0 }));
        for text in ["", "2", "a/b", "-1/3", "1/2/3", "arrays"] {
            assert_eq!(text.parse::<Shard>(), Err(ShardError::Text { text: text.to_owned() }));
        }
    }

    #[test]
    fn job_arrays_say_the_shard() {
        let slurm = |index, first, last, count| {
            let names =
                ["SLURM_ARRAY_TASK_ID", "SLURM_ARRAY_TASK_MIN", "SLURM_ARRAY_TASK_MAX", "SLURM_ARRAY_TASK_COUNT"];
            of(&names.into_iter().zip([index, first, last, count]).collect::<Vec<_>>(), None)
        };
        assert_eq!(slurm("3", "1", "4", "4"), Shard::new(3, 4));
        assert_eq!(slurm("0", "0", "9", "10"), Shard::new(1, 10));
        assert_eq!(slurm("30", "10", "40", "4"), Shard::new(3, 4));
        assert_eq!(slurm("7", "7", "7", "1"), Shard::new(1, 1));
        for wrong in [("3", "1", "7", "3"), ("5", "1", "4", "4"), ("0", "1", "4", "4"), ("2", "1", "3", "1")] {
            let found = slurm(wrong.0, wrong.1, wrong.2, wrong.3);
            assert!(matches!(found, Err(ShardError::Uneven { .. })), "{wrong:?}: {found:?}");
        }
        assert_eq!(of(&[("SLURM_ARRAY_TASK_ID", "2")], None), Err(ShardError::NoCount));
        assert_eq!(of(&[("PBS_ARRAY_INDEX", "2")], None), Err(ShardError::NoCount));
        assert_eq!(of(&[("PBS_ARRAY_INDEX", "2")], Some(5)), Shard::new(2, 5));
        assert_eq!(of(&[("PBS_ARRAYID", "5")], Some(5)), Shard::new(5, 5));
        assert_eq!(of(&[("LSB_JOBINDEX", "2"), ("LSB_JOBINDEX_END", "6")], None), Shard::new(2, 6));
        let stepped = [("LSB_JOBINDEX", "3"), ("LSB_JOBINDEX_END", "6"), ("LSB_JOBINDEX_STEP", "2")];
        assert_eq!(of(&stepped, None), Err(ShardError::NoCount));
        assert!(matches!(of(&[("LSB_JOBINDEX", "0")], Some(3)), Err(ShardError::NoArray { .. })));
        let text = of(&[("PBS_ARRAY_INDEX", "x")], Some(3)).unwrap_err().to_string();
        assert_eq!(text, "the scheduler's variable PBS_ARRAY_INDEX is `x`, not a number; write the shard as `k/n`");
    }
}
