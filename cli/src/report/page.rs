//! The parts of a page, independent of the format in which it is written.

/// A page.
pub struct Page {
    /// The model's name.
    pub title: String,
    /// Description of the model.
    pub summary: String,
    /// Sections in the order of the page.
    pub sections: Vec<Section>,
}

/// A part with a heading.
pub struct Section {
    /// Heading of the section.
    pub title: &'static str,
    /// Parts below the heading.
    pub parts: Vec<Part>,
}

/// A piece of a section.
pub enum Part {
    /// Plain text.
    Text(String),
    /// A table.
    Table {
        /// Headings of the columns.
        head: Vec<&'static str>,
        /// Rows of cells.
        rows: Vec<Vec<Cell>>,
    },
    /// A formula on a line of its own, in LaTeX.
    Formula(String),
    /// The pattern of structural nonzeros of a matrix.
    Pattern(Pattern),
    /// A picture as SVG with a caption.
    Picture {
        /// The picture.
        svg: String,
        /// Caption of the picture.
        caption: String,
    },
}

/// A cell of a table.
pub enum Cell {
    /// Plain text.
    Text(String),
    /// Text as the user types it: a name, a unit.
    Code(String),
    /// A formula in LaTeX.
    Formula(String),
    /// A number, aligned to the right.
    Number(String),
}

/// The structural nonzeros of a matrix.
pub struct Pattern {
    /// Name, size and number of entries of the matrix.
    pub title: String,
    /// Number of rows.
    pub rows: usize,
    /// Number of columns.
    pub columns: usize,
    /// (row, column), from 0.
    pub entries: Vec<(usize, usize)>,
}
