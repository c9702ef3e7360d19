//! The tables that elimination and substitution run over, for one order of pivots.
//!
//! The matrix is stored by columns, each of which has the groups of four rows in which it has entries, fill included.
//! Entries of such a group that are no entries of the column stay zero, or keep what earlier steps left there.

use crate::scalar::LANES;

use super::fill::Fill;
use super::groups;
use super::parts::Parts;

/// One step of the elimination.
#[derive(Debug, Clone, Copy)]
pub struct Step {
    /// Row of the pivot in the matrix.
    pub row: u32,
    /// Column of the pivot in the matrix.
    pub column: u32,
    /// Position of the pivot among the stored entries.
    pub pivot: u32,
    /// Place of the pivot's row in a vector, and of its unknown.
    pub place: u32,
    /// Start and end of the step's groups of L.
    pub lower: (u32, u32),
    /// Start and end of the step's entries of U.
    pub upper: (u32, u32),
    /// Start of the step's part of the `targets`, one for every pair of an entry of U and a group of L.
    pub targets: u32,
}

/// The source of a group of four rows of a column of L.
#[derive(Debug, Clone, Copy)]
pub struct Source {
    /// Group among the stored ones.
    pub stored: u32,
    /// Group of the rows in a vector.
    pub group: u32,
    /// Bits of the rows that the column of L has.
    pub rows: u32,
}

/// The tables of one order of pivots.
#[derive(Debug, Default)]
pub struct Layout {
    /// Parts of equal structure that are eliminated first: all else is what they leave.
    pub parts: Option<Parts>,
    /// Position of every entry of the matrix among the stored ones.
    pub scatter: Vec<u32>,
    /// Number of groups of all columns.
    pub stored: usize,
    /// Number of groups of a vector.
    pub vector: usize,
    /// The steps in order.
    pub steps: Vec<Step>,
    /// Groups of L by steps, as those of a vector.
    pub groups: Vec<u32>,
    /// Sources of the groups of L.
    pub sources: Vec<Source>,
    /// Places of the unknowns of the entries of U by steps, the last unknown first.
    pub places: Vec<u32>,
    /// Positions of the entries of U among the stored ones.
    pub positions: Vec<u32>,
    /// Stored groups that the elimination updates.
    pub targets: Vec<u32>,
}

impl Layout {
    /// Lays out a matrix as [`new`](Self::new) does, with parts of equal structure side by side where it has any. The
    /// values of entries are at `places` of an array.
    pub fn with_parts(pattern: &[(u32, u32)], places: &[u32], pivots: &[(u32, u32)]) -> Self {
        match Parts::find(pattern, places, pivots) {
            Some(parts) => {
                let border = Self::new(&parts.border_pattern, &parts.border);
                Self { parts: Some(parts), ..border }
            }
            None => Self::new(pattern, pivots),
        }
    }

    /// Lays out a matrix with entries at (row, column), eliminated with these pivots, which name every one of its rows
    /// and columns once.
    pub fn new(pattern: &[(u32, u32)], pivots: &[(u32, u32)]) -> Self {
        let size = pivots.len();
        let indices = pivots.iter().map(|&(row, column)| row.max(column) as usize + 1).max().unwrap_or(0);
        let (mut of_row, mut of_column) = (vec![0u32; indices], vec![0u32; indices]);
        for (k, &(row, column)) in pivots.iter().enumerate() {
            of_row[row as usize] = k as u32;
            of_column[column as usize] = k as u32;
        }
        let by_steps = pattern.iter().map(|&(row, column)| (of_row[row as usize], of_column[column as usize]));
        let fill = Fill::new(size, by_steps.clone());
        let places = groups::places(&fill);
        let columns = Columns::new(&fill, &places);
        let mut layout = Self {
            scatter: by_steps.map(|(row, column)| columns.position(column as usize, places[row as usize])).collect(),
            stored: columns.groups.len(),
            vector: places.iter().map(|place| *place as usize / LANES + 1).max().unwrap_or(0),
            ..Self::default()
        };
        for (k, &(row, column)) in pivots.iter().enumerate() {
            let starts = (layout.groups.len(), layout.places.len());
            layout.push_lower(k, &fill.lower[k], &places, &columns);
            let (place, targets) = (places[k], layout.targets.len() as u32);
            for column in fill.upper[k].iter().rev().map(|&column| column as usize) {
                layout.positions.push(columns.position(column, place));
                layout.places.push(places[column]);
                let groups = layout.groups[starts.0..].iter();
                layout.targets.extend(groups.map(|&group| columns.group(column, group)));
            }
            layout.steps.push(Step {
                row,
                column,
                pivot: columns.position(k, place),
                place,
                lower: (starts.0 as u32, layout.groups.len() as u32),
                upper: (starts.1 as u32, layout.places.len() as u32),
                targets,
            });
        }
        layout
    }

    fn push_lower(&mut self, k: usize, rows: &[u32], places: &[u32], columns: &Columns) {
        let mut sorted: Vec<u32> = rows.iter().map(|&row| places[row as usize]).collect();
        sorted.sort_unstable();
        for same in sorted.chunk_by(|a, b| a / LANES as u32 == b / LANES as u32) {
            let Some(&first) = same.first() else { continue };
            let group = first / LANES as u32;
            let rows = same.iter().map(|place| 1 << (place % LANES as u32)).sum();
            self.groups.push(group);
            self.sources.push(Source { stored: columns.group(k, group), group, rows });
        }
    }
}

/// The groups of every column, ascending, one column after the other.
struct Columns {
    starts: Vec<u32>,
    groups: Vec<u32>,
}

impl Columns {
    fn new(fill: &Fill, places: &[u32]) -> Self {
        let group = |row: usize| places[row] / LANES as u32;
        let mut all: Vec<Vec<u32>> = fill.lower.iter().map(|rows| Vec::with_capacity(2 * rows.len() + 1)).collect();
        for (k, (rows, columns)) in fill.lower.iter().zip(&fill.upper).enumerate() {
            all[k].push(group(k));
            all[k].extend(rows.iter().map(|&row| group(row as usize)));
            columns.iter().for_each(|&column| all[column as usize].push(group(k)));
        }
        let mut columns = Self { starts: vec![0], groups: Vec::new() };
        for mut groups in all {
            groups.sort_unstable();
            groups.dedup();
            columns.groups.extend(groups);
            columns.starts.push(columns.groups.len() as u32);
        }
        columns
    }

    /// Returns the place of a group of a column among the stored ones.
    fn group(&self, column: usize, group: u32) -> u32 {
        let (start, end) = (self.starts[column], self.starts[column + 1]);
        // fill has every group that is asked for
        let at = self.groups[start as usize..end as usize].binary_search(&group).unwrap_or(0);
        start + at as u32
    }

    /// Returns the position of the entry of a column at this place of its rows.
    fn position(&self, column: usize, place: u32) -> u32 {
        self.group(column, place / LANES as u32) * LANES as u32 + place % LANES as u32
    }
}
