//! Seeds of tasks.

/// The seed of a task: the finaliser of SplitMix64 (Steele, Lea, Flood, OOPSLA 2014) keeps the generators of tasks
/// apart.
pub fn task_seed(seed: u64, number: usize) -> u64 {
    let mut z = seed ^ (number as u64).wrapping_add(1).wrapping_mul(0xd6e8_feb8_6659_fd93);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}
