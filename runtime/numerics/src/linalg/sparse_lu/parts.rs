//! Parts of a matrix that have equal structure and meet in a border alone, as the corners of a car meet in its body.
//!
//! In an order of pivots that eliminates the parts first, each in the same order, four parts go side by side: the first
//! pivot of each, then the second pivot of each. What is left of the border is a matrix of its own.

use std::collections::HashMap;

use crate::scalar::LANES;

use super::fill::Fill;

/// Number of entries of L whose products are subtracted in one round of a loop.
pub const AT_ONCE: usize = 8;

/// A place in a table that is read for every matrix: short, so that the tables take little of the cache.
pub type Short = u16;

/// Returns short places; `None` where one is too large.
fn short<const N: usize>(places: [u32; N]) -> Option<[Short; N]> {
    let mut all = [0; N];
    for (short, place) in all.iter_mut().zip(places) {
        *short = Short::try_from(place).ok()?;
    }
    Some(all)
}

/// One step of the elimination: the lengths of its column of L and its row of U.
///
/// The entries of a step are stored together, those of L after the pivot and those of U after these.
#[derive(Debug, Clone, Copy)]
pub struct PartStep {
    pub lower: u32,
    pub upper: u32,
}

impl PartStep {
    /// Returns the number of entries.
    pub fn entries(self) -> usize {
        1 + self.lower as usize + self.upper as usize
    }
}

/// The tables of parts of equal structure, with unknowns in the order of their elimination, those of the border last.
#[derive(Debug)]
pub struct Parts {
    /// Number of parts.
    pub count: usize,
    /// Four stored entries that follow each other in the array of the matrix in every lane, with the place of the first
    /// one there.
    pub runs: Vec<([Short; LANES], [Short; LANES])>,
    /// Stored entries of which every lane has one in the array, with its places there.
    pub gathered: Vec<(Short, [Short; LANES])>,
    /// Stored entries that are zero in some lanes or in all of them.
    pub zeros: Vec<u32>,
    /// Stored entries and lanes of other entries of the matrix, with their place in the array.
    pub scattered: Vec<(u32, u32, u32)>,
    /// Places in the array of the entries of the border.
    pub of_border: Vec<u32>,
    /// Rows and columns of the matrix by steps, for every four parts; those of idle lanes are those of another lane.
    pub rows: Vec<[u32; LANES]>,
    pub columns: Vec<[u32; LANES]>,
    /// Rows and columns of the border.
    pub border: Vec<(u32, u32)>,
    /// The steps of a part.
    pub steps: Vec<PartStep>,
    /// Rows of the entries of L and columns of those of U by steps, as places in a vector.
    pub lower: Vec<u32>,
    pub upper: Vec<u32>,
    /// Entries that the elimination updates, one for every pair of an entry of U and an entry of L of a step, counted
    /// from the end of the entries of the step.
    pub targets: Vec<Short>,
    /// Entries of the border, (row, column) in the matrix, and those that parts change, with their place among them.
    pub border_pattern: Vec<(u32, u32)>,
    pub changes: Vec<u32>,
}

impl Parts {
    /// Finds the parts of a matrix with entries at (row, column), whose values are at `places` of an array, eliminated
    /// with these pivots; `None` where it does not have any.
    pub fn find(pattern: &[(u32, u32)], places: &[u32], pivots: &[(u32, u32)]) -> Option<Self> {
        let size = pivots.len();
        let (mut of_row, mut of_column) = (vec![0u32; size], vec![0u32; size]);
        for (k, &(row, column)) in pivots.iter().enumerate() {
            of_row[row as usize] = k as u32;
            of_column[column as usize] = k as u32;
        }
        let by_steps: Vec<(u32, u32)> =
            pattern.iter().map(|&(row, column)| (of_row[row as usize], of_column[column as usize])).collect();
        let parts = components(size, &by_steps)?;
        Self::new((pattern, places), pivots, &by_steps, &parts)
    }

    /// Lays out `parts`, each of which lists its steps.
    fn new(
        (pattern, of_values): (&[(u32, u32)], &[u32]),
        pivots: &[(u32, u32)],
        by_steps: &[(u32, u32)],
        parts: &[Vec<u32>],
    ) -> Option<Self> {
        /// Largest number of entries of a part that stands for all, relative to the average.
        const MAX_UNION: f64 = 1.25;
        let (count, length) = (parts.len(), parts.first()?.len());
        let border = pivots.get(count * length..)?;
        // places of all steps, and the parts of those that have one
        let mut places = vec![(0u32, None); pivots.len()];
        for (part, steps) in parts.iter().enumerate() {
            for (place, &step) in steps.iter().enumerate() {
                places[step as usize] = (place as u32, Some(part));
            }
        }
        for (place, (_, at)) in (length..).zip(border.iter().zip(count * length..)) {
            places[at] = (place as u32, None);
        }
        let part_of = |&(row, column): &(u32, u32)| {
            let ((row, of_row), (column, of_column)) = (places[row as usize], places[column as usize]);
            ((row, column), of_row.or(of_column))
        };
        let placed: Vec<((u32, u32), Option<usize>)> = by_steps.iter().map(part_of).collect();
        let of_parts = placed.iter().filter(|(_, part)| part.is_some());
        let mut all: Vec<(u32, u32)> = of_parts.clone().map(|&(place, _)| place).collect();
        all.sort_unstable();
        all.dedup();
        if (count * all.len()) as f64 > MAX_UNION * of_parts.count() as f64 {
            return None;
        }
        let fill = Fill::new(length + border.len(), all.into_iter());
        let stored = Stored::new(&fill, length);
        let mut tables = Self {
            count,
            runs: Vec::new(),
            gathered: Vec::new(),
            zeros: Vec::new(),
            scattered: Vec::new(),
            of_border: Vec::new(),
            rows: Vec::new(),
            columns: Vec::new(),
            border: border.to_vec(),
            steps: Vec::with_capacity(length),
            lower: fill.lower[..length].concat(),
            upper: fill.upper[..length].concat(),
            targets: Vec::new(),
            border_pattern: Vec::new(),
            changes: Vec::new(),
        };
        for fours in parts.chunks(LANES) {
            for place in 0..length {
                let of = |lane: usize| pivots[fours.get(lane).unwrap_or(&fours[0])[place] as usize];
                tables.rows.push(std::array::from_fn(|lane| of(lane).0));
                tables.columns.push(std::array::from_fn(|lane| of(lane).1));
            }
        }
        for (k, (lower, upper)) in fill.lower[..length].iter().zip(&fill.upper).enumerate() {
            let step = PartStep { lower: lower.len() as u32, upper: upper.len() as u32 };
            let end = stored.starts[k] + step.entries() as u32;
            for rows in lower.chunks(AT_ONCE) {
                for &column in upper {
                    for &row in rows {
                        tables.targets.push(Short::try_from(stored.position(&fill, row, column) - end).ok()?);
                    }
                }
            }
            tables.steps.push(step);
        }
        // the places in the array of the stored entries
        let mut sources = vec![[u32::MAX; LANES]; count.div_ceil(LANES) * stored.count()];
        for (&at, (&entry, (place, part))) in of_values.iter().zip(pattern.iter().zip(placed)) {
            match part {
                Some(part) => {
                    let stored_at = stored.position(&fill, place.0, place.1) as usize;
                    sources[(part / LANES) * stored.count() + stored_at][part % LANES] = at;
                }
                None => {
                    tables.of_border.push(at);
                    tables.border_pattern.push(entry);
                }
            }
        }
        let mut complete = Vec::new();
        for (at, lanes) in (0u32..).zip(sources) {
            if lanes.iter().all(|&place| place != u32::MAX) {
                complete.push((lanes, at));
                continue;
            }
            tables.zeros.push(at);
            let given = (0u32..).zip(lanes).filter(|(_, place)| *place != u32::MAX);
            tables.scattered.extend(given.map(|(lane, place)| (at, lane, place)));
        }
        complete.sort_unstable();
        let follows = |a: &([u32; LANES], u32), b: &([u32; LANES], u32)| a.0.map(|place| place + 1) == b.0;
        for run in complete.chunk_by(follows) {
            let (fours, rest) = run.as_chunks::<LANES>();
            for four in fours {
                tables.runs.push((short(four.map(|(_, at)| at))?, short(four[0].0)?));
            }
            for &(places, at) in rest {
                let [at] = short([at])?;
                tables.gathered.push((at, short(places)?));
            }
        }
        let known = tables.border_pattern.iter().zip(0u32..);
        let mut known: HashMap<(u32, u32), u32> = known.map(|(&entry, at)| (entry, at)).collect();
        for &(row, column) in &stored.border {
            let entry = (border[row as usize - length].0, border[column as usize - length].1);
            let pattern = &mut tables.border_pattern;
            tables.changes.push(*known.entry(entry).or_insert_with(|| {
                pattern.push(entry);
                pattern.len() as u32 - 1
            }));
        }
        Some(tables)
    }

    /// Returns the number of lanes that parts use among these four.
    pub fn used(&self, four: usize) -> usize {
        (self.count - (four * LANES).min(self.count)).min(LANES)
    }

    /// Returns the number of places of a part and the border.
    pub fn places(&self) -> usize {
        self.steps.len() + self.border.len()
    }

    /// Returns the number of places in a vector.
    pub fn vector(&self) -> usize {
        self.count.div_ceil(LANES) * self.places()
    }

    /// Returns the number of entries that are stored of every four parts.
    pub fn stored(&self) -> usize {
        self.factors() + self.changes.len()
    }

    /// Returns the number of entries of the factors of every four parts.
    pub fn factors(&self) -> usize {
        self.steps.len() + self.lower.len() + self.upper.len()
    }
}

/// The places of the entries of a part: step by step, and then those of the border.
struct Stored {
    /// The starts of the entries of every step, and the end of all.
    starts: Vec<u32>,
    /// Entries of the border that the elimination changes, ascending.
    border: Vec<(u32, u32)>,
}

impl Stored {
    fn new(fill: &Fill, length: usize) -> Self {
        let is_border = |step: &&u32| **step as usize >= length;
        let (mut starts, mut border) = (vec![0], Vec::new());
        let mut next = 0;
        for (rows, columns) in fill.lower[..length].iter().zip(&fill.upper) {
            next += 1 + rows.len() as u32 + columns.len() as u32;
            starts.push(next);
            for &row in rows.iter().filter(is_border) {
                border.extend(columns.iter().filter(is_border).map(|&column| (row, column)));
            }
        }
        border.sort_unstable();
        border.dedup();
        Self { starts, border }
    }

    /// Returns the number of entries.
    fn count(&self) -> usize {
        self.starts.last().map_or(0, |end| *end as usize) + self.border.len()
    }

    /// Returns the position of an entry, by the steps of its row and column.
    fn position(&self, fill: &Fill, row: u32, column: u32) -> u32 {
        let (step, length) = (row.min(column) as usize, self.starts.len() - 1);
        if step >= length {
            return self.starts[length] + place(&self.border, (row, column));
        }
        let start = self.starts[step];
        match row.cmp(&column) {
            std::cmp::Ordering::Equal => start,
            std::cmp::Ordering::Greater => start + 1 + place(&fill.lower[step], row),
            std::cmp::Ordering::Less => start + 1 + fill.lower[step].len() as u32 + place(&fill.upper[step], column),
        }
    }
}

/// Returns the place of a value in a sorted list that has it.
fn place<T: Ord>(sorted: &[T], value: T) -> u32 {
    sorted.binary_search(&value).unwrap_or(0) as u32
}

/// Returns the steps of the most parts of equal size into which the first steps fall; `None` where these are too few.
fn components(size: usize, entries: &[(u32, u32)]) -> Option<Vec<Vec<u32>>> {
    /// Smallest number of parts: with fewer, more than a quarter of the lanes is idle.
    const MIN_PARTS: usize = LANES - 1;
    /// Smallest share of the unknowns that parts have to cover.
    const MIN_SHARE: f64 = 0.5;
    // the earlier steps with which each step shares an entry
    let mut earlier: Vec<Vec<u32>> = vec![Vec::new(); size];
    for &(row, column) in entries.iter().filter(|(row, column)| row != column) {
        earlier[row.max(column) as usize].push(row.min(column));
    }
    let mut roots: Vec<u32> = (0..size as u32).collect();
    let mut sizes = vec![1usize; size];
    let (mut count, mut largest, mut covered) = (0, 1, 0);
    for (step, neighbours) in earlier.iter().enumerate() {
        count += 1;
        for &other in neighbours {
            let (a, b) = (root(&mut roots, step as u32), root(&mut roots, other));
            if a != b {
                roots[b as usize] = a;
                sizes[a as usize] += sizes[b as usize];
                largest = largest.max(sizes[a as usize]);
                count -= 1;
            }
        }
        if count < MIN_PARTS {
            // parts never fall apart again, but others may begin
            continue;
        }
        if count * largest == step + 1 && idle(count) * MIN_PARTS <= count {
            covered = step + 1;
        }
    }
    if (covered as f64) < MIN_SHARE * size as f64 {
        return None;
    }
    let mut roots: Vec<u32> = (0..covered as u32).collect();
    for (step, neighbours) in earlier[..covered].iter().enumerate() {
        for &other in neighbours {
            let (a, b) = (root(&mut roots, step as u32), root(&mut roots, other));
            roots[b as usize] = a;
        }
    }
    let mut parts: Vec<Vec<u32>> = Vec::new();
    let mut part_of = vec![usize::MAX; covered];
    for step in 0..covered as u32 {
        let root = root(&mut roots, step) as usize;
        if part_of[root] == usize::MAX {
            part_of[root] = parts.len();
            parts.push(Vec::new());
        }
        parts[part_of[root]].push(step);
    }
    Some(parts)
}

/// Returns the number of idle lanes with so many parts.
fn idle(parts: usize) -> usize {
    parts.next_multiple_of(LANES) - parts
}

fn root(roots: &mut [u32], mut i: u32) -> u32 {
    while roots[i as usize] != i {
        roots[i as usize] = roots[roots[i as usize] as usize];
        i = roots[i as usize];
    }
    i
}
