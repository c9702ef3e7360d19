//! Rows in groups of four, so that vectors of the processor update four rows at once.
//!
//! A group costs as much as four rows even if only one of them takes part. Rows that take part in the same steps go
//! together.

use crate::scalar::LANES;

use super::fill::Fill;

/// Returns the place of the row of every step; a group has [`LANES`] consecutive places, some of which may stay free.
pub fn places(fill: &Fill) -> Vec<u32> {
    /// Share of the work of a row that counts against it where it does not take part with the others of a group.
    const IDLE_WEIGHT: f64 = 0.3;
    let size = fill.lower.len();
    // the steps that a row takes part in, and their work for one row
    let mut steps: Vec<Vec<u32>> = vec![Vec::new(); size];
    let mut work = vec![0usize; size];
    for (k, (rows, columns)) in fill.lower.iter().zip(&fill.upper).enumerate() {
        for &row in rows {
            steps[row as usize].push(k as u32);
            work[row as usize] += 1 + columns.len();
        }
    }
    let mut places = vec![u32::MAX; size];
    let mut common = vec![0usize; size];
    let mut met: Vec<u32> = Vec::new();
    let mut next = 0;
    // the last rows take part in most steps
    for first in (0..size).rev() {
        if places[first] != u32::MAX {
            continue;
        }
        let mut newest = first;
        for count in 1..=LANES {
            places[newest] = next + count as u32 - 1;
            for &step in &steps[newest] {
                let step = step as usize;
                for &row in &fill.lower[step] {
                    if places[row as usize] == u32::MAX {
                        if common[row as usize] == 0 {
                            met.push(row);
                        }
                        common[row as usize] += 1 + fill.upper[step].len();
                    }
                }
            }
            if count == LANES {
                break;
            }
            let value = |row: usize| common[row] as f64 / count as f64 - IDLE_WEIGHT * work[row] as f64;
            met.retain(|&row| places[row as usize] == u32::MAX);
            let Some(best) = met
                .iter()
                .copied()
                .map(|row| row as usize)
                .reduce(|best, row| if value(row) > value(best) { row } else { best })
            else {
                break;
            };
            newest = best;
        }
        met.drain(..).for_each(|row| common[row as usize] = 0);
        next += LANES as u32;
    }
    places
}
