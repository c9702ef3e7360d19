//! Maximum matchings of rows and columns: the rank that a matrix has by its pattern.

use std::collections::VecDeque;

/// A pattern of a matrix, by rows.
#[derive(Debug, Clone)]
pub struct Pattern {
    rows: Vec<Vec<usize>>,
    columns: usize,
}

/// Rows and columns that belong together.
#[derive(Debug, PartialEq, Eq)]
pub struct Part {
    pub rows: Vec<usize>,
    pub columns: Vec<usize>,
}

/// A maximum matching.
#[derive(Debug)]
pub struct Matching {
    /// The row of every column.
    row_of: Vec<Option<usize>>,
    /// The column of every row.
    column_of: Vec<Option<usize>>,
}

impl Pattern {
    pub fn new(rows: usize, columns: usize, entries: impl IntoIterator<Item = (usize, usize)>) -> Pattern {
        let mut pattern = Pattern { rows: vec![Vec::new(); rows], columns };
        for (row, column) in entries {
            if let (Some(row), true) = (pattern.rows.get_mut(row), column < columns) {
                row.push(column);
            }
        }
        pattern
    }

    pub fn transposed(&self) -> Pattern {
        let entries = self.rows.iter().enumerate().flat_map(|(row, columns)| columns.iter().map(move |&c| (c, row)));
        Pattern::new(self.columns, self.rows.len(), entries)
    }

    pub fn row(&self, row: usize) -> &[usize] {
        self.rows.get(row).map_or(&[], Vec::as_slice)
    }

    /// Rows with as many columns of their own as possible: first the diagonal, then by alternating paths.
    pub fn matching(&self) -> Matching {
        let mut matching = Matching { row_of: vec![None; self.columns], column_of: vec![None; self.rows.len()] };
        for (row, columns) in self.rows.iter().enumerate() {
            if columns.contains(&row) {
                matching.join(row, row);
            }
        }
        for row in 0..self.rows.len() {
            if matching.column_of[row].is_none() {
                self.augment(row, &mut matching);
            }
        }
        matching
    }

    /// Searches, breadth first, for a free column.
    fn augment(&self, start: usize, matching: &mut Matching) {
        let mut from: Vec<Option<usize>> = vec![None; self.columns];
        let mut queue = VecDeque::from([start]);
        while let Some(row) = queue.pop_front() {
            for &column in self.row(row) {
                if from[column].is_some() {
                    continue;
                }
                from[column] = Some(row);
                match matching.row_of[column] {
                    Some(next) => queue.push_back(next),
                    None => return matching.flip(start, column, &from),
                }
            }
        }
    }

    /// The rows that can't have columns of their own, and the columns that they are in: there are fewer of them. One
    /// part for every row that is left over.
    pub fn overdetermined(&self) -> Vec<Part> {
        let matching = self.matching();
        let free = matching.column_of.iter().enumerate().filter(|(_, column)| column.is_none());
        free.map(|(row, _)| self.reachable(row, &matching)).collect()
    }

    /// All rows and columns on alternating paths from a row that is left over.
    fn reachable(&self, start: usize, matching: &Matching) -> Part {
        let (mut seen, mut queue) = (vec![false; self.columns], VecDeque::from([start]));
        let mut part = Part { rows: Vec::new(), columns: Vec::new() };
        while let Some(row) = queue.pop_front() {
            part.rows.push(row);
            for &column in self.row(row) {
                if !std::mem::replace(&mut seen[column], true) {
                    part.columns.push(column);
                    queue.extend(matching.row_of[column]);
                }
            }
        }
        part.rows.sort_unstable();
        part.columns.sort_unstable();
        part
    }
}

impl Matching {
    fn join(&mut self, row: usize, column: usize) {
        self.row_of[column] = Some(row);
        self.column_of[row] = Some(column);
    }

    /// Exchanges the columns along the path from `start` to the free column `end`.
    fn flip(&mut self, start: usize, end: usize, from: &[Option<usize>]) {
        let mut column = end;
        while let Some(row) = from[column] {
            let before = self.column_of[row];
            self.join(row, column);
            match before {
                Some(next) if row != start => column = next,
                _ => return,
            }
        }
    }
}
