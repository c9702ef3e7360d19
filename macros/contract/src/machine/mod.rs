//! The memory that the machine has left, and checks of it: data that grow with the steps of a run, or with
//! numbers that a user has chosen, are counted before they are stored.

mod shown;

use std::fs;

pub use shown::Bytes;

/// Returns the bytes that a process may still take without others being swapped out; `None` where the system
/// does not report them. Linux does, and the limit of a control group (a container's) counts too.
pub fn available_memory() -> Option<u64> {
    let machine = entry(&fs::read_to_string("/proc/meminfo").ok()?, "MemAvailable:")?;
    let group = number("/sys/fs/cgroup/memory.max").zip(number("/sys/fs/cgroup/memory.current"));
    Some(group.map_or(machine, |(limit, used)| machine.min(limit.saturating_sub(used))))
}

/// Returns the bytes that a process can get at all, with free swap space, and with a control group's file
/// cache.
fn obtainable_memory() -> Option<u64> {
    let machine = fs::read_to_string("/proc/meminfo").ok()?;
    let swap = entry(&machine, "SwapFree:").unwrap_or(0);
    let machine = entry(&machine, "MemAvailable:")?.saturating_add(swap);
    let group = || {
        let (limit, used) = (number("/sys/fs/cgroup/memory.max")?, number("/sys/fs/cgroup/memory.current")?);
        let kept = fs::read_to_string("/sys/fs/cgroup/memory.stat").unwrap_or_default();
        let files = ["inactive_file", "active_file"].map(|name| entry(&kept, name).unwrap_or(0));
        let used = files.iter().fold(used, |used, files| used.saturating_sub(*files));
        let swap_limit = number("/sys/fs/cgroup/memory.swap.max").unwrap_or(u64::MAX);
        let swapped = number("/sys/fs/cgroup/memory.swap.current").unwrap_or(0);
        let swap = swap.min(swap_limit.saturating_sub(swapped));
        Some(limit.saturating_sub(used).saturating_add(swap))
    };
    Some(group().map_or(machine, |group| machine.min(group)))
}

/// Reads a file that contains only a number.
fn number(file: &str) -> Option<u64> {
    fs::read_to_string(file).ok()?.trim().parse().ok()
}

/// Returns the entry of a list such as `/proc/meminfo`, in bytes.
fn entry(text: &str, name: &str) -> Option<u64> {
    let mut words =
        text.lines().map(str::split_whitespace).find_map(|mut words| (words.next() == Some(name)).then_some(words))?;
    let number: u64 = words.next()?.parse().ok()?;
    match words.next() {
        None => Some(number),
        Some("kB") => number.checked_mul(1024),
        Some(_) => None,
    }
}

/// The error of data for which there is not enough memory: the machine has less left, free swap space
/// included, or the system does not grant it. The error occurs before anything is stored.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
#[error("{what} of {count} {counted} would take {}, {}: {remedy}", Bytes(*needed), self.left())]
pub struct OutOfMemory {
    /// The data.
    pub what: &'static str,
    /// Number of the items that make the data large.
    pub count: usize,
    /// Kind of these items, such as `steps`.
    pub counted: &'static str,
    /// Bytes needed; `u64::MAX` if they are more than that.
    pub needed: u64,
    /// Bytes that the machine has left; `None` where the system does not report them or does not grant the
    /// memory.
    pub available: Option<u64>,
    /// The remedy.
    pub remedy: &'static str,
}

impl OutOfMemory {
    fn left(&self) -> String {
        match self.available {
            Some(bytes) if bytes < self.needed => format!("the machine has {} left", Bytes(bytes)),
            _ => "which the system does not grant".to_owned(),
        }
    }
}

/// A description of data to be stored, for messages.
#[derive(Debug, Clone, Copy)]
pub struct Room {
    /// The data.
    pub what: &'static str,
    /// Number of the items that make the data large.
    pub count: usize,
    /// Kind of these items, such as `steps`.
    pub counted: &'static str,
    /// The remedy where there is not enough memory.
    pub remedy: &'static str,
}

impl Room {
    /// Describes data that are stored at every step of a run.
    pub fn of_steps(what: &'static str, steps: usize) -> Self {
        let remedy = "take a larger step or an earlier end, keep checkpoints (`checkpoints`) or the outputs alone \
                      (`Problem::outputs`) in place of all states, or use a machine with more memory";
        Self { what, count: steps, counted: "steps", remedy }
    }

    /// Checks whether this many bytes can be stored.
    ///
    /// # Errors
    /// [`OutOfMemory`] where the machine has less left.
    pub fn check(&self, needed: u64) -> Result<(), OutOfMemory> {
        /// Number of bytes up to which the system is only asked for the memory, not for what it has left.
        const UNQUESTIONED_BYTES: u64 = 64 << 20;
        if needed <= UNQUESTIONED_BYTES {
            return Ok(());
        }
        let available = obtainable_memory();
        match needed > available.unwrap_or(u64::MAX).min(isize::MAX as u64) {
            true => Err(self.missing(needed, available)),
            false => Ok(()),
        }
    }

    /// Returns an empty vector with room for this many values.
    ///
    /// # Errors
    /// [`OutOfMemory`] where the machine has less left, or the system does not grant the memory.
    pub fn take<T>(&self, values: usize) -> Result<Vec<T>, OutOfMemory> {
        let needed = bytes(values, size_of::<T>());
        self.check(needed)?;
        let mut vector = Vec::new();
        vector.try_reserve_exact(values).map_err(|_| self.missing(needed, None))?;
        Ok(vector)
    }

    /// Creates the error of memory that was not granted.
    pub fn missing(&self, needed: u64, available: Option<u64>) -> OutOfMemory {
        let Self { what, count, counted, remedy } = *self;
        OutOfMemory { what, count, counted, needed, available, remedy }
    }
}

/// Returns a number of bytes, at most `u64::MAX`.
pub fn bytes(values: usize, size: usize) -> u64 {
    (values as u64).saturating_mul(size as u64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_entry_is_found() {
        let text = "MemTotal:       24000000 kB\nMemFree:         1000000 kB\nMemAvailable:   19000000 kB\n";
        assert_eq!(entry(text, "MemAvailable:"), Some(19_000_000 * 1024));
        assert_eq!(entry("MemTotal: 1 kB\n", "MemAvailable:"), None);
        assert_eq!(entry("MemAvailable: many kB\n", "MemAvailable:"), None);
        assert_eq!(entry("anon 12\ninactive_file 4096\n", "inactive_file"), Some(4096));
    }

    #[test]
    fn too_much_is_an_error_before_it_is_taken() {
        let room = Room::of_steps("the run", 1 << 50);
        let error = room.take::<f64>(1 << 50).unwrap_err();
        assert_eq!((error.count, error.needed), (1 << 50, 1 << 53));
        let text = error.to_string();
        assert!(text.starts_with("the run of 1125899906842624 steps would take 9.01 PB, "), "{text}");
        assert_eq!(room.take::<f64>(usize::MAX).unwrap_err().needed, u64::MAX);
        assert_eq!(room.take::<f64>(100).unwrap().capacity(), 100);
    }
}
