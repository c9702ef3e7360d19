//! What a page is made of, in whatever format it is written.

/// A page.
pub struct Page {
    /// The model's name.
    pub title: String,
    /// What it is.
    pub summary: String,
    /// In their order.
    pub sections: Vec<Section>,
}

/// A part with a heading.
pub struct Section {
    /// Its heading.
    pub title: &'static str,
    /// What stands below it.
    pub parts: Vec<Part>,
}

/// A piece of a section.
pub enum Part {
    /// Plain text.
    Text(String),
    /// A table.
    Table {
        /// The headings of its columns.
        head: Vec<&'static str>,
        /// Its lines.
        rows: Vec<Vec<Cell>>,
    },
    /// A formula of its own line, in LaTeX.
    Formula(String),
    /// Where a matrix has entries.
    Pattern(Pattern),
    /// A picture as SVG, and what stands below it.
    Picture {
        /// The picture.
        svg: String,
        /// What it shows.
        caption: String,
    },
}

/// A cell of a table.
pub enum Cell {
    /// Plain text.
    Text(String),
    /// What the user would type: a name, a unit.
    Code(String),
    /// In LaTeX.
    Formula(String),
    /// A number, to the right.
    Number(String),
}

/// The structural nonzeros of a matrix.
pub struct Pattern {
    /// What the matrix is.
    pub title: String,
    /// Number of rows.
    pub rows: usize,
    /// Number of columns.
    pub columns: usize,
    /// (row, column), from 0.
    pub entries: Vec<(usize, usize)>,
}
